import { BankError, type Secret, secret } from "../../../index.ts";
import { parseSeconds, readProvider } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import { checkWritable, firstLine, readInput, readSecretText } from "../settings/private-files.ts";
import { connectService, type Service, type ServiceContext } from "../settings/service-settings.ts";
import { readSealKeys } from "../settings/session-key.ts";
import { Spinner } from "../terminal/spinner.ts";
import { checkAnswerProgram } from "./answer-program.ts";
import { type KnownCredentials, readCredentials } from "./credentials-file.ts";
import type { LoginValues } from "./login-options.ts";

export type LoginSettings = Awaited<ReturnType<typeof readLoginSettings>>;

export type LoginContext = ServiceContext & { readonly values: LoginValues };

/** Checks all options before the first request, and before a file is used up. */
export async function readLoginSettings(context: LoginContext) {
  const { values, program } = context;
  const provider = readProvider(values);
  const service = await connectService(context);
  const known = await readKnownCredentials(values, program, service);
  const sealKey = await readNeededSealKey(values, program, service);
  const timeout = parseSeconds("--answer-timeout", values["answer-timeout"]);
  await checkAnswerProgram(values["answer-command"], program);
  for (const name of ["key-to", "pause-to", "record"] as const) await checkWritable(`--${name}`, values[name]);
  const client = values.client ?? known.client;
  const spinner = new Spinner(program.stderr);
  return { values, provider, program, service, known, client, sealKey, timeout, spinner };
}

/** The credentials from a file, standard input and the environment. */
async function readKnownCredentials(
  values: LoginValues,
  program: ProgramContext,
  { output }: Service,
): Promise<KnownCredentials> {
  const path = values["credentials-from"];
  const file: KnownCredentials =
    path === undefined
      ? { fields: {}, answers: {} }
      : readCredentials(await readSecretText("--credentials-from", path, program, output), "credentials");
  const username = program.environment["VENTANILLA_USERNAME"];
  const password = values["password-stdin"] ? firstLine(await readInput(program)) : undefined;
  if (password === "") throw new BankError("missing_field", { field: "--password-stdin" });
  return {
    ...file,
    ...(username && !file.username && { username: secret(username) }),
    ...(password !== undefined && { password: secret(password) }),
  };
}

async function readNeededSealKey(
  values: LoginValues,
  program: ProgramContext,
  { host, output }: Service,
): Promise<readonly Secret[] | undefined> {
  const pausing =
    values.resume !== undefined ? "--resume" : values["pause-to"] !== undefined ? "--pause-to" : undefined;
  if (!pausing && !values.seal) return undefined;
  if (pausing && host === undefined) {
    const detail = "the embedded sandbox ends with this command; start ventanilla sandbox and set --base-url";
    throw new BankError("invalid_input", { field: pausing, detail });
  }
  return readSealKeys(values, program, output);
}
