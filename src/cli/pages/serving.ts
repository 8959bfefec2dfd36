import { type Output, paint, type Text } from "../terminal/output.ts";

/** Something that listens on this machine. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Says where something listens, and serves it until the command is stopped. */
export async function serveUntilStopped(
  { url, close }: Served,
  output: Output,
  signal: AbortSignal,
  { details = {}, lines = [] }: { details?: object; lines?: readonly Text[] } = {},
): Promise<"success"> {
  output.result({ status: "listening", url, ...details }, `${output.text("listening")} ${url}`, ...lines);
  output.say(paint("dim", output.text("stopWith")));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await close();
  return "success";
}
