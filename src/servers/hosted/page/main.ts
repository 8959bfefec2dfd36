// The page of a hosted login. The tag <bank-login> comes from a file of its own.
import { SESSION_HEADER } from "../browser-cookie.ts";

const login = document.querySelector("bank-login");
if (!login) throw new Error("The page is incomplete.");

const headers = { [SESSION_HEADER]: login.dataset["session"] ?? "" };
const request = (path: string, method: "GET" | "POST") =>
  fetch(path, { method, headers, cache: "no-store" }).catch(() => undefined);
/** The server says what comes next: the way back, or a page that says what has become of the login. */
const goOn = () => location.reload();

const state = await request("state/", "GET");
if (state?.status === 410) {
  goOn();
} else if (state?.ok) {
  const { provider, username } = (await state.json()) as { provider?: string; username?: string };
  login.headers = headers;
  login.provider = provider;
  login.username = username;
  login.relay = "bank/";
  login.addEventListener("login", goOn);
  login.addEventListener("cancel", async () => {
    await request("cancel/", "POST");
    goOn();
  });
  // The session has ended, or belongs to another browser.
  login.addEventListener("failure", ({ detail }) => {
    if (detail.code === "not_signed_in") goOn();
  });
} else {
  login.remove();
  document.querySelector(state?.status === 401 ? "#no-cookies" : "#broken")?.removeAttribute("hidden");
}
