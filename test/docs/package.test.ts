import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type BuildEnvironmentOptions, build } from "vite";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFile(join(root, name), "utf8");
const execute = promisify(execFile);

const { stdout } = await execute("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
const packed = files.map(({ path }) => path);
const pages = await Promise.all(
  packed.filter((path) => path.endsWith(".md")).map(async (path) => [path, await read(path)] as const),
);

test.each(pages)("each link and picture of %s is there after npm install", (name, text) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const links = [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    const { protocol, pathname } = new URL(link, new URL(name, "file:///"));
    // npm shows README.md with the pictures of the repository, and this one is too large for every install.
    return protocol !== "file:" || pathname === "/docs/pictures/login.gif" ? [] : [pathname.slice(1)];
  });
  expect(links.filter((link) => !packed.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([]);
});

test("each page that a text of the program names travels, and has the section that it names", async () => {
  const sources = (await readdir(join(root, "src"), { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(sources.map((name) => read(join("src", name))));
  const named = texts.flatMap((text) => [...text.matchAll(/(docs\/[\w-]+\.md)(?:, ([A-Z][\w' -]+))?/g)]);
  const pageOf = new Map(pages);
  expect(named.length).toBeGreaterThan(10);
  for (const [, page = "", section] of named) {
    expect(packed).toContain(page);
    if (section) expect(pageOf.get(page)).toContain(`# ${section}\n`);
  }
});

test("until ventanilla is in a registry, no page says to install it from one", async () => {
  expect(await read("README.md")).toContain("in no registry yet");
  const examples = packed.filter((path) => path.startsWith("docs/examples/"));
  const sources = (await readdir(join(root, "src"), { recursive: true })).filter((name) => name.endsWith(".ts"));
  const names = [...examples, ...sources.map((name) => join("src", name))];
  const texts = [...pages, ...(await Promise.all(names.map(async (name) => [name, await read(name)] as const)))];
  const told = texts.flatMap(([name, text]) => (fromRegistry.exec(text) ? [name] : []));
  expect(told).toEqual([]);
});

/** A command that runs or installs the package by its name. The file that `npm pack` writes has a version in its name. */
const fromRegistry =
  /\b(?:npx|bunx|pnpm dlx|npm exec|npm:|(?:npm|pnpm|yarn|bun|deno) (?:i|install|add)\b[^\n`]*?) ?ventanilla(?![\w/.-]| from)/;

test.each([
  ["npx ventanilla login", true],
  ["npm install xstate ventanilla lit", true],
  ["npm i -g ventanilla", true],
  ["ventanilla-2@npm:ventanilla@0.1", true],
  ["npm install ../ventanilla/ventanilla-0.1.0.tgz xstate", false],
  ["ventanilla login", false],
])("%j gets it from a registry: %s", (command, isFromRegistry) => {
  expect(fromRegistry.test(command)).toBe(isFromRegistry);
});

describe("npm publish", () => {
  /** What the check says in a folder with this manifest. */
  async function check(changes: object, readme: string) {
    const folder = await mkdtemp(join(tmpdir(), "ventanilla-publishable-"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, ...changes }));
    await writeFile(join(folder, "README.md"), readme);
    await copyFile(join(root, ".ci/publishable.mjs"), join(folder, "publishable.mjs"));
    return execute(process.execPath, ["publishable.mjs"], { cwd: folder }).then(
      () => "",
      ({ stderr }: { stderr: string }) => stderr,
    );
  }

  test("is refused while something is to be filled in, which the refusal names", async () => {
    expect(manifest.scripts.prepublishOnly).toBe("node .ci/publishable.mjs");
    const said = await check({}, await read("README.md"));
    expect(said).toMatch(/^Not publishable:\n- .*"repository".*\n- .*"homepage".*\n- README\.md .*registry.*\n$/);
  });

  test("goes on once all is there", async () => {
    const filledIn = { repository: "github:someone/ventanilla", homepage: "https://someone.example/ventanilla/" };
    expect(await check(filledIn, "# ventanilla")).toBe("");
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
  });
});

// What a script and a screen need. A new name is written down here, or belongs to another entry point, or can be reached from a name that is here.
const values = `BankError createBankClient createCredentials createLinkMachine createLoginMachine createRelayClient describeFailure
  forgetKeptLogins interactionKind linkView login loginView pause readState rememberRefusals resume reveal secret`;
const types = `AnswerTexts AuthField AwaitingInteractionOutcome BankClient BankClientOptions CallOptions ClientEntry CredentialTexts EndedOutcome
  Failure FailureCode FaultCode FieldErrors FormField FormValues HandlerContext InteractionPrompt LinkScreenOptions LinkSettings LinkView
  LinkViewOptions Locale LoginActor LoginForm LoginOptions LoginOutcome LoginResponse LoginScreenOptions LoginSettings LoginState LoginView
  LoginViewOptions OutcomeCode PauseOptions PictureView ProviderDetail ProviderEntry QuestionView Recovery Refusal RefusalMemory RefusalStatus
  RelayClient RelayClientOptions RelayHeaders RequestEvent ResponseEvent ResumeOptions Secret SelectClientOutcome SentForm StringOrSecret Texts
  TransferDestination`;

test("the main entry point exports these values and types, and no others", async () => {
  const statements = [...(await read("src/index.ts")).matchAll(/export (type )?\{([^}]*)\}/g)];
  const exported = statements.flatMap(([, isType = "", names = ""]) =>
    names.split(",").flatMap((name) => (name.trim() ? [`${isType}${name.trim()}`] : [])),
  );
  const isType = (name: string) => name.startsWith("type ");
  const listed = exported.filter(isType).map((name) => name.slice("type ".length));
  expect(listed.sort()).toEqual(types.split(/\s+/));
  expect(exported.filter((name) => !isType(name)).sort()).toEqual(values.split(/\s+/));
});

test("a worker at the edge has the store in memory without anything of Node", async () => {
  const entry = join(await mkdtemp(join(tmpdir(), "ventanilla-edge-")), "worker.js");
  await writeFile(
    entry,
    `export { createMemoryStore } from ${JSON.stringify(join(root, manifest.exports["./tokens"].default))};`,
  );
  const options: BuildEnvironmentOptions = { write: false, lib: { entry, formats: ["es"] } };
  const [bundle] = [await build({ configFile: false, logLevel: "silent", build: options })].flat();
  if (!bundle || !("output" in bundle)) return expect.fail("nothing was built");
  const { code } = bundle.output[0];
  expect(code).toContain("ventanilla.memory");
  expect(code).not.toMatch(/node:|browser-external/);
});

test("what is built in is named in the package, and SECURITY.md says where", async () => {
  const named = [...(await read("SECURITY.md")).matchAll(/dist\/[\w./]+\.cdx\.json/g)].map(([path]) => path);
  expect(named.sort()).toEqual(packed.filter((path) => path.endsWith(".cdx.json")).sort());
  expect(named).toHaveLength(5);
});

test("a workflow names each action by its digest, and what may publish installs and builds nothing", async () => {
  const [check, release] = [await read(".github/workflows/check.yml"), await read(".github/workflows/release.yml")];
  const used = [...`${check}${release}`.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(4);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const [before = "", publish = ""] = release.split(/^ {2}publish:/m);
  expect(before).not.toContain("id-token");
  expect(before).toContain(".ci/publishable.mjs");
  expect(publish).toContain("id-token: write");
  expect([...publish.matchAll(/run: (.*)/g)].map(([, command]) => command)).toEqual([
    "npm publish --ignore-scripts ./*.tgz",
  ]);
});
