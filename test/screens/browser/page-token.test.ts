import { readFile } from "node:fs/promises";
import type { BankLogin } from "ventanilla/element";
import { expect } from "vitest";
import { listen, stage } from "../../servers/relay/stage.ts";
import { test } from "./screen-page.ts";

const component = new URL("../../../dist/element.js", import.meta.url);

test("a bearer token tells a relay on another origin whose login it is, and a new token counts at once", async ({
  open,
}) => {
  const script = await readFile(component, "utf8");
  const site = await listen((request, response) => {
    const [type, body] =
      request.url === "/element.js"
        ? ["text/javascript", script]
        : [
            "text/html",
            '<!doctype html><html lang="en"><title>Shop</title><script type="module" src="/element.js"></script>',
          ];
    response.setHeader("content-type", type).end(body);
  });
  // Another host name is another site.
  const page = site.replace("127.0.0.1", "localhost");
  const users: Record<string, string> = { "Bearer of-ana": "ana", "Bearer of-ana-later": "ana" };
  const set = await stage({
    allowedOrigins: [page],
    allowedHeaders: ["authorization"],
    readUser: ({ request }) => users[request.headers.get("authorization") ?? ""],
  });
  const screen = await open(page);
  await screen.page.evaluate((relay) => {
    document.body.append(
      Object.assign(document.createElement("bank-login"), { relay, headers: { authorization: "Bearer old" } }),
    );
  }, set.url);
  const setToken = (authorization: string) =>
    screen.page.evaluate(
      (headers) => {
        Object.assign(document.querySelector("bank-login") as BankLogin, { headers });
      },
      { authorization },
    );

  await screen.logIn("test", "12345otp", "asdfg");
  await screen.page.getByText("You are not signed in here any more.").first().waitFor();
  expect(set.bank.paths().filter((line) => line.startsWith("POST"))).toEqual([]);

  await setToken("Bearer of-ana");
  await screen.fill({ password: "asdfg" });
  await screen.press("submit");
  await screen.waitForState("awaitingInteraction");
  await setToken("Bearer of-ana-later");
  await screen.answer("8888");
  await screen.waitForState("linked");
  expect(set.logins).toMatchObject([{ provider: "test", user: "ana" }]);
  expect(set.bank.paths().filter((line) => line.startsWith("POST"))).toEqual(["POST /login/", "POST /login/"]);
});
