// The page of a hosted login. The tag <bank-login> comes from a file of its own. The session's record says where the login is: nothing of it
// stays in the browser.
import { LOGIN_HEADER } from "../../../core/api/bank-request.ts";
import type { LoginStorage, StoredLogin } from "../../../core/view/kept-login.ts";
import type { PageLogin } from "../session-row.ts";

interface State {
  readonly provider?: string;
  readonly username?: string;
  readonly login?: PageLogin;
  readonly lastSubmit: number;
  readonly timeLeft: number;
}

const found = document.querySelector("bank-login");
if (!found) throw new Error("The page is incomplete.");
const login = found;

/** The form that came with the page. A browser before 2024 does not show it. */
const firstForm = document.querySelector("#first-form");
if (!firstForm?.shadowRoot) firstForm?.remove();

/** Puts the component in the place of the first form: what was typed goes on, at the same character. */
function takeOver(): void {
  const from = firstForm?.isConnected && firstForm.shadowRoot;
  const to = login.shadowRoot;
  if (!from || !to) return;
  const { activeElement } = from;
  const [start, end] =
    activeElement instanceof HTMLInputElement ? [activeElement.selectionStart, activeElement.selectionEnd] : [];
  firstForm.remove();
  for (const control of from.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
    const own = to.querySelector<typeof control>(`#${CSS.escape(control.id)}`);
    if (own && control.value !== "") own.value = control.value;
  }
  const active = activeElement?.id && to.querySelector<HTMLElement>(`#${CSS.escape(activeElement.id)}`);
  if (!active) return;
  active.focus({ preventScroll: true });
  if (active instanceof HTMLInputElement && start !== undefined && end !== undefined)
    active.setSelectionRange(start, end);
}

const session = login.dataset["session"] ?? "";
const request = (path: string, method: "GET" | "POST") =>
  fetch(path, { method, headers: { [LOGIN_HEADER]: session }, cache: "no-store" }).catch(() => undefined);
/** The server says what comes next: the step of the login, the way back, or what has become of it. */
const goOn = () => location.reload();
const show = (selector: string) => document.querySelector(selector)?.removeAttribute("hidden");

/** Puts the focus where the person goes on, unless it is somewhere. Who asks stays in view above a form. */
function focusStep(state: "idle" | "awaitingInteraction"): void {
  if (document.activeElement !== document.body) return;
  login.focus();
  if (state === "idle") scrollTo(0, 0);
}

/** The login for the component, which keeps it in this page alone. The browser's cookie takes the place of a token. */
function createStorage({ login: step }: State): LoginStorage {
  let text = step ? JSON.stringify({ version: 2, token: "", ...step } satisfies StoredLogin) : null;
  return {
    getItem: () => text,
    setItem: (_, value) => {
      text = value;
    },
    removeItem: () => {
      text = null;
    },
  };
}

/** Asks before the × closes the login. */
function askBeforeLeaving(timeLeft: number, isBegun: () => boolean): void {
  const until = new Date(Date.now() + timeLeft).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
  });
  for (const text of document.querySelectorAll<HTMLElement>("#comes-back, #left")) {
    text.textContent = (text.dataset["text"] ?? "").replace("{time}", until);
  }
  const dialog = document.querySelector("dialog");
  let pressed: HTMLElement | undefined;
  let isSure = false;
  // The event comes a moment after the dialog has closed: by then the × may have been pressed again.
  dialog?.addEventListener("close", () => {
    isSure = dialog.returnValue === "leave";
    if (isSure) pressed?.click();
  });
  login.addEventListener(
    "click",
    (event) => {
      const close = event
        .composedPath()
        .find((node) => node instanceof HTMLElement && node.dataset["verb"] === "cancelLink");
      if (!(close instanceof HTMLElement) || !dialog || isSure) return;
      event.stopPropagation();
      for (const [id, isShown] of [
        ["#comes-back", !isBegun()],
        ["#is-over", isBegun()],
      ] as const) {
        dialog.querySelector(id)?.toggleAttribute("hidden", !isShown);
      }
      pressed = close;
      dialog.returnValue = "";
      dialog.showModal();
    },
    { capture: true },
  );
}

/** Leaves the session as it is, or as cancelled. */
async function leave(isBegun: boolean): Promise<void> {
  const response = await request("cancel/", "POST");
  const { back } = ((await response?.json()) ?? {}) as { back?: string };
  if (back !== undefined) location.assign(back);
  else if (isBegun || !response?.ok) goOn();
  else {
    login.remove();
    show("#left");
  }
}

function start(state: State): void {
  let isBegun = state.login !== undefined;
  login.session = { id: session, lastSubmit: state.lastSubmit };
  login.keep = createStorage(state);
  login.provider = state.provider;
  login.username = state.username;
  login.relay = "bank/";
  login.addEventListener("state", ({ detail }) => {
    if (detail.state === "submitting") isBegun = true;
    if (detail.state !== "loadingFields") takeOver();
    if (detail.state === "idle" || detail.state === "awaitingInteraction") focusStep(detail.state);
  });
  login.addEventListener("login", goOn);
  login.addEventListener("cancel", () => leave(isBegun));
  login.addEventListener("failure", async ({ detail }) => {
    // The session has ended, or belongs to another browser.
    if (detail.code === "not_signed_in") return goOn();
    // The component has asked for the result of its submit. The page shows what is still open, or under way.
    const now = await request("state/", "GET");
    if (now?.status === 410) return goOn();
    const isOpen = now?.ok && ((await now.json()) as State).login !== undefined;
    if (isOpen && detail.code !== "outcome_unknown") goOn();
  });
  askBeforeLeaving(state.timeLeft, () => isBegun);
}

const response = await request("state/", "GET");
if (response?.status === 410) goOn();
else if (response?.ok) start((await response.json()) as State);
else {
  firstForm?.remove();
  login.remove();
  show(response?.status === 401 ? "#no-cookies" : "#broken");
}
