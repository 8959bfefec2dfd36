import { randomUUID } from "node:crypto";
import express from "express";
import { createBankClient, reveal } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRelay } from "ventanilla/relay";
import { createFolderStore } from "ventanilla/tokens";
import { storeSession } from "./database.js";

const port = Number(process.env.PORT ?? 3000);
const origin = `http://localhost:${port}`;

// In place of your own sign-in: each visitor of this shop is Ana.
const visits = new Map();
function signIn(_request, response, next) {
  const id = randomUUID();
  visits.set(id, "ana");
  response.cookie("visit", id, { httpOnly: true, sameSite: "strict" });
  next();
}
const findAccount = (cookies) => visits.get(/\bvisit=([\w-]+)/.exec(cookies ?? "")?.[1]);

const relay = createRelay({
  client: createBankClient({ baseUrl: process.env.BANK_URL, apiKey: process.env.API_KEY }),
  sealKey: process.env.SEAL_KEY,
  store: createFolderStore("logins"),
  allowedOrigins: [origin],
  path: "/bank",
  readUser: ({ request }) => findAccount(request.headers.get("cookie")),
  onLogin: async ({ user, provider, key }) => {
    await storeSession(user, provider, reveal(key));
    console.log(`Stored: the session of ${user} at ${provider}`);
  },
  onEvent: ({ route, httpStatus, status, reason }) => console.log(route, httpStatus, status ?? reason),
  onError: console.error,
});

const app = express();
app.use("/bank", createNodeHandler(relay)); // before anything that reads bodies
app.get("/", signIn);
app.use("/element.js", express.static("node_modules/ventanilla/dist/element.js"));
app.use(express.static("public"));
app.listen(port, "localhost", (error) => {
  if (error) throw error; // such as a port that another server has
  console.log(`Open ${origin}`);
});
