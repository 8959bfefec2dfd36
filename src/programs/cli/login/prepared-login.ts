import { unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LoginHandlers } from "../../../core/login/handlers.ts";
import { syncFolder } from "../../../core/tokens/folder-store.ts";
import type { Store } from "../../../core/tokens/store.ts";
import { BankError, type LoginOutcome, type ProviderDetail, resume, type Secret } from "../../../index.ts";
import { findStateFolder } from "../settings/config-file.ts";
import { openFolderStore, readErrorCode, readText, realPath, toFileFault } from "../settings/private-files.ts";
import type { LoginSettings } from "./login-settings.ts";

export interface PreparedLogin {
  /** Empty for a login that is resumed: its token names the bank. */
  readonly provider: string;
  /** The bank's form; `undefined` for a login that is resumed. */
  readonly detail: ProviderDetail | undefined;
  /** Sends it, and sends it again if the credentials were wrong and the person types others. */
  start(handlers: LoginHandlers): Promise<LoginOutcome>;
  /**
   * Deletes the file of a resumed login, once: just before its answer is sent, and before it is written to another file, so that
   * neither its file nor a copy can be sent again.
   */
  consumeFile(): Promise<void>;
}

/** A paused login, resumed from its file. */
export async function preparePausedLogin(path: string, settings: LoginSettings): Promise<PreparedLogin> {
  // Only a file can be deleted after use.
  if (path === "-") {
    throw new BankError("invalid_input", { field: "--resume", detail: "must be a file, which is used up" });
  }
  if (settings.values["replace-session"]) {
    const detail = "goes with the command that pauses";
    throw new BankError("invalid_input", { field: "--replace-session", detail });
  }
  // Not the given name, which may be a link: the token's own file is deleted.
  const file = await realPath("--resume", path);
  const token = (await readText("--resume", file, settings.program)).trim();
  const used = await openFolderStore("state folder", join(findStateFolder(settings.program.environment), "claims"));
  // Claimed when the file is deleted, not before: until then the command can be interrupted and run again.
  let use: Parameters<Store["swap"]> | undefined;
  const claimStore: Store = {
    ...used,
    swap(...claimed) {
      use = claimed;
      return true;
    },
  };
  return {
    provider: "",
    detail: undefined,
    start: (handlers) =>
      resume(settings.service.client, token, { key: settings.sealKey as readonly Secret[], claimStore, ...handlers }),
    async consumeFile() {
      if (!use) return;
      await unlink(file).catch((error: unknown) => {
        // Another command has deleted it.
        throw readErrorCode(error) === "ENOENT" ? new BankError("token_used") : toFileFault("--resume", error);
      });
      await syncFolder(dirname(file));
      try {
        if (!(await used.swap(...use))) throw new BankError("token_used");
      } catch (error) {
        throw toFileFault("state folder", error);
      }
      use = undefined;
    },
  };
}
