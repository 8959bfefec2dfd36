import { LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { LinkSettings } from "../../machines/link.types.ts";
import { type BankClient, createBankClient } from "../api/client.ts";
import type { FailureCode, Recovery } from "../api/failures.ts";
import type { StringOrSecret } from "../api/options.ts";
import type { Secret } from "../api/secret.ts";
import type { LinkView } from "../view/link-view.ts";
import type { LinkScreenOptions } from "../view/screen-options.ts";
import { focusStep, ignoreSecondClicks, keepHeight } from "./card.ts";
import { type BankLoginTexts, mergeTexts, toLocale } from "./component-texts.ts";
import { Countdown, readExpiry } from "./countdown.ts";
import { FlowController } from "./flow-controller.ts";
import { FormController } from "./form-controller.ts";
import { screenTemplate } from "./screen-template.ts";
import { card } from "./styles/card.ts";
import { controls } from "./styles/controls.ts";
import { steps } from "./styles/steps.ts";
import { theme } from "./styles/theme.ts";

type Step = LinkView["step"];

// Banks at a time: a list may have 50,000.
const PAGE = 50;

// A page may set the relay once it has asked for its address.
const RELAY_EXPECTED = 1000;

/** What the component tells the page. No event holds a secret: the server half gets the session key (`onLogin`). */
export interface BankLoginEvents {
  /** A session was reached. */
  login: CustomEvent<{ readonly provider: string }>;
  /** Something went wrong; the component shows it, and what helps. */
  failure: CustomEvent<{ readonly code: FailureCode; readonly text: string; readonly recovery: Recovery }>;
  /** Another screen is shown. */
  step: CustomEvent<{ readonly step: LinkView["step"] }>;
  /** The person closed the login. */
  cancel: CustomEvent<Record<never, never>>;
}

/**
 * `<bank-login>`: a bank login from the choice of a bank to a session, accessible and in three languages.
 *
 * It speaks to a relay (`ventanilla/relay`) at `relay`, which keeps the API key, and to nobody else. Its events hold no
 * secret: on the server, the relay's `onLogin` gets the session key.
 *
 * @example
 * <bank-login relay="/bank/" locale="es" client-selection></bank-login>
 */
export class BankLogin extends LitElement {
  /** @internal */
  static override readonly styles = [theme, card, controls, steps];

  /** @internal */
  static override readonly properties = {
    relay: { type: String },
    provider: { type: String },
    username: { type: String },
    country: { type: String },
    locale: { type: String },
    theme: { type: String, reflect: true },
    clientSelection: { type: Boolean, attribute: "client-selection" },
    sessionReplacement: { type: Boolean, attribute: "session-replacement" },
    dependentChoices: { type: Boolean, attribute: "dependent-choices" },
    destinations: { type: Boolean },
    answerTimeout: { type: Number, attribute: "answer-timeout" },
    remoteLogos: { type: Boolean, attribute: "remote-logos" },
    texts: { attribute: false },
    settings: { attribute: false },
    client: { attribute: false },
    inspect: { attribute: false },
  };

  /** The relay's address, absolute or relative to the page. A change begins anew. */
  declare relay: string | undefined;
  /** The bank's code, where it is known already: no bank is chosen then. A change begins anew. */
  declare provider: string | undefined;
  /**
   * The person's user name at the bank, where it is known: the form begins with it, and only the password is left to type.
   * Set the property, with a text or a `Secret`: an attribute stands in the page for every script and extension to read.
   * Default none.
   */
  declare username: StringOrSecret | undefined;
  /**
   * The country that the list of banks is filtered by at first, as the list writes it or in small letters. Default, and
   * where no bank is of it: every country.
   */
  declare country: string | undefined;
  /** `en`, `es` or `pt`. Default: the language of the page, else `en`. */
  declare locale: string | undefined;
  /** `light`, `dark`, or `auto` for the system's. Default: the `color-scheme` of the page. */
  declare theme: "light" | "dark" | "auto" | undefined;
  /** Let the person choose a client. Beyond the contract. Default false. */
  declare clientSelection: boolean;
  /** Offer to close the other session after `max_sessions_reached`. Beyond the contract. Default false. */
  declare sessionReplacement: boolean;
  /** Ask the bank which choices another choice leaves. Beyond the contract. Default false. */
  declare dependentChoices: boolean;
  /** List where the session can transfer to before the login counts as done. Default false. */
  declare destinations: boolean;
  /** Milliseconds to answer a question or to choose a client; shown as a countdown. Default 300 000, five minutes. */
  declare answerTimeout: number | undefined;
  /** Load the banks' pictures from wherever they are. Default: only from the relay's own origin; else their initials show. */
  declare remoteLogos: boolean;
  /** Words of your own, in place of the component's. */
  declare texts: Partial<BankLoginTexts>;
  /** Further settings of the flow; the attributes win. Default none. */
  declare settings: LinkSettings | undefined;
  /** A client of your own in place of `relay`, such as one on a sandbox in the page. Never one with an API key. */
  declare client: BankClient | undefined;

  /** Sees the statechart's events, as the option of XState's `createActor`. Secrets in them are opaque. Set it before the component is on the page. */
  declare inspect: LinkScreenOptions["inspect"];

  readonly #flow = new FlowController(this, () => this.#createFlow());
  readonly #countdown = new Countdown(this);
  readonly #form = new FormController(this);
  #search = { text: "", country: "" };
  #limit = PAGE;
  #endOfBanks: IntersectionObserver | undefined;
  #language: MutationObserver | undefined;
  #shown: { step: Step; number: number } | undefined;
  #hadFocus = false;

  constructor() {
    super();
    this.texts = {};
    this.clientSelection = false;
    this.sessionReplacement = false;
    this.dependentChoices = false;
    this.destinations = false;
    this.remoteLogos = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The language of the page may change at run time.
    this.#language = new MutationObserver(() => this.requestUpdate());
    this.#language.observe(this.ownerDocument.documentElement, { attributeFilter: ["lang"] });
    // More banks, as soon as the person sees the end of them.
    this.#endOfBanks = new IntersectionObserver(([end]) => {
      if (!end?.isIntersecting) return;
      this.#limit += PAGE;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#language?.disconnect();
    this.#endOfBanks?.disconnect();
  }

  /** As on any element, with the component's own events by their types. */
  override addEventListener<Name extends keyof BankLoginEvents>(
    type: Name,
    listener: (event: BankLoginEvents[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** The step that is shown; `undefined` before the component knows its relay. */
  get step(): Step | undefined {
    return this.#view?.step;
  }

  /** The session key of a finished login, opaque. A relay gives one that is good for that relay only. */
  get key(): Secret | undefined {
    const view = this.#view;
    return view?.step === "linked" ? view.key : undefined;
  }

  /** Puts the focus where the person goes on: into the first empty field. During a wait it goes there when the wait is over. */
  override focus(): void {
    focusStep(this.renderRoot);
  }

  /** Begins anew; what is under way is aborted. */
  restart(): void {
    this.#form.clear();
    this.#search = { text: "", country: this.country ?? "" };
    this.#flow.begin();
    this.requestUpdate();
  }

  get #locale() {
    // On a server an element is nowhere, and has nothing around it.
    return toLocale(this.locale ?? (this.closest?.("[lang]")?.getAttribute("lang") || "en"));
  }

  /** Where the banks' pictures may come from; `undefined` is anywhere. */
  get #logoOrigin() {
    return this.remoteLogos ? undefined : new URL(this.relay ?? "", this.ownerDocument.baseURI).origin;
  }

  get #view(): LinkView | undefined {
    return this.#flow.view({ locale: this.#locale, username: this.username });
  }

  #createFlow() {
    const { relay, client } = this;
    if (!client && relay == null) return undefined;
    const settings: LinkSettings = {
      ...this.settings,
      ...(this.clientSelection && { clientSelection: true }),
      ...(this.sessionReplacement && { sessionReplacement: true }),
      ...(this.dependentChoices && { dependentChoices: true }),
      // An attribute that was taken away is null.
      ...(this.answerTimeout != null && { answerTimeout: this.answerTimeout }),
      ...(this.provider && { provider: this.provider }),
      destinations: this.destinations || this.settings?.destinations === true,
    };
    return {
      client: client ?? createBankClient({ baseUrl: new URL(relay ?? "", this.ownerDocument.baseURI).href }),
      options: { settings, ...(this.inspect && { inspect: this.inspect }) },
    };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isAnother = changed.has("relay") || changed.has("provider") || changed.has("client");
    if (isAnother && this.hasUpdated) this.restart();
    // An attribute that was taken away is null.
    if (changed.has("country")) this.#search = { ...this.#search, country: this.country ?? "" };
    const view = this.#view;
    this.#countdown.countTo(readExpiry(view));
    this.#hadFocus = this.matches(":focus-within");
    if (view?.step !== this.#shown?.step) this.#form.clear();
  }

  protected override render(): TemplateResult | typeof nothing {
    const view = this.#view;
    if (!view) return nothing;
    return screenTemplate({
      view,
      texts: mergeTexts(this.#locale, this.texts),
      locale: this.#locale,
      generation: this.#flow.generation,
      form: this.#form,
      countdown: this.#countdown,
      logoOrigin: this.#logoOrigin,
      search: { ...this.#search, limit: this.#limit },
      filter: (search) => {
        this.#search = { ...this.#search, ...search };
        this.#limit = PAGE;
        this.requestUpdate();
      },
      restart: () => this.restart(),
    });
  }

  protected override updated(): void {
    const view = this.#view;
    if (!view) return;
    keepHeight(this.renderRoot, view.step);
    this.#endOfBanks?.disconnect();
    const end = this.renderRoot.querySelector(".more");
    if (end) this.#endOfBanks?.observe(end);
    const number = view.step === "answering" ? view.question.number : 0;
    const before = this.#shown;
    if (before?.step === view.step && before.number === number) return;
    this.#shown = { step: view.step, number };
    this.#tell("step", { step: view.step });
    if ("failure" in view) {
      const { code, text, recovery } = view.failure;
      this.#tell("failure", { code, text, recovery });
    } else if (view.step === "linked") this.#tell("login", { provider: view.provider });
    else if (view.step === "cancelled") this.#tell("cancel", {});
    // A search reads a long list at its first word: once the list is drawn, so that no key waits for it.
    if (view.step === "choosingProvider") setTimeout(() => view.search({ text: "a" }));
    ignoreSecondClicks(this.renderRoot);
    // The focus follows the person who works here, and is never taken from elsewhere on the page.
    if (before && this.#hadFocus) focusStep(this.renderRoot);
  }

  protected override firstUpdated(): void {
    setTimeout(() => {
      if (!this.isConnected || this.client || this.relay != null) return;
      // biome-ignore lint/suspicious/noConsole: whoever wrote the page sees nothing on it.
      console.warn('<bank-login> shows nothing without a relay. Set its address: <bank-login relay="/bank/">.');
    }, RELAY_EXPECTED);
  }

  #tell<Name extends keyof BankLoginEvents>(name: Name, detail: BankLoginEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
