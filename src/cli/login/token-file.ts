import { unlink } from "node:fs/promises";
import { TokenError } from "../../index.ts";
import { fileFault } from "../settings/files.ts";

/**
 * Uses a paused login up: its file is taken away just before the answer is sent, so that it can't be sent again from there.
 *
 * @throws {TokenError} `token_used` where somebody else was faster.
 */
export async function takeToken(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw new TokenError("token_used");
    throw fileFault("--resume", error);
  }
}
