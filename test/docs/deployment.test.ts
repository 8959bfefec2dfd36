import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { OptionDefinition } from "../../src/programs/cli/arguments.ts";
import { serveOptions } from "../../src/programs/cli/serve/serve-settings.ts";

// The files that docs/production.md gives to operators.

const folder = new URL("../../docs/examples/serve/", import.meta.url);
const read = (name: string) => readFile(new URL(name, folder), "utf8");

const secrets = ["API_KEY", "SERVE_KEY", "SEAL_KEY", "WEBHOOK_SECRET"].map((name) => `VENTANILLA_${name}`);
const variables = [
  ...Object.values<OptionDefinition>(serveOptions).flatMap(({ variable }) => variable ?? []),
  "VENTANILLA_STORE",
  ...secrets,
];

/** Seconds that a login at a bank and a store that is away are waited for. */
const STOPPING = 240;

test("the Dockerfile has one stage, is not root, and takes its settings from variables", async () => {
  const file = await read("Dockerfile");
  const instructions = file.replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  const find = (name: string) => [...instructions.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest]) => rest);
  expect(find("FROM")).toHaveLength(1);
  expect(find("USER")).toEqual(["node"]);
  expect(instructions.indexOf("USER node")).toBeLessThan(instructions.indexOf("ENTRYPOINT"));
  const entry = JSON.parse(find("ENTRYPOINT")[0] ?? "[]");
  expect(entry).toEqual(["node", `node_modules/ventanilla/${await findCommand()}`, "serve", "--json"]);
  const set = [...(find("ENV")[0] ?? "").matchAll(/(VENTANILLA_\w+)=/g)].map(([, name]) => name);
  expect(set.filter((name) => !variables.includes(name ?? ""))).toEqual([]);
  // A key in an image is everybody's.
  expect(set.filter((name) => secrets.includes(name ?? ""))).toEqual([]);
  expect(file).toContain(`--read-only`);
  expect(file).toContain(`--stop-timeout ${STOPPING}`);
});

async function findCommand(): Promise<string> {
  const { bin } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return bin.ventanilla;
}

test("what is not in a registry is taken from none, and no address of one is named as its own", async () => {
  for (const name of ["Dockerfile", "ventanilla.service", "kubernetes.yaml", "settings.env"]) {
    const text = await read(name);
    expect(text).not.toMatch(/npmjs|ventanilla@|"ventanilla"@/);
  }
  expect(await read("Dockerfile")).toContain("COPY ventanilla-*.tgz");
});

test("the systemd unit waits for logins, and names options that there are", async () => {
  const unit = await read("ventanilla.service");
  const lines = unit.replaceAll("\\\n", " ").split("\n");
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  expect(values("TimeoutStopSec")).toEqual([String(STOPPING)]);
  expect([values("DynamicUser"), values("ProtectSystem"), values("CapabilityBoundingSet")]).toEqual([
    ["yes"],
    ["strict"],
    [""],
  ]);
  const options = [...(values("ExecStart")[0] ?? "").matchAll(/ --([\w-]+)/g)].map(([, name = ""]) => name);
  expect(options.filter((name) => !Object.hasOwn(serveOptions, name))).toEqual([]);
  const loaded = values("LoadCredential").map((value) => value.split(":")[0]);
  const used = [...unit.matchAll(/\$\{CREDENTIALS_DIRECTORY\}\/([\w-]+)/g)].map(([, name]) => name);
  expect(used).toEqual(loaded);
  expect(loaded).toHaveLength(secrets.length);
});

test("the manifests for Kubernetes are YAML, and name probes, variables and ports that there are", async () => {
  const documents = parseAllDocuments(await read("kubernetes.yaml"));
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const byKind = new Map(documents.map((document) => [document.get("kind"), document.toJS()]));
  expect([...byKind.keys()]).toEqual(["Deployment", "Service", "PodDisruptionBudget", "Ingress"]);
  const pod = byKind.get("Deployment").spec.template.spec;
  const [container] = pod.containers;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(STOPPING);
  expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual(["/health", "/ready"]);
  const set: { name: string; value: string }[] = container.env;
  expect(set.filter(({ name }) => !variables.includes(name) || secrets.includes(name))).toEqual([]);
  const file = await read("kubernetes.yaml");
  const made = [...file.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name);
  expect(made).toEqual([...secrets, "VENTANILLA_STORE"]);
  // The public reaches the pages, and not the API.
  const { path } = byKind.get("Ingress").spec.rules[0].http.paths[0];
  expect(set.find(({ name }) => name === "VENTANILLA_URL")?.value).toBe(
    `https://login.shop.example${path.slice(0, -1)}`,
  );
});

test("the unit's settings are variables that there are, and none is a key", async () => {
  const lines = (await read("settings.env")).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const names = lines.map((line) => line.split("=")[0] ?? "");
  expect(names).toContain("VENTANILLA_BASE_URL");
  expect(names.filter((name) => !variables.includes(name) || secrets.includes(name))).toEqual([]);
  expect(await read("ventanilla.service")).toContain("EnvironmentFile=/etc/ventanilla/settings.env");
});

test("the container and the manifests can load the SDK of the docs, and each package of it", async () => {
  const dockerfile = await read("Dockerfile");
  const manifests = await read("kubernetes.yaml");
  const path = "docs/examples/telemetry/sdk.mjs";
  const option = `--import=/app/node_modules/ventanilla/${path}`;
  expect(dockerfile).toContain(option);
  expect(manifests).toContain(option);
  const { files, devDependencies } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect(files).toContain("docs/examples");
  const sdk = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const imported = [...sdk.matchAll(/from "(@opentelemetry\/[\w-]+)"/g)].map(([, name = ""]) => name);
  expect(imported.length).toBeGreaterThan(5);
  for (const name of imported) {
    const [, version = ""] = new RegExp(`${name}@([\\d.]+)`).exec(dockerfile) ?? [];
    expect(devDependencies[name]).toMatch(new RegExp(`^[~^]${version}\\.`));
  }
});
