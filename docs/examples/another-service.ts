import { login } from "ventanilla";
import { createGatewayClient } from "./another-service/client.ts";
import { serveGateway } from "./another-service/gateway.ts";

const gateway = await serveGateway("token-1");
const client = createGatewayClient({ baseUrl: gateway.url, token: "token-1" });

const outcome = await login(
  client,
  { provider: "river", username: "ana", password: "1234" },
  {
    onInteraction: ({ context }) => {
      console.log(context);
      return "77"; // in production: ask the person
    },
  },
);
if (outcome.state === "loggedIn") console.log(await client.listTransferDestinations(outcome.key));
console.log(gateway.posted);
gateway.close();
