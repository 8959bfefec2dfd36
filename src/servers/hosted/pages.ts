import { failureTexts, fillIn, findSpoken, hostedTexts } from "../../core/texts/languages.ts";
import { formatAccentUrl, formatAssetUrl } from "./assets.ts";
import type { HostedEndStatus, HostedSettings } from "./hosted-options.ts";
import type { Session } from "./session-row.ts";

interface PageInput {
  readonly settings: HostedSettings;
  readonly locale: string;
}

/** Scripts, styles and requests of the own origin alone. A page of another site can neither frame it nor keep a handle on its window. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");

/** The headers of every response but those of the relay and of the page's files. @param logo its address, if the page shows one. */
export const createHeaders = (logo?: string): Record<string, string> => ({
  "cache-control": "no-store",
  "content-security-policy": logo === undefined ? POLICY : POLICY.replace("img-src", `img-src ${new URL(logo).origin}`),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
});

/**
 * The page on which a person logs in.
 *
 * @param firstForm the form of the bank, which shows while the component loads. Its style is its own, as the component's is.
 * @param answerTime milliseconds in which it shows a question: as long as the session's record says.
 */
export function formatLoginPage(
  input: PageInput,
  { id, row: { door } }: Session,
  { firstForm, answerTime, setCookie }: { firstForm: string | undefined; answerTime: number; setCookie: string },
): Response {
  const { clientSelection, logout, savedLogins, name, logo } = input.settings;
  const texts = hostedTexts(input.locale);
  const attributes = [
    ` host-name="${escapeHtml(name)}"`,
    logo && ` host-logo="${escapeHtml(logo)}"`,
    clientSelection && " client-selection",
    logout && " session-replacement",
    savedLogins && " saved-logins",
  ];
  const { host } = new URL(door.returnTo ?? input.settings.url);
  const content = `
      <h1>${escapeHtml(fillIn(texts.asks, { name, site: host }))}</h1>
      <p class="check">${escapeHtml(texts.check)}</p>
      <div id="login">${firstForm === undefined ? "" : formatShadow(firstForm)}
      <bank-login data-session="${id}" answer-timeout="${answerTime}"${attributes.filter(Boolean).join("")}></bank-login>
      </div>
      <dialog aria-labelledby="leave">
        <h2 id="leave">${escapeHtml(texts.leave)}</h2>
        <p id="comes-back" data-text="${escapeHtml(texts.comesBack)}" hidden></p>
        <p id="is-over" hidden>${escapeHtml(texts.isOver)}</p>
        <form method="dialog"><button>${escapeHtml(texts.stay)}</button><button value="leave">${escapeHtml(texts.go)}</button></form>
      </dialog>
      <p class="message" id="left" role="status" data-text="${escapeHtml(texts.comesBack)}" hidden></p>
      <p class="problem" id="no-cookies" role="alert" hidden>${escapeHtml(texts.noCookies)}</p>
      <p class="problem" id="broken" role="alert" hidden>${escapeHtml(texts.broken)}</p>
      <noscript><p class="problem">${escapeHtml(texts.noScript)}</p></noscript>`;
  const scripts = (["element.js", "page.js"] as const).map(
    (file) => `\n    <script type="module" src="${formatAssetUrl(file)}"></script>`,
  );
  return respond(200, formatPage(input, texts.title, content, scripts.join("")), setCookie, logo);
}

/** The first form, in a tree of its own, as the component draws it. */
const formatShadow = (form: string) => `
      <div id="first-form"><template shadowrootmode="open">
        <link rel="stylesheet" href="${formatAssetUrl("form.css")}" />
        ${form}
      </template></div>`;

/**
 * A page that says why there is no login, and what to do.
 *
 * @param options.bank the name of the bank, after its login.
 * @param options.back where the person can go on.
 * @param options.mayHaveArrived whether something was with the bank when it ended.
 */
export function formatMessagePage(
  text: HostedEndStatus | "used" | "elsewhere" | "unknown" | "broken",
  httpStatus: number,
  input: PageInput,
  {
    bank,
    back,
    mayHaveArrived = false,
  }: {
    readonly bank?: string | undefined;
    readonly back?: string | undefined;
    readonly mayHaveArrived?: boolean;
  } = {},
): Response {
  const { may_have_arrived: doubt } = failureTexts(input);
  const { name } = input.settings;
  const texts = hostedTexts(input.locale);
  const message = fillIn(texts[text], { name, bank: bank ?? texts.yourBank });
  const [title = ""] = message.split(/(?<=[.?])\s/);
  const sign =
    text === "logged_in" ? "m5 12.5 4.5 4.5L19 7" : text === "cancelled" ? "m6 6 12 12M18 6 6 18" : "M12 4v10m0 5v.1";
  const content = `
      <h1>${escapeHtml(name)}</h1>
      <div class="message ${text}">
        <svg viewBox="0 0 24 24" width="72" height="72" fill="none" stroke="currentColor" aria-hidden="true"><path d="${sign}" /></svg>
        <p>${escapeHtml(mayHaveArrived ? `${message} ${doubt}` : message)}</p>${back === undefined ? "" : formatBack(back, input.locale)}
      </div>`;
  return respond(httpStatus, formatPage(input, title.replace(/\.$/, ""), content, ""));
}

function formatBack(address: string, locale: string): string {
  const text = fillIn(hostedTexts(locale).back, { site: new URL(address).host });
  return `
        <p><a href="${escapeHtml(address)}">${escapeHtml(text)}</a></p>`;
}

function formatPage({ settings, locale }: PageInput, title: string, content: string, scripts: string): string {
  const accent = settings.accent && `\n    <link rel="stylesheet" href="${formatAccentUrl(settings.accent)}" />`;
  return `<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(`${title} – ${settings.name}`)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${formatAssetUrl("page.css")}" />${accent ?? ""}${scripts}
  </head>
  <body>
    <main>${content}
    </main>
  </body>
</html>
`;
}

function respond(status: number, page: string, setCookie?: string, logo?: string): Response {
  const headers = { ...createHeaders(logo), "content-type": "text/html; charset=utf-8" };
  return new Response(page, {
    status,
    headers: setCookie === undefined ? headers : { ...headers, "set-cookie": setCookie },
  });
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "");

/** The language of a page: the session's, else the first of the browser's that there are texts in, else English. */
export function readLocale(request: Request, chosen?: string): string {
  const accepted = (request.headers.get("accept-language") ?? "").split(",").map((range) => range.trim().split(";")[0]);
  return [chosen, ...accepted].map((tag) => findSpoken(tag)).find((locale) => locale !== undefined) ?? "en";
}
