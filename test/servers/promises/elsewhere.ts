// Rows of the documentation that other tests prove. A digest of the whole row is beside its first cell: a change of the row needs a look at the test.
const nothing = "nothing stops it, and the row says so";

/** By the file of the test. */
export const provedElsewhere: Readonly<Record<string, readonly (readonly [digest: string, begins: string])[]>> = {
  "test/core/texts/rules.test.ts": [["87fd8bc6", "a read fails: banks, fields, clients, destinations"]],
  "test/servers/relay/kept.test.ts": [
    ["8a0b9dd5", "the only instance of a relay with `createMemoryStore()` is restarted"],
    ["59fdc0e3", "an interaction answered twice, or a client chosen twice, also at the s"],
    ["4bce4e8e", "a recorded login, answer, choice or logout sent again"],
  ],
  "test/servers/relay/logos.test.ts": [["f4e68853", "a bank's logo whose address leads into your network"]],
  "test/programs/cli/batch-journal.test.ts": [
    ["ca898fe1", "a kill before a row's begin is written"],
    ["1b3d2aa5", "a kill after that, before the bank has it"],
    ["18f18516", "a kill while the bank has it, or has answered"],
    ["80248a97", "a kill after its end is written"],
    ["4c974c3b", "a loss of power that leaves half a line"],
    ["ef2ef872", "a disk that stops for a while"],
    ["408923be", "a full disk"],
    ["b898222c", "a second process"],
    ["148080e9", "a process that was stopped, while another one took the journal | sees i"],
  ],
  "test/servers/restate/deploys.server.ts": [["5d49c41c", "a durable worker is stopped by SIGTERM"]],
  "test/servers/restate/upgrades.server.ts": [
    ["edfbe180", "a durable login is answered by a caller of another version, or with an"],
  ],
  "test/core/api/malformed.test.ts": [
    ["1e854ec9", "a bank without a code or a name, a destination without an integer id, "],
    ["6a4e161e", "every element of a list of banks, destinations, clients or fields; som"],
    ["e44dbca3", "a country, a label, a logo, the list of account types, a `default` tha"],
    ["ab5bb9b8", 'the `default` 1, the id `"12"`'],
    ["4d71b616", '`interactive` or `optional` as `"true"`, `"false"`, 1 or 0'],
    ["0785b919", "any other `interactive`"],
    ["360ec950", "any other `optional`"],
    ["0059ec61", "choices of which none can be read"],
    ["032a3d76", "a provider with an unknown status beside it"],
    ["f8992143", "`context` that is not a text"],
  ],
  "test/core/login/unnamed-field.test.ts": [
    ["865b7fa6", "`interaction_required` with no field, or one that can't be an answer"],
    ["6c3e09a8", "the same, if the detail has none or several | `response_against_contrac"],
  ],
  "test/core/api/directory.test.ts": [
    ["1ecf47c3", "up to `lifetime`, an hour by default"],
    ["58119546", "up to twice that"],
    ["9aeae3c3", "older"],
    ["63db177b", "a reader of the store of a [`directory`](reliability.md#what-is-kept)"],
  ],
  "test/servers/hosted/bound.test.ts": [
    ["4b4c3c03", "the store fails for longer than two minutes while the bank answers"],
    ["1fda31f3", "a person who changes the request by hand, to another bank or another us"],
    ["246adb36", "a program that has no address, and uses the relay of the pages | read b"],
    ["d9462168", "an instance whose clock is wrong"],
  ],
  "test/servers/hosted/databases.gate.ts": [
    ["8103a9de", "the store fails when the end is told"],
    ["52cc030c", "an instance is killed after it has written what the bank said | the pag"],
  ],
  "test/servers/hosted/killed.test.ts": [
    ["6176851a", "an instance is killed while it works on a submit | what the bank said i"],
  ],
  "test/leaks/platform.test.ts": [
    ["befa5402", "OpenTelemetry's instrumentation of HTTP, and other listeners of Node's "],
    ["19838043", "the log of a program that runs with `NODE_DEBUG=undici` or `fetch` (No"],
  ],
  "test/servers/relay/node-handler.test.ts": [["fb14b108", "Sentry on the server of a relay, which records bodies"]],
  "test/core/api/send.test.ts": [
    ["2626ce62", "files in `.next/cache` of Next.js"],
    ["87622f1d", "the next person who logs in by the same process, if a proxy responds t"],
  ],
  "test/programs/cli/address.test.ts": [
    ["30859777", "a reader of the network traffic | everything | `https`. `createBankClie"],
  ],
  "test/programs/cli/secrets.test.ts": [
    ["3dcaa33a", "the author of a folder that you have downloaded"],
    ["587e5fdb", "another user of the machine"],
    ["afa895f1", "the browser of `--open`; others on the machine, through its arguments"],
  ],
  "test/programs/cli/hostile.test.ts": [["4df88ba2", "a text of the bank that controls the terminal"]],
  "test/core/api/bounds.test.ts": [["b0d35870", "a service that sends hostile responses"]],
  "test/leaks/paused.test.ts": [["34aeb14e", "a person who finds the token of a paused login"]],
  "test/leaks/refusals.test.ts": [
    ["826c77f0", "a reader of the store of [remembered refusals](guide.md#a-password-that-was-ref"],
  ],
  "test/servers/restate/secrets.server.ts": [["95c95141", "Restate and its files"]],
  [nothing]: [
    ["36f6177e", "code in the same process"],
    ["273b2118", "a program that forges the `Origin` of a page"],
    ["e898798f", "crash reporters and tracers that record the headers of requests, in th"],
    ["d5a8a555", "a reader of the store of a relay who has the seal key too"],
  ],
  "test/servers/relay/origins.test.ts": [
    ["4774ad4f", "a page, form, image or script of another site; a forged, missing or `nu"],
  ],
  "test/servers/relay/leaks.test.ts": [
    ["388efff1", "the id of a login, read in a log; a guessed, altered or another login'"],
  ],
  "test/servers/relay/attacks.test.ts": [
    ["8fa0520b", "guessing passwords, flooding | [rate limits](production.md#rate-limits)"],
  ],
  "test/servers/hosted/pages.test.ts": [
    ["97bf3f0d", "a thief of the cookie"],
    ["d7df86d7", "a page of another site"],
  ],
  "test/servers/hosted/retention.test.ts": [["9524a18f", "a reader of the store who has the seal key too"]],
  "test/servers/hosted/steps.test.ts": [["5abffda7", "a program that has an address"]],
  "test/programs/cli/serve/session-webhook.test.ts": [
    ["60fc0465", "a program that forges a webhook, or repeats one | make your back end be"],
  ],
};
