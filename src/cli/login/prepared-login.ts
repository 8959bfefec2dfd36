import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import {
  createMemoryClaimStore,
  InputError,
  type LoginHandlers,
  type LoginOutcome,
  type ProviderDetail,
  resume,
  type Secret,
  TokenError,
} from "../../index.ts";
import { readErrorCode, readText, realPath, syncFolder, toFileFault } from "../settings/private-files.ts";
import type { LoginSettings } from "./login-settings.ts";

/** A login that is ready to be sent. */
export interface PreparedLogin {
  /** Empty for a login that is resumed: its token names the bank. */
  readonly provider: string;
  /** The bank's form; `undefined` for a login that is resumed. */
  readonly detail: ProviderDetail | undefined;
  /** Sends it, and after wrong credentials again if the person types in others. */
  start(handlers: LoginHandlers): Promise<LoginOutcome>;
  /**
   * Deletes the file of a resumed login, if that was not done before: just before its answer is sent, and before it is in another file,
   * so that it can't be sent again.
   */
  consumeFile(): Promise<void>;
}

/** A paused login, resumed from its file. */
export async function preparePausedLogin(path: string, settings: LoginSettings): Promise<PreparedLogin> {
  // Only a file can be deleted after its use.
  if (path === "-") {
    throw new InputError("invalid_input", { field: "--resume", detail: "must be a file, which is used up" });
  }
  if (settings.values["replace-session"]) {
    const detail = "goes with the command that pauses";
    throw new InputError("invalid_input", { field: "--replace-session", detail });
  }
  // Not the name, which may be a link: the token itself is used up.
  const file = await realPath("--resume", path);
  const token = (await readText("--resume", file, settings.program)).trim();
  // The file makes the token single-use: the command can be interrupted and run again until the file is deleted.
  const claimStore = createMemoryClaimStore();
  let isUsedUp = false;
  return {
    provider: "",
    detail: undefined,
    start: (handlers) =>
      resume(settings.service.client, token, { key: settings.sealKey as Secret, claimStore, ...handlers }),
    async consumeFile() {
      if (isUsedUp) return;
      await unlink(file).catch((error: unknown) => {
        // Another command has used it up.
        throw readErrorCode(error) === "ENOENT" ? new TokenError("token_used") : toFileFault("--resume", error);
      });
      await syncFolder(dirname(file));
      isUsedUp = true;
    },
  };
}
