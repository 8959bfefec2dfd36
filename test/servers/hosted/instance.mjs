// An instance of a hosted login, for killed.test.ts. It uses the built package, as a program of a user's does.
import { createServer } from "node:http";
import { createBankClient } from "ventanilla";
import { createHostedLogin } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import { createFolderStore } from "ventanilla/tokens";

const { BASE_URL: baseUrl, API_KEY: apiKey, SEAL_KEY: sealKey, FOLDER, URL: url } = process.env;
const hosted = createHostedLogin({
  client: createBankClient({ baseUrl, apiKey, retry: false }),
  sealKey,
  store: createFolderStore(FOLDER),
  url,
  name: "Shop",
  rateLimit: false,
  onEnd: ({ status }) => process.send({ status }),
});
const server = createServer(createNodeHandler(hosted.handle)).listen(0, "127.0.0.1", () =>
  process.send({ port: server.address().port }),
);
