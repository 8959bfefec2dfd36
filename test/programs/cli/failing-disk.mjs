// Loaded into the command before it starts. At a line that it writes it is killed, or its disk waits or is full until a file is there.
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const { line, action, until } = JSON.parse(process.env.TEST_DISK);
const file = await open("/dev/null");
const prototype = Object.getPrototypeOf(file);
await file.close();
const { appendFile, datasync } = prototype;
const hit = new WeakSet();
const kill = () => process.kill(process.pid, "SIGKILL");

prototype.appendFile = async function (text, ...more) {
  if (new RegExp(line).test(text)) {
    if (action === "kill before") kill();
    if (action === "kill after") hit.add(this);
    while (action === "wait" && !existsSync(until)) await setTimeout(5);
    if (action === "full" && !existsSync(until)) {
      // As much as there is room for.
      await appendFile.call(this, text.slice(0, 20), ...more);
      throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    }
  }
  return appendFile.call(this, text, ...more);
};

prototype.datasync = async function () {
  await datasync.call(this);
  if (hit.has(this)) kill();
};
