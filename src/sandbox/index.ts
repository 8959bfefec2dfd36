/**
 * The whole service with its test accounts, in the process or on a port.
 *
 * @packageDocumentation
 */

export { type SandboxAccount, sandboxAccounts } from "./accounts.ts";
export type { SandboxClock } from "./clock.ts";
export { SANDBOX_API_KEY, type SandboxOptions } from "./options.ts";
export { createSandbox, type Sandbox } from "./sandbox.ts";
export { type ServedSandbox, type ServeSandboxOptions, serveSandbox } from "./serve.ts";
