import process from "node:process";
import { play, type Task } from "./play.ts";

// The program that runs on each platform: tasks come in, endings go out.
let given = "";
for await (const chunk of process.stdin) given += String(chunk);
process.stdout.write(JSON.stringify(await play(JSON.parse(given) as Task[], "api-key")));
