import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { findFreePort } from "../free-port.ts";
import { test } from "../screens/browser/screen-page.ts";
import { packInto, pin, run, start } from "./shell.ts";
import { readTutorial } from "./tutorial.ts";

test("docs/tutorial.md leads from an empty folder to a stored key, with the packed package", async ({ open }) => {
  const { files, commands, printed } = await readTutorial();
  const [install = "", makeKeys = "", startBank = "", startShop = "", useKey = ""] = commands;
  const [bankPort, port] = [await findFreePort(), await findFreePort()];
  const folder = await packInto();
  const env = { ...process.env, PORT: String(port), NODE_OPTIONS: "" };
  const shop = { cwd: join(folder, "shop"), env };

  await run("mkdir ventanilla && mv *.tgz ventanilla", { cwd: folder, env });
  await run(await pin(install, ["xstate", "express", "jose", "node-sqlite3-wasm"]), { cwd: folder, env });
  await run(makeKeys.replace("8123", String(bankPort)), shop);
  for (const [name, text] of files) {
    await mkdir(dirname(join(shop.cwd, name)), { recursive: true });
    await writeFile(join(shop.cwd, name), text);
  }
  await start(startBank.replace("8123", String(bankPort)), shop, `http://127.0.0.1:${bankPort}`);
  const readLog = await start(startShop, shop, `Open http://localhost:${port}`);
  // On a port that is taken, nothing says "Open".
  await expect(run(startShop, shop)).rejects.toThrow("EADDRINUSE");

  const screen = await open(`http://localhost:${port}`);
  await screen.logIn("test", "12345otp", "not the password");
  await screen.waitForState("failed");
  await screen.submit({ password: "asdfg" });
  await screen.waitForState("awaitingInteraction");
  await screen.page.reload();
  await screen.answer("8888");
  await screen.page.getByText("Connected to test.").waitFor();

  const [stored = "", shown] = printed;
  expect(readLog()).toContain(stored);
  expect(await run(useKey, shop)).toBe(shown);

  const print = 'import { readSession } from "./database.js"; console.log(await readSession("ana", "test"));';
  const key = (await run(`node --env-file=.env --input-type=module --eval '${print}'`, shop)).trim();
  expect(key).toMatch(/^[\w-]{16,}$/);
  expect(await readFile(join(shop.cwd, "shop.db"), "latin1")).not.toContain(key);
  for (const secret of [key, "asdfg", "not the password", "8888"]) expect(readLog()).not.toContain(secret);
});
