import type { CreatedSession, HostedSettings, NewHostedSession } from "./hosted-options.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionRecords, StoredSession } from "./session-records.ts";
import { readAddress, sealText } from "./session-seals.ts";

/** A session in the row of those of one user at one bank. */
interface Entry {
  readonly id: string;
  /** The token of its address, sealed. */
  readonly address: string;
}

interface Tools {
  readonly settings: HostedSettings;
  readonly records: SessionRecords;
  readonly ends: SessionEnds;
  add(options: NewHostedSession, token: string): Promise<CreatedSession>;
}

const isOpen = (session: StoredSession): boolean => !session.end && session.status !== "expired";

/**
 * Makes a session, unless there is an open one of the same user at the same bank. They are a row: each names the next one, once. So of two calls
 * at the same time one adds to it, and the other finds what it has added.
 */
export async function createOnlyOne(
  options: NewHostedSession & { readonly whenOpen: "reuse" | "cancel" },
  { settings, records, ends, add }: Tools,
): Promise<CreatedSession> {
  const { whenOpen } = options;
  const row = await records.toRow(options);
  let last = await records.readLastEntry<Entry>(row);
  const token = settings.environment.createToken();
  let created: CreatedSession | undefined;
  for (;;) {
    const next = await records.readEntry<Entry>(row, last?.id);
    if (next) {
      last = next;
      continue;
    }
    const open = last && (await records.find(last.id));
    if (last && open && isOpen(open)) {
      if (whenOpen === "reuse") {
        // Another call was faster.
        if (created) await ends.drop(await records.get(created.id));
        const address = await readAddress(settings, last.id, last.address);
        return { id: last.id, url: `${settings.url}${address}`, expiresAt: new Date(open.created.expiresAt) };
      }
      await ends.cancel(open);
    }
    created ??= await add(options, token);
    const forgetAt = new Date(created.expiresAt.getTime() + settings.retention);
    const entry = { id: created.id, address: await sealText(settings, created.id, "address", token, forgetAt) };
    if (await records.addEntry(row, last?.id, entry, forgetAt)) return created;
  }
}
