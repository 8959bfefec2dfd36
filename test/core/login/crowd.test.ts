import { reveal } from "ventanilla";
import { expect, test } from "vitest";
import { asks, loggedIn, loginUnread, startService, together } from "../../bank/service.ts";

test("a hundred concurrent logins of one client each get their own session", async () => {
  const everybody = together(100);
  const service = await startService(async ({ form, url }) => {
    await everybody();
    const owner = `${form["username"]}-${form["password"]}`;
    if (!url.includes("?")) return asks("answer", owner, `question ${Number(form["username"]) * 7}`);
    return loggedIn(url.endsWith(`?key=${owner}`) ? `${owner}-${form["answer"]}` : "somebody else's");
  });
  const client = service.client();
  const people = Array.from({ length: 100 }, (_, number) => ({ username: `${number}`, password: `p${number * 31}` }));
  const outcomes = await Promise.all(
    people.map((one) =>
      loginUnread(
        client,
        { ...one, provider: "test" },
        { onInteraction: async ({ context }) => `answer to ${context}` },
      ),
    ),
  );
  const keys = outcomes.map((outcome) => outcome.state === "loggedIn" && reveal(outcome.key));
  expect(keys).toEqual(
    people.map(({ username, password }) => `${username}-${password}-answer to question ${Number(username) * 7}`),
  );
  expect(service.requests).toHaveLength(200);
});
