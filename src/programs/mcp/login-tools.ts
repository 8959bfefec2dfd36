import * as v from "valibot";
import { poll } from "../../core/api/repetition.ts";
import { fillIn, mcpTexts } from "../../core/texts/languages.ts";
import { type BankClient, describeFailure, type FailureCode } from "../../index.ts";
import { isProviderCode } from "../../servers/relay/relay-call.ts";
import { printable } from "../cli/terminal/printable.ts";
import { type BankLogin, type BankLogins, isOpen } from "./bank-logins.ts";
import { defineTool, type HostCall, type PageAnswer, type Tool } from "./tool.ts";

export interface ToolSettings {
  readonly client: Pick<BankClient, "listProviders" | "getProvider">;
  readonly logins: BankLogins;
  readonly locale: string;
  /** Milliseconds in which a person can begin and answer. */
  readonly expiresIn: number;
}

/** Milliseconds between two reads of a login. */
const POLL = 500;

const describe = v.description;
export const handle = v.pipe(v.string(), describe("The handle that start_bank_login gave."));
const expiresAt = v.pipe(v.string(), v.isoTimestamp(), describe("Until when the person can begin or answer."));
const text = v.pipe(v.string(), describe("For the person, in the person's language."));

const status = v.pipe(
  v.picklist(["created", "opened", "awaiting_interaction", "logged_in", "failed", "cancelled", "expired", "ended"]),
  describe(
    "created: the page was not opened yet. opened: the person has. awaiting_interaction: the bank asks the person a question, on the page. The others are ends; ended: the session was closed.",
  ),
);

const state = v.object({
  status,
  over: v.pipe(v.boolean(), describe("Whether nothing comes after this status.")),
  bank: v.exactOptional(v.pipe(v.string(), describe("The bank's code."))),
  failure: v.exactOptional(v.pipe(v.string(), describe("Why it failed: a code."))),
  text,
  logged_in_at: v.exactOptional(
    v.pipe(v.string(), v.isoTimestamp(), describe("When the session at the bank began. It may last for minutes only.")),
  ),
  expires_at: expiresAt,
});

/** The tools that begin, read and end a login. */
export function createLoginTools(settings: ToolSettings): readonly Tool[] {
  const { client, logins, locale, expiresIn } = settings;
  const texts = mcpTexts(locale);

  const formatState = (login: BankLogin) => {
    const { status, provider, failure, loggedInAt, expiresAt } = login;
    return {
      status,
      over: !isOpen(login),
      ...(provider && { bank: provider }),
      ...(status === "failed" && failure && { failure }),
      text:
        status === "failed" || status === "cancelled" || status === "expired"
          ? describeFailure(failure ?? (status as FailureCode), locale).text
          : texts[status],
      ...(loggedInAt && { logged_in_at: loggedInAt.toISOString() }),
      expires_at: expiresAt.toISOString(),
    };
  };

  /** Waits until a login has ended, or the time is over. */
  async function waitForEnd(
    handle: string,
    { signal, report, until }: Pick<HostCall, "signal"> & Partial<Pick<HostCall, "report">> & { until: number },
  ): Promise<BankLogin> {
    let reported: BankLogin["status"] | undefined;
    const findEnd = async () => {
      const login = await logins.read(handle);
      if (!isOpen(login) || Date.now() + POLL > until) return login;
      if (login.status !== reported) report?.(formatState(login).text);
      reported = login.status;
      return undefined;
    };
    const last = await poll(findEnd, { interval: POLL, signal });
    if (last) return last;
    throw signal.reason;
  }

  /** The result with the handle. The address is for a host that did not open the page. */
  const formatStarted = (handle: string, login: BankLogin, address?: string) => {
    const { status, text, expires_at } = formatState(login);
    return { handle, status, text: address ? texts.give : text, expires_at, ...(address && { address }) };
  };

  /** Continues the login of an equal call that the host cancelled. @returns nothing if there is none, or if it has failed. */
  async function continueLogin(name: string) {
    const earlier = logins.findGivenUp(name);
    if (!earlier) return undefined;
    const login = await logins.read(earlier.handle);
    if (isOpen(login)) return formatStarted(earlier.handle, login, earlier.address);
    logins.settle(earlier.handle);
    return login.status === "logged_in" ? formatStarted(earlier.handle, login) : undefined;
  }

  /** Hands out the handle after the host's answer. */
  async function finishStart(handle: string, answer: PageAnswer, signal: AbortSignal) {
    if (answer === "declined") {
      logins.settle(handle);
      await logins.cancel(handle);
      return { status: "refused", code: "cancelled" } as const;
    }
    const login = await logins.read(handle);
    signal.throwIfAborted();
    if (answer !== "unanswered") logins.settle(handle);
    return formatStarted(handle, login, answer === "accepted" ? undefined : logins.findAddress(handle));
  }

  return [
    defineTool({
      name: "start_bank_login",
      description:
        "Starts a login at a bank. The person logs in on a page that only the person opens: never ask for a password, a code or an answer, and never pass one to a tool. Where the result has an address, give it to the person as it is. Then call read_bank_login.",
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      input: v.strictObject({
        bank: v.pipe(v.string(), v.check(isProviderCode), describe("The bank's code, from list_banks.")),
        username: v.exactOptional(
          v.pipe(
            v.string(),
            v.nonEmpty(),
            describe("The person's user name or document number at the bank, if it is known: the form begins with it."),
          ),
        ),
      }),
      output: v.object({
        handle: v.pipe(v.string(), describe("Names the login for the other tools.")),
        status,
        text,
        expires_at: expiresAt,
        address: v.exactOptional(v.pipe(v.string(), v.url(), describe("The page, for the person to open."))),
      }),
      async run({ bank, username }, { signal, answerUntil, openPage, answered }) {
        if (answered) return finishStart(answered.name, answered.answer, signal);
        const name = JSON.stringify([bank, username]);
        const earlier = await continueLogin(name);
        if (earlier) return earlier;
        const provider = await client.getProvider(bank, { signal });
        if (provider.status !== "success") return { status: "refused", code: provider.status };
        const { handle, address } = await logins.create(
          { user: "mcp", provider: bank, locale, expiresIn, ...(username !== undefined && { username }) },
          { name, signal, answerUntil },
        );
        const answer = await openPage({
          name: handle,
          address,
          message: fillIn(texts.open, { bank: printable(provider.provider.name) }),
          waitForEnd: (signal) => waitForEnd(handle, { signal, until: Number.POSITIVE_INFINITY }),
        });
        return typeof answer === "string" ? finishStart(handle, answer, signal) : answer;
      },
    }),
    defineTool({
      name: "read_bank_login",
      description:
        "Says where a login is. It waits for its end, for less than a minute: while the status is created, opened or awaiting_interaction, call it again. A wrong password is not an end: the person tries again on the page.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: v.strictObject({ handle }),
      output: state,
      run: async ({ handle }, call) => formatState(await waitForEnd(handle, call)),
    }),
    defineTool({
      name: "end_bank_session",
      description:
        "Ends a login: cancels one that has not ended, and closes a session at the bank. Call it when the session is no longer needed.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      input: v.strictObject({ handle }),
      output: state,
      async run({ handle }) {
        const login = await logins.end(handle);
        return login.status === "refused" ? login : formatState(login);
      },
    }),
  ];
}
