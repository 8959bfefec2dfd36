/**
 * The whole service with its test accounts, in the process or on a port.
 *
 * @packageDocumentation
 */

export { createSandbox, type Sandbox } from "./sandbox.ts";
export { type SandboxAccount, sandboxAccounts } from "./sandbox-accounts.ts";
export { SANDBOX_API_KEY, type SandboxClock, type SandboxOptions } from "./sandbox-options.ts";
export { type ServedSandbox, type ServeSandboxOptions, serveSandbox } from "./serve-sandbox.ts";
