import { setTimeout } from "node:timers/promises";
import { type BankClient, login, reveal } from "ventanilla";
import { createGatewayClient } from "./another-service/client.ts";
import { serveGateway } from "./another-service/gateway.ts";

const gateway = await serveGateway("token-1");
const client: BankClient = {
  ...createGatewayClient({ baseUrl: gateway.url, token: "token-1" }),
  async awaitApproval(key, { signal }) {
    const url = `${gateway.url}/connections/${encodeURIComponent(reveal(key))}/approval`;
    for (;;) {
      const response = await fetch(url, { headers: { authorization: "Bearer token-1" }, signal });
      const { state } = await response.json();
      if (state === "approved" || state === "denied" || state === "expired") return { status: state };
      await setTimeout(1_000, undefined, { signal });
    }
  },
};

const outcome = await login(
  client,
  { provider: "hill", username: "ana", password: "1234" },
  {
    onInteraction({ context }) {
      console.log(context);
      return new Promise(() => {}); // the person has nothing to do here: the app says when it goes on
    },
  },
);
console.log(outcome.state, gateway.posted);
gateway.close();
