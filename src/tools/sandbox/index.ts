/**
 * The whole service with its test accounts, in the process or on a port.
 *
 * @packageDocumentation
 */

export { type SandboxAccount, type SandboxAnswer, sandboxAccounts } from "./account-table.ts";
export type { SandboxAuthField, SandboxBank, SandboxBankAccount } from "./own-banks.ts";
export { createSandbox, type Sandbox } from "./sandbox.ts";
export { SANDBOX_API_KEY, type SandboxClock, type SandboxOptions } from "./sandbox-options.ts";
export { type ServedSandbox, type ServeSandboxOptions, serveSandbox } from "./serve-sandbox.ts";
