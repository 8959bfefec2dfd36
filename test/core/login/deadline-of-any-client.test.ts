import { type BankClient, BankError, createBankClient, describeFailure } from "ventanilla";
import { expect, onTestFinished, test, vi } from "vitest";
import { loginUnread } from "../../bank/service.ts";

const person = { provider: "test", username: "ana", password: "1234" };

/** A bank that never responds, and clients for it: each reads less of its options. */
function openSlowBank() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  let posted = 0;
  const own = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: "key",
    timeout: { login: 600_000 },
    fetch: () => {
      posted += 1;
      return new Promise(() => {});
    },
  });
  const clients: Readonly<Record<string, BankClient>> = {
    own,
    "that ignores the deadline": {
      ...own,
      login: (fields, { deadline: _, ...options } = {}) => own.login(fields, options),
    },
    "that ignores the signal too": {
      ...own,
      login: (fields, options) => {
        if (options?.signal) signals.push(options.signal);
        return own.login(fields);
      },
    },
  };
  return { clients, signals, countPosted: () => posted };
}

test.each(["own", "that ignores the deadline", "that ignores the signal too"])(
  "a client %s ends at the deadline, and says that the bank may have got it",
  async (name) => {
    const { clients, signals, countPosted } = openSlowBank();
    const client = clients[name];
    if (!client) throw new Error(name);
    const outcome = loginUnread(client, person, { settings: { deadline: Date.now() + 1_500 } }).catch(
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(1_499);
    expect(await Promise.race([outcome, Promise.resolve("waits")])).toBe("waits");
    await vi.advanceTimersByTimeAsync(1);
    const fault = await outcome;
    if (!(fault instanceof BankError)) throw new Error(`${fault}`);
    expect(fault).toMatchObject({ code: "request_timed_out", request: "POST /login/" });
    expect(describeFailure(fault, "en").text).toContain(
      "If you were logging in, your details may have reached the bank.",
    );
    expect(countPosted()).toBe(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual(name === "that ignores the signal too" ? [true] : []);
  },
);

test("after the deadline nothing is sent, whatever the client", async () => {
  const { clients, countPosted } = openSlowBank();
  for (const client of Object.values(clients)) {
    const ended = loginUnread(client, person, { settings: { deadline: Date.now() - 1 } });
    await expect(ended).rejects.toMatchObject({ code: "request_timed_out" });
  }
  expect(countPosted()).toBe(0);
});
