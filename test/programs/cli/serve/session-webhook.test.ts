import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import * as v from "valibot";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sessionProgress } from "../../../../src/programs/cli/serve/api-schemas.ts";
import { createSessionWebhook } from "../../../../src/programs/cli/serve/session-webhook.ts";
import { stage } from "../../../servers/hosted/stage.ts";
import { listen } from "../../../servers/relay/stage.ts";

afterEach(() => void vi.useRealTimers());

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const END = { id: "0123456789abcdef0123456789abcdef", user: "42", status: "failed", failure: "user_blocked" } as const;

/** An app that gets webhooks. @param statuses what it responds with, one after the other; the last one stays. */
async function receiver(...statuses: readonly number[]) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const left = [...statuses];
  const url = await listen(
    createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      const status = (left.length > 1 ? left.shift() : left[0]) ?? 204;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    }),
  );
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => pauses.push(milliseconds);
  return { url, received, pauses, tell: createSessionWebhook({ url: `${url}/ends`, secrets: [SECRET], pause }) };
}

describe("a webhook", () => {
  test("is verified by the package standardwebhooks, and says how the session ended", async () => {
    const { received, tell } = await receiver(200);
    await tell(END);
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toEqual({ type: "session.ended", timestamp: expect.any(String), data: END });
    expect(headers).toMatchObject({ "webhook-id": END.id, "content-type": "application/json" });
    const other = new Webhook(`whsec_${randomBytes(32).toString("base64")}`);
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow("signature");
    expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow("signature");
  });

  test.each([
    [{ type: "opened" }, "session.opened", `${END.id}.opened`],
    [
      { type: "awaiting_interaction", number: 2, provider: "test" },
      "session.awaiting_interaction",
      `${END.id}.awaiting_interaction.2`,
    ],
    [{ type: "refused", number: 1, failure: "wrong_credentials" }, "session.refused", `${END.id}.refused.1`],
  ] as const)("of a step has a message of its own: $0", async (step, type, messageId) => {
    const { received, tell } = await receiver(200);
    await tell({ id: END.id, user: "42", ...step });
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const { type: _, ...data } = step;
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toEqual({ type, timestamp: expect.any(String), data: { id: END.id, user: "42", ...data } });
    expect(v.is(sessionProgress, verified)).toBe(true);
    expect(headers["webhook-id"]).toBe(messageId);
  });

  test("is signed with each secret, so one of them is enough to verify it", async () => {
    const { url, received } = await receiver(200);
    const next = `whsec_${randomBytes(32).toString("base64")}`;
    await createSessionWebhook({ url: `${url}/ends`, secrets: [next, SECRET] })(END);
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    for (const secret of [next, SECRET]) new Webhook(secret).verify(body, headers as Record<string, string>);
  });

  test("is repeated with longer and longer pauses, as the same message, until it is received", async () => {
    const { received, pauses, tell } = await receiver(500, 503, 200);
    await tell(END);
    expect(pauses).toEqual([250, 1000]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([END.id]));
    for (const { headers, body } of received) new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(received).toHaveLength(3);
  });

  test.each([[500], [404], [302]])("that is never received, HTTP %i, is a fault after four tries", async (status) => {
    const { url, received, tell } = await receiver(status);
    const fault = await tell(END).catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "handler_failed", field: "--webhook", detail: `HTTP ${status}` });
    expect(received).toHaveLength(4);
    expect(String(fault)).not.toContain(url);
  });

  test("that was not received is sent again, as the same message, by a sweep a minute later", async () => {
    const { received, tell } = await receiver(500, 500, 500, 500, 200);
    const { hosted, errors } = await stage({ onEnd: tell });
    const { id } = await hosted.create({ user: "42" });
    await hosted.cancel(id);
    await hosted.finish();
    expect(received).toHaveLength(4);
    expect(errors).toMatchObject([{ code: "handler_failed", field: "onEnd" }]);
    await hosted.sweep();
    expect(received).toHaveLength(4);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    await hosted.sweep();
    await hosted.sweep();
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(Array(5).fill(id));
  });

  test("to a place where nothing listens is the same, and its address is in no error", async () => {
    const pause = async () => {};
    const fault = await createSessionWebhook({ url: "http://127.0.0.1:1/canary", secrets: [SECRET], pause })(END).catch(
      (error: unknown) => error,
    );
    expect(fault).toMatchObject({ code: "handler_failed", detail: "no connection" });
    expect(String(fault)).not.toContain("canary");
  });

  test.each(["", "secret", "whsec_", "whsec_c2hvcnQ=", `whsec_${"A".repeat(200)}`, `whsec_${"-".repeat(40)}`])(
    "with the secret $0 is refused, and the secret is not repeated",
    (secret) => {
      const create = () => createSessionWebhook({ url: "https://shop.example", secrets: [secret] });
      expect(create).toThrow("invalid_input: VENTANILLA_WEBHOOK_SECRET: must be whsec_ and 24 to 64 bytes as base64");
    },
  );
});
