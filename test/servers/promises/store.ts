import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { onTestFinished } from "vitest";
import { promised } from "../../bank/service.ts";

/** What a test sees of a store, whatever the server keeps in it. */
export interface WatchedStore {
  /** All ids and texts that were ever written. */
  written(): string;
  /** Those that it has now. */
  content(): Promise<string>;
  /** Looks what is written, if the store is a folder. */
  look(): void;
  fail(): void;
  recover(): void;
  /** Lets the next write wait, so that others come before it. A folder can't. */
  holdWrite?(): { readonly held: Promise<void>; release(): void };
}

/** A store in memory that notes what it gets, and fails when it is told to. */
export function watchMemory(): WatchedStore & { readonly store: Store } {
  const memory = createMemoryStore({ rows: new Map() });
  const notes: string[] = [];
  const ids = new Set<string>();
  let isDown = false;
  let hold: Readonly<Record<"held" | "released", ReturnType<typeof promised<void>>>> | undefined;
  const store = new Proxy(memory, {
    get: (_, name: keyof Store) =>
      typeof memory[name] === "function" &&
      (async (...parameters: readonly unknown[]) => {
        if (isDown) throw new TypeError("The store is down.");
        if (name !== "read" && name !== "list" && hold) {
          const { held, released } = hold;
          hold = undefined;
          held.keep();
          await released.promise;
        }
        if (name !== "read") notes.push(JSON.stringify(parameters));
        ids.add(String(parameters[0]));
        return (memory[name] as (...all: readonly unknown[]) => unknown)(...parameters);
      }),
  });
  return {
    store,
    written: () => notes.join("\n"),
    content: async () => {
      const texts = await Promise.all([...ids].map(async (id) => [id, await memory.read(id)] as const));
      return texts.flatMap(([id, text]) => (text === undefined ? [] : [`${id} ${text}`])).join("\n");
    },
    look() {},
    fail() {
      isDown = true;
    },
    recover() {
      isDown = false;
    },
    holdWrite() {
      const [held, released] = [promised(), promised()];
      hold = { held, released };
      return { held: held.promise, release: released.keep };
    },
  };
}

/** The same in a folder, which is looked at after each response. */
export function watchFolder(): WatchedStore & { readonly folder: string } {
  const parent = mkdtempSync(join(tmpdir(), "ventanilla-promises-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(parent, "store");
  const away = join(parent, "away");
  const notes = new Set<string>();
  /** Names of files are ids as hexadecimal numbers. */
  const read = () =>
    (existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder, { recursive: true }) : []).flatMap(
      (name) => {
        const path = join(folder, String(name));
        // A file may go at any moment.
        try {
          const [last = ""] = String(name).split("/").slice(-1);
          return [`${Buffer.from(last.replace(/\..*/, ""), "hex")} ${name} ${readFileSync(path, "utf8")}`];
        } catch {
          return [];
        }
      },
    );
  const look = () => {
    for (const text of read()) notes.add(text);
  };
  return {
    folder,
    written: () => {
      look();
      return [...notes].join("\n");
    },
    content: async () => read().join("\n"),
    look,
    fail() {
      renameSync(folder, away);
      writeFileSync(folder, "");
    },
    recover() {
      rmSync(folder);
      renameSync(away, folder);
    },
  };
}
