import { setTimeout } from "node:timers/promises";
import { type BankClient, reveal } from "ventanilla";
import { createGatewayClient } from "./another-service/client.ts";

const baseUrl = "https://gateway.example";
const client: BankClient = {
  ...createGatewayClient({ baseUrl, token: "token-1" }),
  async awaitApproval(key, { signal }) {
    for (;;) {
      const response = await fetch(`${baseUrl}/connections/${encodeURIComponent(reveal(key))}/approval`, { signal });
      const { state } = await response.json();
      if (state === "approved" || state === "denied" || state === "expired") return { status: state };
      await setTimeout(2_000, undefined, { signal });
    }
  },
};
console.log(typeof client.awaitApproval);
