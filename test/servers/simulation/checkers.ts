import { all, findEndTold, findSender, isDisturbed, isFound, isResultOf, type Of, TROUBLES } from "./evidence.ts";
import { type Happening, SECRET, STRANGER } from "./history.ts";
import type { Run } from "./simulate.ts";

/** What a checker has found: the promise that is broken, with what has broken it. */
export type Finding = string | undefined;

/** Milliseconds in which a send may still begin after an end was told: it was on its way. */
const ON_ITS_WAY = 500;
/** Milliseconds in which a question can be answered. */
const ANSWER_TIME = 300_000;
/** Milliseconds by which two clocks may differ. */
const CLOCKS = 60_000;
/** Milliseconds that a response may be on its way. */
const NETWORK = 4_000;
/** Milliseconds until a call of `onEnd` counts as failed. */
const CALLBACK_TIME = 10_000;

const find = <Element>(
  list: readonly Element[],
  test: (element: Element, index: number) => boolean,
  describe: (found: Element) => string,
) => {
  const found = list.find(test);
  return found && describe(found);
};

/** What a stranger may be told. A relay says the same of a login that was never there. */
const NOTHING: Readonly<Record<Run["door"], readonly Of<"told">["told"]["kind"][]>> = {
  hosted: ["over", "failed", "lost", "form", "later"],
  relay: ["over", "failed", "lost", "form", "later", "gone", "neverSent", "unknown"],
};

/** Pure functions over what has happened, one for each promise. */
export const checkers = {
  "no number reaches the bank twice"(run) {
    const submits = new Map(all(run, "submitted").map(({ mark, submit }) => [mark, submit]));
    const claims = new Map(all(run, "claimed").map(({ submit, number }) => [submit, number]));
    const seen = new Set<string>();
    for (const { mark } of all(run, "sent")) {
      const submit = submits.get(mark);
      if (submit === undefined) return `${mark} was sent by no page`;
      if (seen.has(submit)) return `the submit of ${mark} was sent twice`;
      seen.add(submit);
      if (!claims.has(submit)) return `${mark} was sent without a claim`;
    }
    return undefined;
  },

  "nothing claimed after an end was confirmed is sent"(run) {
    const submits = new Map(all(run, "submitted").map(({ mark, submit }) => [mark, submit]));
    const sent = new Set(all(run, "sent").map(({ mark }) => submits.get(mark)));
    const confirmed = all(run, "confirmed").find((one) => isFound(run, one));
    if (!confirmed) return undefined;
    return find(
      all(run, "claimed"),
      ({ at, submit }) => at > confirmed.at && sent.has(submit),
      ({ submit }) => `${submit} was claimed after ${confirmed.verb} had been confirmed`,
    );
  },

  "what was claimed before an end is told with its confirmation, each time"(run) {
    const unsent = new Set(all(run, "result").flatMap(({ kind, number }) => (kind === "unsent" ? [number] : [])));
    const claims = all(run, "claimed").filter(({ number }) => !unsent.has(number));
    const ended = all(run, "ended")[0];
    const end = ended?.at ?? Number.POSITIVE_INFINITY;
    // The relay's page is told of what is still open then.
    const isOpen = ({ number, at }: Of<"claimed">) =>
      !run.history.some((one) => isResultOf(one, number) && one.at >= at && one.at <= end);
    return find(
      all(run, "confirmed").filter((one) => isFound(run, one)),
      ({ saysSent, at, verb }) =>
        saysSent === false &&
        claims.some(
          (claim) => claim.at <= at && claim.at < end && (run.door === "hosted" || verb === "erase" || isOpen(claim)),
        ),
      ({ verb }) => `${verb} does not say that something was sent`,
    );
  },

  "no send begins half a second after an end was told"(run) {
    const told = findEndTold(run);
    return find(
      all(run, "sent"),
      ({ at, instance }) =>
        at > told + ON_ITS_WAY && !isDisturbed(run, ["pause", "answer late"], told - 1, at, instance),
      ({ mark, at }) => `${mark} was sent ${at - told} ms after an end had been told`,
    );
  },

  "what a page was told is in the store"(run) {
    const results = all(run, "result");
    const ends = all(run, "ended");
    return find(
      all(run, "told"),
      ({ told, at, person }) => {
        const isBefore = (one: Happening) => one.at <= at;
        if (told.kind === "loggedIn") return !ends.some((end) => isBefore(end) && end.status === "logged_in");
        if (told.kind === "question")
          return !results.some((one) => isBefore(one) && one.kind === "question" && told.number === one.number);
        // An end may be told from memory while the store fails.
        if (told.kind === "over" && person !== STRANGER)
          return !ends.some(isBefore) && !isDisturbed(run, ["store fails", "answer lost"], 0, at);
        return told.kind === "refused" && !results.some((one) => isBefore(one) && one.kind === "refused");
      },
      ({ told, page }) => `${page} was told ${told.kind}, and the store does not have it`,
    );
  },

  "unknown is told only with a cause"(run) {
    const unknown = all(run, "result").filter(({ kind }) => kind === "unknown");
    return find(
      all(run, "told"),
      ({ told, at, person }) => {
        // A relay says it of a login that is none of his, and of one that was erased.
        if (told.kind !== "unknown" || person === STRANGER) return false;
        if (all(run, "ended").some(({ isErasure, at: end }) => isErasure && end <= at)) return false;
        const result = unknown.findLast((one) => one.at <= at);
        const claim = all(run, "claimed").find(({ number }) => number === result?.number);
        // Without a result the store has failed.
        if (!claim) return !isDisturbed(run, TROUBLES, 0, at);
        const from = claim.at - CALLBACK_TIME;
        const sender = findSender(run, claim.submit);
        return !isDisturbed(run, ["store fails"], from, at) && !isDisturbed(run, TROUBLES, from, at, sender);
      },
      ({ page }) => `${page} was told unknown, and nothing had gone wrong`,
    );
  },

  "no one gets what belongs to another"(run) {
    const owner = new Map(all(run, "submitted").map(({ submit, page }) => [submit, page]));
    const first = all(run, "claimed")[0];
    const isOwners = first !== undefined && owner.has(first.submit);
    const told = find(
      all(run, "told"),
      (one) => one.person === STRANGER && isOwners && !NOTHING[run.door].includes(one.told.kind),
      (one) => `a stranger was told ${one.told.kind}`,
    );
    if (told !== undefined) return told;
    return find(
      all(run, "sent"),
      ({ person }) => person === STRANGER,
      () => "a stranger's form was sent in the session of another",
    );
  },

  "a stranger changes nothing"(run) {
    const alone = all(run, "strangersAlone")[0];
    if (!alone) return undefined;
    const later = run.history.slice(run.history.indexOf(alone));
    return find(
      later,
      ({ type }) => ["stored", "removed", "sent", "claimed", "ended"].includes(type),
      (found) => `a stranger has made that ${JSON.stringify(found)}`,
    );
  },

  "one recipient has the session key, as often as it asks"(run) {
    // That of a relay has each key that the bank gives out, once.
    const taken = run.door === "hosted" ? all(run, "keyTaken") : [];
    const [first] = taken;
    return find(
      taken,
      ({ recipient, key }) => recipient !== first?.recipient || key !== first.key,
      ({ recipient }) => `${recipient} got the key after ${first?.recipient}`,
    );
  },

  "each page has an end within its deadline, and one of them an answer"(run) {
    const ends = all(run, "pageEnded");
    const late = find(
      ends,
      ({ isLate }) => isLate,
      ({ page }) => `${page} has no end`,
    );
    if (late !== undefined) return late;
    if (ends.length === 0) return "no page has an end";
    return ends.some(({ isAnswered }) => isAnswered) ? undefined : "no page got an answer";
  },

  "nothing in the store can be read without the seal key"(run) {
    return find(
      all(run, "stored"),
      ({ text, row }) => text.includes(SECRET) || row.includes(SECRET),
      ({ row }) => `${row} is not sealed`,
    );
  },

  "nothing of an erased session is left"(run) {
    const erased = all(run, "confirmed").find((one) => one.verb === "erase" && isFound(run, one));
    if (!erased) return undefined;
    const rows = new Map<string, Of<"stored">>();
    for (const happening of run.history) {
      if (happening.type === "stored" && happening.session === erased.session) rows.set(happening.row, happening);
      if (happening.type === "removed") rows.delete(happening.row);
    }
    return find(
      [...rows.values()],
      ({ isSealed }) => isSealed,
      ({ row, at }) => `${row} was written ${at - erased.at} ms after the erasure had been confirmed, and stayed`,
    );
  },

  "a question is not given more time by a reload"(run) {
    const until = new Map<number, number>();
    const result = new Map(all(run, "result").map((one) => [one.number, one.at]));
    for (const { told, at } of all(run, "told")) {
      if (told.kind !== "question" || told.timeLeft === undefined) continue;
      const end = at + told.timeLeft;
      const first = until.get(told.number) ?? end;
      const tolerance = NETWORK + (isDisturbed(run, ["clock"], 0, at) ? CLOCKS : 0);
      const begun = result.get(told.number) ?? at;
      if (end > first + tolerance) return `${told.name} ends ${end - first} ms later than it did`;
      if (end > begun + ANSWER_TIME + tolerance) return `${told.name} has more than its time`;
      until.set(told.number, Math.min(first, end));
    }
    return undefined;
  },

  "an approval is answered once automatically"(run) {
    return find(
      all(run, "sent"),
      ({ isAutomatic, automaticBefore }) => isAutomatic && automaticBefore > 0,
      ({ mark }) => `${mark} answers again what an approval has answered`,
    );
  },

  "the app is told of each end"(run) {
    const ends = all(run, "ended");
    // A relay tells of sessions alone. An erasure is not told.
    if (run.door === "relay") return undefined;
    if (ends.length === 0 || ends.some(({ isErasure }) => isErasure)) return undefined;
    return all(run, "onEnd").some(({ isBegun }) => !isBegun) ? undefined : `${ends[0]?.status} was not told`;
  },

  "the app is told of an end by one instance at a time"(run) {
    if (isDisturbed(run, ["clock"], 0, Number.POSITIVE_INFINITY)) return undefined;
    const calls = all(run, "onEnd");
    const begun = calls.filter(({ isBegun }) => isBegun);
    return find(
      begun,
      ({ at }, index) => index > 0 && at - (begun[index - 1]?.at ?? 0) < CALLBACK_TIME,
      ({ instance }) => `${instance} calls onEnd while another one may`,
    );
  },
} satisfies Readonly<Record<string, (run: Run) => Finding>>;

/** The name of a checker: the promise. */
export type Promised = keyof typeof checkers;

/** The promises that a run has broken. */
export function check(run: Run): readonly { readonly promise: Promised; readonly finding: string }[] {
  return Object.entries(checkers).flatMap(([promise, checker]) => {
    const finding = checker(run);
    return finding === undefined ? [] : [{ promise: promise as Promised, finding }];
  });
}
