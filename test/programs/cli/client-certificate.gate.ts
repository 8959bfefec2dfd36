import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { createNodeHandler } from "ventanilla/node";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { createBrowser } from "../../servers/hosted/stage.ts";
import { parseLines, plainUser, runProcess, start } from "./program.ts";
import { installWithPackages } from "./with-packages.ts";

/** Makes a key and a certificate, NAME.key and NAME.crt, for a day. @param words who signs it, and for what. */
function certify(folder: string, name: string, words: readonly string[] = []): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-keyout", `${name}.key`];
  const certificate = ["-x509", "-subj", `/CN=${name}`, "-days", "1", "-out", `${name}.crt`, ...words];
  execFileSync("openssl", ["req", ...key, ...certificate], { cwd: folder, stdio: "pipe" });
}

/** A service behind https that serves no one without a certificate of its own authority, and the program with the module of the docs. */
async function stage() {
  const { folder, main } = await installWithPackages();
  certify(folder, "authority");
  const signed = ["-CA", "authority.crt", "-CAkey", "authority.key"];
  certify(folder, "service", [...signed, "-addext", "subjectAltName=IP:127.0.0.1"]);
  certify(folder, "client", signed);
  const read = (name: string) => readFile(join(folder, name));
  const [ca, cert, key] = await Promise.all(["authority.crt", "service.crt", "service.key"].map(read));
  const requests: string[] = [];
  const handler = createNodeHandler(createSandbox());
  const server = createServer({ ca, cert, key, requestCert: true }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    requests.push(`${subject.CN}: ${request.method} ${request.url}`);
    return handler(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  await copyFile(
    new URL("../../../docs/examples/serve/client-certificate.js", import.meta.url),
    join(folder, "service.js"),
  );
  const environment = {
    VENTANILLA_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    VENTANILLA_API_KEY: SANDBOX_API_KEY,
    NODE_EXTRA_CA_CERTS: join(folder, "authority.crt"),
    CLIENT_CERTIFICATE: join(folder, "client.crt"),
    CLIENT_KEY: join(folder, "client.key"),
  };
  const logIn = (words: readonly string[], { NODE_EXTRA_CA_CERTS, ...rest } = environment) =>
    runProcess(["login", "test", "--credentials-from", "-", "--json", ...words], {
      main,
      cwd: folder,
      environment: { ...rest, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) },
      input: JSON.stringify(plainUser),
    });
  return { folder, main, environment, requests, logIn };
}

const LOGIN = "client: POST /login/";

test("a service that asks for a client certificate gets it from the module of the docs, and each login once", async () => {
  const { folder, main, environment, requests, logIn } = await stage();
  expect(await logIn(["--service", "service.js"])).toMatchObject({ code: 0 });
  expect(requests).toEqual(["client: GET /provider/test/", LOGIN]);
  requests.length = 0;

  const own = {
    VENTANILLA_SERVE_KEY: "a-serve-key-of-a-test-01",
    VENTANILLA_SEAL_KEY: Buffer.alloc(32).toString("base64"),
  };
  const words = ["serve", "--json", "--port", "0", "--name", "Shop", "--service", "service.js"];
  const { child, result, firstLine } = await start(words, {
    main,
    cwd: folder,
    environment: { ...environment, ...own },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { url } = await firstLine();
  const created = await fetch(`${url}/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.VENTANILLA_SERVE_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ user: "42" }),
  });
  const browser = createBrowser();
  await browser.open(((await created.json()) as { url: string }).url);
  expect((await browser.logIn()).status).toBe("logged_in");
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect(requests).toEqual([LOGIN, "client: GET /provider/"]);
  child.kill("SIGTERM");
  expect((await result).code).toBe(0);
});

test("without the certificate, or without the authority of the service, nothing reaches it", async () => {
  const { environment, requests, logIn } = await stage();
  const failed = { state: "failed", code: "network_failed" };
  const outcome = async (...input: Parameters<typeof logIn>) => parseLines((await logIn(...input)).stdout).at(-1);
  expect(await outcome([])).toMatchObject(failed);
  expect(await outcome(["--service", "service.js"], { ...environment, NODE_EXTRA_CA_CERTS: "" })).toMatchObject(failed);
  expect(requests).toEqual([]);
});
