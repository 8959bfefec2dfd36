import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, parseLines, runLogin, writeFakeBrowser } from "./program.ts";
import { openTerminal, openTerminalHere, type Terminal } from "./terminal.ts";

// What the sandbox's bank with a picture sends, as a file.
const isPng = (bytes: Buffer) =>
  bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")) && bytes.length === 391;

/** A terminal at a captcha, with a temporary folder of its own, and a viewer that writes down what it was to open. */
async function atCaptcha(open: (...terminal: Parameters<typeof openTerminal>) => Promise<Terminal> = openTerminalHere) {
  const [temporary, viewer, bank] = await Promise.all([ownFolder(), ownFolder(), watchedBank()]);
  const log = join(viewer, "opened");
  await writeFakeBrowser(viewer, `printf "%s" "$*" > "${log}.new" && mv "${log}.new" "${log}"`);
  const environment = { ...bank.environment, TMPDIR: temporary, PATH: `${viewer}:${process.env["PATH"]}` };
  // In this process, its own temporary folder counts.
  if (open === openTerminalHere) vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const terminal = await open(["login", "mirador_gt"], environment);
  await terminal.fillIn("captcha", "s3creto");
  await terminal.shows("Open it in a viewer?");
  const [folder = ""] = await readdir(temporary);
  const opened = () => readFile(log, "utf8").catch(() => "");
  return { terminal, temporary, picture: join(temporary, folder, "picture.png"), opened };
}

describe("a picture, in a terminal", () => {
  test("is a private file, is opened after a yes, and is deleted after the answer", async () => {
    const { terminal, temporary, picture, opened } = await atCaptcha();
    expect(terminal.written()).toContain(picture);
    expect([(await stat(picture)).mode & 0o777, (await stat(join(picture, ".."))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(isPng(await readFile(picture))).toBe(true);
    expect(await opened()).toBe("");
    terminal.type("y");
    await expect.poll(opened).toBe(picture);
    await terminal.enter("Characters in the picture", "7K4MP2");
    expect(await terminal.ended).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
    expect(terminal.written()).not.toContain("base64");
  });

  test("is not opened after a no, and each question has a file of its own", async () => {
    const { terminal, temporary, picture, opened } = await atCaptcha();
    terminal.type("n");
    await terminal.enter("Characters in the picture", "WRONG");
    await terminal.shows(/Tries so far: 1\..*Open it in a viewer\?/s);
    const [folder = ""] = await readdir(temporary);
    expect(join(temporary, folder, "picture.png")).not.toBe(picture);
    terminal.type("n");
    await terminal.enter("Characters in the picture", "7K4MP2");
    expect(await terminal.ended).toBe(0);
    expect(await opened()).toBe("");
  });

  test.each([
    ["Ctrl-C", 130],
    ["SIGTERM", 143],
  ] as const)("is deleted after %s, which cancels the login", async (by, code) => {
    const { terminal, temporary } = await atCaptcha(by === "Ctrl-C" ? openTerminalHere : openTerminal);
    if ("signal" in terminal) terminal.signal("SIGTERM");
    else terminal.press("Ctrl-C");
    expect(await terminal.ended).toBe(code);
    expect(await readdir(temporary)).toEqual([]);
  });
});

describe("a confirmation, in a terminal", () => {
  test.each([
    ["is sent after a yes", "y", 0, [undefined, "confirmed"]],
    ["is not sent after a no", "n", 4, [undefined]],
  ])("%s", async (_, key, code, sent) => {
    const bank = await watchedBank();
    const terminal = await openTerminalHere(["login", "mirador_gt"], bank.environment);
    await terminal.fillIn("confirm", "s3creto");
    await terminal.shows(/Confirme el ingreso en la app de Banco Mirador.*Have you confirmed\?/s);
    terminal.type(key);
    expect(await terminal.ended).toBe(code);
    expect(bank.sent("app_confirmation")).toEqual(sent);
  });
});

const script = (username: string, ...more: readonly string[]) =>
  runLogin("mirador_gt", { username, password: "s3creto" }, more);

describe("in a script", () => {
  test.each([
    ["captcha", { kind: "picture", field: "captcha", context: expect.stringMatching(/^data:image\/png;base64,iVBOR/) }],
    ["drawing", { kind: "picture", field: "captcha", context: expect.stringMatching(/^data:image.svg/) }],
    ["confirm", { kind: "confirmation", field: "app_confirmation" }],
    ["channel", { kind: "choices", field: "channel", choices: [{ value: "mobile" }, { value: "mail" }] }],
  ])("--json prints the kind of the interaction: %s", async (username, line) => {
    const { code, stdout } = await script(username, "--json");
    expect(code).toBe(7);
    expect(parseLines(stdout)).toMatchObject([{ state: "awaiting_interaction", ...line }]);
  });

  test("--json prints all fields that are asked for at once", async () => {
    const { code, stdout } = await runLogin("cerrojo_sv", { username: "both", password: "s3creto" }, ["--json"]);
    expect(code).toBe(7);
    expect(parseLines(stdout)).toMatchObject([{ field: "otp", fields: ["otp", "token"] }]);
  });

  test("standard error has words in place of the bytes of a picture", async () => {
    const { stderr } = await script("captcha");
    expect(stderr).toContain("Type the characters that the picture shows.");
    expect(stderr).not.toContain("data:");
  });

  test("an answer command gets the kind, and the picture as a file that is deleted afterwards", async () => {
    const folder = await ownFolder();
    const program = join(folder, "solve");
    const lines = [
      "#!/bin/sh",
      `cp "$VENTANILLA_PICTURE" "${folder}/copy" && stat -c %a "$VENTANILLA_PICTURE" > "${folder}/mode"`,
      `printf %s "$VENTANILLA_KIND:$VENTANILLA_QUESTION:$VENTANILLA_PICTURE" > "${folder}/request"`,
      `head -c 22 > "${folder}/input"`,
      "echo 7K4MP2",
    ];
    await writeFile(program, lines.join("\n"), { mode: 0o755 });
    const { code } = await script("captcha", "--answer-command", program);
    expect(code).toBe(0);
    const read = (name: string) => readFile(join(folder, name), "utf8");
    expect(isPng(await readFile(join(folder, "copy")))).toBe(true);
    expect(await read("mode")).toBe("600\n");
    expect(await read("input")).toBe("data:image/png;base64,");
    const [kind, question, picture = ""] = (await read("request")).split(":");
    expect([kind, question]).toEqual(["picture", ""]);
    await expect(stat(picture)).rejects.toThrow("ENOENT");
  });
});
