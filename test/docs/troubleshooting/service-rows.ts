import { type CredentialTexts, createBankClient, type LoginOptions, login, resume } from "ventanilla";
import { expect } from "vitest";
import { type Reply, startSandbox } from "../../bank/service.ts";
import { readFault } from "../../core/api/faults.ts";
import { clientThatReads, LOCAL_URL } from "../../core/api/local-bank.ts";
import { describe, type Row } from "./row.ts";

const plain = { provider: "test", username: "12345", password: "gfdsa" };
const code = { provider: "test", username: "12345otp", password: "asdfg" };
const website: Reply = { text: "<!doctype html><title>Welcome</title>" };
const refused = (http: number): Reply => ({ http, text: "<html>" });

/** A login at an address that is not the service's. The message names the address. */
async function logInAt(reply: Reply, options: LoginOptions = {}) {
  const fault = await readFault(login(clientThatReads(reply), plain, options));
  expect(fault.message).toContain(LOCAL_URL);
  return fault;
}

const failureOf = async (credentials: CredentialTexts, options: LoginOptions = {}) => {
  const sandbox = await startSandbox();
  const outcome = await login(sandbox.client(), credentials, options);
  return [`\`${outcome.state === "failed" ? outcome.failure.code : outcome.state}\``];
};

export const service: readonly Row[] = [
  {
    row: '`invalid_input` with `field: "apiKey"`',
    async happen() {
      const variable = process.env["VENTANILLA_NO_SUCH_KEY"] as string;
      const create = async () => createBankClient({ baseUrl: LOCAL_URL, apiKey: variable });
      const { code, field } = await readFault(create());
      return [`\`${code}\``, `\`field: "${field}"\``];
    },
  },
  {
    row: "`http_failed` with HTTP 401 or 403",
    async happen() {
      const [first, second] = [await logInAt(refused(401)), await logInAt(refused(403))];
      return [`\`${first.code}\` with HTTP ${first.httpStatus} or ${second.httpStatus}`, `\`${second.code}\``];
    },
  },
  {
    row: "`http_failed` with HTTP 404 from the service",
    happen: async () => describe(await logInAt(refused(404))),
  },
  {
    row: "`response_unreadable`",
    async happen() {
      const { code, detail = "" } = await logInAt(website);
      return [`\`${code}\``, detail];
    },
  },
  {
    row: "`outcome_unknown`, `detail`",
    async happen() {
      const faults = [
        await logInAt(refused(403), { settings: { validate: false } }),
        await logInAt(website, { settings: { validate: false } }),
      ];
      return faults.flatMap(({ code, detail }) => [`\`${code}\``, `\`${detail?.split(":")[0]}\``]);
    },
  },
  {
    row: "`wrong_credentials`, and the password is right",
    happen: () =>
      failureOf({ provider: "ceibo_ar", username: "personal", password: "s3creto", fields: { type: "corp" } }),
  },
  {
    row: "`expired`",
    happen: () => failureOf(code, { settings: { answerTimeout: 1 }, onInteraction: () => new Promise(() => {}) }),
  },
  {
    row: "`handler_failed`",
    async happen() {
      const cause = new Error("mine");
      const onInteraction = () => {
        throw cause;
      };
      const sandbox = await startSandbox();
      const fault = await readFault(login(sandbox.client(), code, { onInteraction }));
      expect(fault).toMatchObject({ field: "onInteraction", cause });
      expect(JSON.stringify(fault)).not.toContain("mine");
      return describe(fault);
    },
  },
  {
    row: "The bank asks for the same code again",
    async happen() {
      const repeats: boolean[] = [];
      const sandbox = await startSandbox();
      await login(
        sandbox.client(),
        { provider: "quetzal_mx", username: "otp", password: "s3creto" },
        {
          onInteraction: ({ isRepeat }) => (repeats.push(isRepeat) < 2 ? "111111" : null),
        },
      );
      expect(repeats).toEqual([false, true]);
      return ["again and again"];
    },
  },
  {
    row: "`token_invalid`",
    async happen() {
      const sandbox = await startSandbox();
      const key = "K".repeat(43).concat("=");
      const outcome = await login(sandbox.client(), code);
      if (outcome.state !== "awaitingInteraction") throw new Error(outcome.state);
      const token = await outcome.pause({ key });
      const { code: seen, detail = "" } = await readFault(resume(sandbox.client(), token.slice(0, -20), { key }));
      return [`\`${seen}\``, detail];
    },
  },
];
