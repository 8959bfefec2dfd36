import { BankError, ContractError, HandlerError, type LoginHandlers, type LoginState, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, promised, selectClient, startService } from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };

const key = Buffer.alloc(32, 1).toString("base64");
const own = new TypeError("no code came");
const throwing = () => {
  throw own;
};
const rejecting = () => Promise.reject(own);

async function readFault(outcome: Promise<unknown>): Promise<HandlerError> {
  const fault = await outcome.catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(HandlerError);
  return fault as HandlerError;
}

describe("a handler that throws", () => {
  test.each([
    ["onInteraction that throws", "onInteraction", { onInteraction: throwing }, [asks("otp", "key-1")]],
    ["onInteraction that rejects", "onInteraction", { onInteraction: rejecting }, [asks("otp", "key-1")]],
    ["onSelectClient that throws", "onSelectClient", { onSelectClient: throwing }, [selectClient("key-1"), clients]],
    ["onSelectClient that rejects", "onSelectClient", { onSelectClient: rejecting }, [selectClient("key-1"), clients]],
  ] as const)("%s ends the login, and its error is the cause", async (_, field, handler, script) => {
    const service = await startService([...script, loggedIn("key-2")]);
    const states: LoginState[] = [];
    const error = await readFault(
      login(service.client(), {
        ...person,
        ...handler,
        onTransition: (state) => states.push(state),
      }),
    );
    expect({ ...error, name: error.name }).toEqual({
      name: "HandlerError",
      code: "handler_failed",
      field,
      detail: "threw TypeError",
    });
    expect(error.message).toBe(`handler_failed: ${field}: threw TypeError`);
    expect(error.cause).toBe(own);
    expect(service.requests).toHaveLength(script.length);
    expect(["awaitingInteraction", "selectClient.choosing"]).toContain(states.at(-1));
  });

  test("a BankError is passed on unchanged", async () => {
    const service = await startService([asks("otp", "key-1")]);
    const fault = new ContractError("response_unreadable");
    await expect(login(service.client(), { ...person, onInteraction: () => Promise.reject(fault) })).rejects.toBe(
      fault,
    );
  });

  test.each(["idle", "submitting", "awaitingInteraction"] as const)(
    "onTransition that throws at %s ends the login",
    async (end) => {
      const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
      const states: LoginState[] = [];
      const onInteraction = vi.fn(() => "8888");
      const error = await readFault(
        login(service.client(), {
          ...person,
          onInteraction,
          onTransition: (state) => {
            states.push(state);
            if (state === end) throwing();
          },
        }),
      );
      expect({ ...error, name: error.name }).toEqual({
        name: "HandlerError",
        code: "handler_failed",
        field: "onTransition",
        detail: "threw TypeError",
      });
      expect(states.at(-1)).toBe(end);
      expect(states).toHaveLength(1 + ["idle", "submitting", "awaitingInteraction"].indexOf(end));
      expect(onInteraction).not.toHaveBeenCalled();
      expect(service.requests).toHaveLength(end === "awaitingInteraction" ? 1 : 0);
    },
  );

  test("onTransition that throws at failed makes the login reject", async () => {
    const service = await startService([{ json: { status: "wrong_credentials" } }]);
    const onTransition = (state: LoginState) => state === "failed" && throwing();
    const error = await readFault(login(service.client(), { ...person, onTransition }));
    expect(error.field).toBe("onTransition");
  });

  test.each(["@xstate.actor", "@xstate.event", "@xstate.snapshot", "@xstate.microstep"])(
    "inspect that throws at %s makes the login reject",
    async (type) => {
      const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
      const inspect = (event: { type: string }) => {
        if (event.type === type) throwing();
      };
      const error = await readFault(login(service.client(), { ...person, onInteraction: () => "8888", inspect }));
      expect([error.code, error.field]).toEqual(["handler_failed", "inspect"]);
    },
  );

  test("the signal of a handler that throws is aborted", async () => {
    const service = await startService([asks("otp", "key-1")]);
    const called = promised<AbortSignal>();
    const error = login(service.client(), {
      ...person,
      onInteraction: async (_, { signal }) => {
        called.keep(signal);
        throw new BankError("unexpected_fault");
      },
    }).catch((fault: unknown) => fault);
    await error;
    expect((await called.promise).aborted).toBe(true);
  });
});

test.each<[use: string, status: string, sent: number, onInteraction: NonNullable<LoginHandlers["onInteraction"]>]>([
  ["answers with", "logged_in", 2, async (_, { outcome }) => void (await outcome.answer("8888"))],
  ["answers with, at once,", "logged_in", 2, (_, { outcome }) => void outcome.answer("8888")],
  ["cancels", "cancelled", 1, async (_, { outcome }) => void (await outcome.cancel())],
  ["pauses", "interaction_required", 1, async (_, { outcome }) => void (await outcome.pause({ key }))],
])("a handler that %s its outcome ends the wait of login() too", async (_, status, sent, onInteraction) => {
  const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
  expect(await login(service.client(), { ...person, onInteraction })).toMatchObject({ status });
  expect(service.requests).toHaveLength(sent);
});
