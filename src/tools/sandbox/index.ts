/**
 * The complete service with its test accounts, in the process or on a port.
 *
 * @packageDocumentation
 */

export { type SandboxAccount, sandboxAccounts } from "./account-table.ts";
export type { SandboxBank } from "./own-banks.ts";
export { createSandbox } from "./sandbox.ts";
export { SANDBOX_API_KEY, type SandboxOptions } from "./sandbox-options.ts";
export { type ServeSandboxOptions, serveSandbox } from "./serve-sandbox.ts";
