import process from "node:process";
import { play, type Task } from "./play.ts";

// The program that runs on each platform: it reads tasks, and prints their results.
let input = "";
for await (const chunk of process.stdin) input += String(chunk);
process.stdout.write(JSON.stringify(await play(JSON.parse(input) as Task[], "api-key")));
