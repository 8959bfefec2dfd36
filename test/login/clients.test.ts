import { type ClientEntry, type LoginOptions, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret, type Line, person, selectClient, startService } from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Second Client" } } };
const chosen = (key?: string) => ({ json: { status: "success", key } });

const choosing = { onSelectClient: () => "0" };
const refused = { http: 403, json: { status: "user_blocked" } };
const blocked = { status: "user_blocked", httpStatus: 403 };
const tooMany = { http: 403, json: { status: "max_sessions_reached", key: "other" } };
const isOpenElsewhere = { status: "max_sessions_reached", httpStatus: 403, key: expectedSecret("other") };

test.each<[what: string, options: Partial<LoginOptions>, script: readonly Line[], outcome: object]>([
  ["without a selection", {}, [selectClient("key-1")], { status: "select_client", key: expectedSecret("key-1") }],
  [
    "with a new key of the choice",
    choosing,
    [selectClient("key-1"), clients, chosen("key-2")],
    { status: "logged_in", key: expectedSecret("key-2") },
  ],
  ["whose list is refused", choosing, [selectClient("key-1"), refused], blocked],
  ["whose choice is refused", choosing, [selectClient("key-1"), clients, refused], blocked],
  ["beside a session of the same user", {}, [tooMany], isOpenElsewhere],
  ["beside a session that can't be closed", { sessionReplacement: true }, [tooMany, refused], blocked],
])("the outcome of a login %s", async (_, options, script, outcome) => {
  const service = await startService(script);
  expect(await login(service.client(), { ...person, ...options })).toStrictEqual({ provider: "test", ...outcome });
});

describe("onSelectClient", () => {
  test("gets the clients and chooses one; the session key stays the same", async () => {
    const service = await startService([selectClient("key-1"), clients, chosen()]);
    const shown: (readonly ClientEntry[])[] = [];
    const outcome = await login(service.client(), {
      ...person,
      onSelectClient: async (choices, { signal }) => {
        expect(signal.aborted).toBe(false);
        shown.push(choices);
        return "FIC-7";
      },
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(shown).toEqual([
      [
        { id: "0", name: "First Client" },
        { id: "FIC-7", name: "Second Client" },
      ],
    ]);
    expect(service.lines()).toEqual(["POST /login/", "GET /client/?key=key-1", "GET /client/FIC-7/?key=key-1"]);
  });

  test("can't choose an id that is unsafe in a path, and nothing is sent", async () => {
    const odd = { json: { status: "success", clients: { "..": "Dots" } } };
    const service = await startService([selectClient("key-1"), odd, chosen()]);
    await expect(login(service.client(), { ...person, onSelectClient: () => ".." })).rejects.toMatchObject({
      name: "InputError",
      code: "invalid_input",
      field: "client",
    });
    expect(service.requests).toHaveLength(2);
  });
});
