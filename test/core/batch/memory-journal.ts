import type { BatchJournal } from "ventanilla/batch";

/** A journal that ends with its test. */
export function createMemoryJournal(): BatchJournal {
  const begun = new Set<string>();
  return {
    begin({ id, attempt }) {
      const isNew = !begun.has(`${attempt} ${id}`);
      begun.add(`${attempt} ${id}`);
      return isNew;
    },
    end() {},
  };
}
