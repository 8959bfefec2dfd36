import { login, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import {
  API_KEY,
  asks,
  expectedSecret,
  loggedIn,
  person,
  selectClient,
  sessionKey,
  startSandbox,
  startService,
  unasked,
} from "../bank/service.ts";

describe("a login that needs no answer", () => {
  test("is one request, to the letter", async () => {
    const service = await startService([loggedIn("key-1")]);
    const outcome = await login(service.client(), {
      ...person,
      fields: { company_code: "77/01", type: "cédula" },
      onInteraction: unasked,
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["POST /login/"]);
    expect(service.requests[0]?.headers).toMatchObject({
      "x-api-key": API_KEY,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(service.requests[0]?.form).toEqual({
      provider: "test",
      username: "ana",
      password: "hunter two",
      company_code: "77/01",
      type: "cédula",
    });
  });

  test("takes secrets as well as plain texts", async () => {
    const service = await startService([loggedIn("key-1")]);
    await login(service.client(), {
      provider: "test",
      username: secret("ana"),
      password: secret(" p&ss=wörd\n"),
      fields: { type: secret("pers") },
      onInteraction: unasked,
    });
    expect(service.requests[0]?.form).toEqual({
      provider: "test",
      username: "ana",
      password: " p&ss=wörd\n",
      type: "pers",
    });
  });

  test("gives a key that lists where the session can transfer to", async () => {
    const sandbox = await startSandbox();
    const client = sandbox.client();
    const outcome = await login(client, {
      provider: "test",
      username: "12345",
      password: "gfdsa",
      onInteraction: unasked,
    });
    expect(sandbox.lines()).toEqual(["POST /login/"]);
    expect(await client.listTransferDestinations(sessionKey(outcome))).toMatchObject({ status: "success" });
  });

  test("without a key at all is against the contract", async () => {
    const service = await startService([loggedIn()]);
    await expect(login(service.client(), { ...person, onInteraction: unasked })).rejects.toMatchObject({
      name: "ContractError",
      code: "response_against_contract",
      field: "key",
    });
  });
});

describe("a login with an interaction", () => {
  test("is two requests: the second has the key, the same provider, username and password, and the answer alone", async () => {
    const service = await startService([asks("otp", "key of the question"), loggedIn("key-2")]);
    const outcome = await login(service.client(), {
      ...person,
      fields: { company_code: "7701" },
      onInteraction: () => "8888",
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-2") });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key+of+the+question"]);
    expect(service.requests.map(({ form }) => form)).toEqual([
      { provider: "test", username: "ana", password: "hunter two", company_code: "7701" },
      { provider: "test", username: "ana", password: "hunter two", otp: "8888" },
    ]);
  });

  test("sends the key in a header where the client is told to", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    await login(service.client({ sessionKeyIn: "header" }), { ...person, onInteraction: () => "8888" });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/"]);
    expect(service.requests.map(({ headers }) => headers["x-session-key"])).toEqual([undefined, "key-1"]);
  });

  test("keeps the key of the interaction where the second answer has none", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn()]);
    const outcome = await login(service.client(), { ...person, onInteraction: () => "8888" });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
  });

  test("asks one question after the other, each answered with the key at hand", async () => {
    const service = await startService([asks("pet", "key-1"), asks("otp"), asks("token", "key-3"), loggedIn("key-4")]);
    const outcome = await login(service.client(), {
      ...person,
      onInteraction: ({ field, number }) => `${field} ${number}`,
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-4") });
    expect(service.lines()).toEqual([
      "POST /login/",
      "POST /login/?key=key-1",
      "POST /login/?key=key-1",
      "POST /login/?key=key-3",
    ]);
    const same = { provider: "test", username: "ana", password: "hunter two" };
    expect(service.requests.slice(1).map(({ form }) => form)).toEqual([
      { ...same, pet: "pet 1" },
      { ...same, otp: "otp 2" },
      { ...same, token: "token 3" },
    ]);
  });

  test("may end with a choice of clients, and with the key that goes with it", async () => {
    const service = await startService([asks("otp", "key-1"), selectClient("key-2")]);
    const outcome = await login(service.client(), { ...person, onInteraction: () => "8888" });
    expect(outcome).toEqual({ status: "select_client", provider: "test", key: expectedSecret("key-2") });
    expect(service.requests).toHaveLength(2);
  });

  test("without a key to answer with is against the contract, and nobody is asked", async () => {
    const service = await startService([asks("otp")]);
    await expect(login(service.client(), { ...person, onInteraction: unasked })).rejects.toMatchObject({
      name: "ContractError",
      code: "response_against_contract",
      field: "key",
    });
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    { provider: "test", username: "12345otp", password: "asdfg", answers: { otp: "8888" } },
    { provider: "test", username: "12345pq", password: "asdfg", answers: { personal_question: "8888" } },
    { provider: "brou_pers_uy_mock", username: "12345", password: "asdfg", answers: { token: "prometeo" } },
    {
      provider: "vicuna_pe",
      username: "chain",
      password: "s3creto",
      answers: { personal_question: "arequipa", token: "531975" },
    },
    {
      provider: "vicuna_pe",
      username: "chainsame",
      password: "s3creto",
      answers: { personal_question: "arequipa", token: "531975" },
    },
    {
      provider: "ipe_br",
      username: "keyless",
      password: "s3creto",
      fields: { type: "smes" },
      answers: { otp: "802468" },
    },
    {
      provider: "ipe_br",
      username: "samekey",
      password: "s3creto",
      fields: { type: "smes" },
      answers: { otp: "802468" },
    },
  ])("leaves $provider/$username with a session, one request per answer", async ({ answers, ...credentials }) => {
    const sandbox = await startSandbox();
    const client = sandbox.client();
    const outcome = await login(client, {
      ...credentials,
      onInteraction: ({ field }) => new Map(Object.entries(answers)).get(field),
    });
    expect(sandbox.requests).toHaveLength(1 + Object.keys(answers).length);
    expect(await client.listTransferDestinations(sessionKey(outcome))).toMatchObject({ status: "success" });
  });
});
