import { env } from "node:process";
import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createRedisStore } from "ventanilla/tokens";
import { createHttpRedis } from "./redis-http.ts";

const { BANK_URL = "", API_KEY = "", SEAL_KEY = "", REDIS_URL = "", REDIS_TOKEN = "", PAGE = "" } = env;

const relay = createRelay({
  client: createBankClient({ baseUrl: BANK_URL, apiKey: API_KEY }),
  store: createRedisStore(createHttpRedis({ url: REDIS_URL, token: REDIS_TOKEN })), // each call may be at another instance
  sealKey: SEAL_KEY,
  allowedOrigins: [PAGE],
  path: "/bank",
  readUser: false, // in production: whose request it is, so that a reload loses no login
  readCaller: ({ headers }) => headers.get("x-real-ip") ?? undefined, // the header of your platform
  onLogin: ({ provider, key }) => console.log(`logged in at ${provider} with ${key}`), // in production: store it
});

// As Vercel, Netlify, Deno and Bun take it. Give the function two minutes: a bank takes up to 90 seconds.
export default { fetch: relay };
