import type { Done, Task } from "./thread.ts";

/** Runs a part of the schedules in a thread of its own. @param file a bundle of the simulation. */
export function runThread(file: string, task: Task): Promise<Done>;
