import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { HostedEnd, HostedLogin } from "../../../servers/hosted/index.ts";
import { flag, option, parseSeconds, readProvider } from "../arguments.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { CommandResult } from "../exit-codes.ts";
import { openPrivately } from "../local-pages.ts";
import { keyOptions } from "../login/login-options.ts";
import { reportLogin } from "../login/login-report.ts";
import { openLocalLogins } from "../serve/local-logins.ts";
import { pageOptions } from "../serve/page-options.ts";
import { checkWritable } from "../settings/private-files.ts";
import { openRefusals, refusalOptions } from "../settings/refusals.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSealKeys, sealOptions } from "../settings/session-key.ts";
import { paint } from "../terminal/output.ts";

// Milliseconds in which the page loads once more and shows that it is done.
const LAST_PAGE = 3_000;

// Milliseconds between two checks for expiry.
const SWEEP = 1_000;

const options = {
  code: { type: "positional", description: "The bank's code; without it the person chooses", required: false },
  provider: option("code", "The bank's code, in place of CODE"),
  "expires-in": option("seconds", "Seconds in which the person can begin and answer", { default: "900" }),
  open: flag("Open the address in a browser; without it the address is printed"),
  ...pageOptions,
  ...refusalOptions,
  ...keyOptions,
  ...sealOptions,
  ...serviceOptions,
} as const;

export const link = defineCommand({
  description: "Log in on a page in the browser of this machine",
  options,
  examples: [
    ["ventanilla link --open", "a person chooses the bank and logs in on the page"],
    [
      "VENTANILLA_USERNAME=12345 ventanilla link --provider test --key-to session.key",
      "logs in again: the page asks only for the password",
    ],
  ],
  run: waitForLogin,
});

/** Makes one session, prints its address, and reports its end as `login` does. */
async function waitForLogin({ values, program, output }: CommandContext<typeof options>): Promise<CommandResult> {
  const { signal, environment } = program;
  const bank = readProvider(values);
  const service = await connectService({ values, program, output });
  const sealKey = values.seal ? await readSealKeys(values, program, output) : undefined;
  const expiresIn = parseSeconds("--expires-in", values["expires-in"]);
  await checkWritable("--key-to", values["key-to"]);
  const events = new EventEmitter<{ end: [HostedEnd]; lastPage: [] }>();
  const refusals = await openRefusals({ values, program, output });
  const { hosted, drain, close } = await openLocalLogins({
    ...(refusals.memory && { refusals: refusals.memory }),
    client: service.client,
    clientSelection: values["client-selection"],
    onEnd: (end) => void events.emit("end", end),
    onResponse: ({ status }) => void (status === 410 && events.emit("lastPage")),
  });
  try {
    const username = environment["VENTANILLA_USERNAME"] || undefined;
    const { id, url } = await hosted.create({
      user: "command",
      locale: output.locale,
      expiresIn,
      ignoreKnownRefusal: values["ignore-known-refusal"],
      ...(bank !== undefined && { provider: bank }),
      ...(username !== undefined && { username }),
    });
    const ended = once(events, "end") as Promise<[HostedEnd]>;
    const shown = once(events, "lastPage");
    // Standard output is reserved for the key.
    if (output.json) output.result({ state: "listening", url });
    else output.say(`${output.text("openLink")} ${url}`);
    output.say(paint("dim", output.text("stopWith")));
    if (values.open) openPrivately(url, environment);
    const [{ status, provider, failure }] = await waitForEnd(hosted, id, ended, signal);
    const key = status === "logged_in" ? await hosted.takeKey(id, { idempotencyKey: id }) : undefined;
    const report = { status: status === "failed" ? (failure ?? "unexpected_fault") : status, provider, key };
    const reported = await reportLogin(report, { values, program, service, sealKey });
    if (!signal.aborted && status !== "expired") await Promise.race([shown.then(drain), wait(LAST_PAGE)]);
    return reported;
  } finally {
    await close();
    await refusals.close();
  }
}

/** How a session ended: the person's doing, expiry, or a signal. */
async function waitForEnd(hosted: HostedLogin, id: string, ended: Promise<[HostedEnd]>, signal: AbortSignal) {
  const cancel = () => void hosted.cancel(id);
  const sweeping = setInterval(hosted.sweep, SWEEP);
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    return await ended;
  } finally {
    signal.removeEventListener("abort", cancel);
    clearInterval(sweeping);
  }
}
