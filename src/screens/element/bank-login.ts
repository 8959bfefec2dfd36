import { LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { LinkSettings } from "../../../machines/link.types.ts";
import { isUnreceived } from "../../../machines/slots.ts";
import type { BankClient } from "../../core/api/client.ts";
import type { RelayClientOptions } from "../../core/api/client-options.ts";
import type { StringOrSecret } from "../../core/api/input-checks.ts";
import { createRelayClient } from "../../core/api/relay-client.ts";
import type { RelayHeaders } from "../../core/api/relay-headers.ts";
import type { Secret } from "../../core/api/secret.ts";
import { componentTexts, type LanguageOptions, type Texts } from "../../core/texts/languages.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { ProviderAliases } from "../../core/view/provider-search.ts";
import type { LinkScreenOptions } from "../../core/view/screen-actor.ts";
import { focusStep, ignoreSecondClicks, keepFocus, keepHeight } from "./card.ts";
import { Countdown } from "./countdown.ts";
import { FlowController } from "./flow-controller.ts";
import { FormController } from "./form-controller.ts";
import { ListSearch } from "./list-search.ts";
import { PageLocale } from "./page-locale.ts";
import { screenTemplate } from "./screen-template.ts";
import { type BankLoginEvents, dispatchBankMissing, dispatchStateEvents } from "./step-events.ts";
import { card } from "./styles/card.ts";
import { controls } from "./styles/controls.ts";
import { steps } from "./styles/steps.ts";
import { theme } from "./styles/theme.ts";

type State = LinkView["state"];

/**
 * What switches something on: as an attribute any text but `false`. Vue and React write `:name="false"` as the text, a template of a server
 * perhaps as `False`, and some frameworks set the property to the text.
 */
const isOn = (value: unknown): boolean => value === "" || (Boolean(value) && !/^false$/i.test(String(value)));

/** Whether what the person has sent did not reach the bank: it is sent again by one press. */
const isUnsent = (view: LinkView | undefined): boolean =>
  (view?.state === "failed" && isUnreceived(view.failure)) ||
  (view?.state === "awaitingInteraction" && view.question.isUnreceived);

const flag = (attribute: string) => ({ converter: isOn, attribute });

// A page may set the relay after it has asked for its address. In milliseconds.
const RELAY_EXPECTED = 1000;

/**
 * `<bank-login>`: a bank login from the choice of a bank to a session, accessible and in three languages.
 *
 * It sends requests only to the relay (`ventanilla/relay`) at `relay`, which has the API key. Its events contain no secret: the relay's
 * `onLogin` gets the session key, on the server.
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
    account: { type: String },
    country: { type: String },
    countries: { type: String },
    locale: { type: String },
    theme: { type: String, reflect: true },
    clientSelection: flag("client-selection"),
    skipSingleClient: flag("skip-single-client"),
    sessionReplacement: flag("session-replacement"),
    dependentChoices: flag("dependent-choices"),
    destinations: flag("destinations"),
    answerTimeout: { type: Number, attribute: "answer-timeout" },
    remoteLogos: flag("remote-logos"),
    savedLogins: flag("saved-logins"),
    hostName: { type: String, attribute: "host-name" },
    hostLogo: { type: String, attribute: "host-logo" },
    continueUrl: { type: String, attribute: "continue-url" },
    passwordHelp: { attribute: false },
    aliases: { attribute: false },
    logos: { attribute: false },
    texts: { attribute: false },
    settings: { attribute: false },
    client: { attribute: false },
    headers: { attribute: false },
    inspect: { attribute: false },
    keep: { attribute: false },
    session: { attribute: false },
  };

  // Lit keeps these accessors, and adds that a change is drawn.
  static {
    for (const [name, property] of Object.entries(BankLogin.properties)) {
      if (!("converter" in property)) continue;
      Object.defineProperty(BankLogin.prototype, name, {
        configurable: true,
        get(this: BankLogin): boolean {
          return this.#flags.has(name);
        },
        set(this: BankLogin, value: unknown) {
          if (isOn(value)) this.#flags.add(name);
          else this.#flags.delete(name);
        },
      });
    }
  }

  /** The relay's address, absolute or relative to the page. A change starts again. */
  declare relay: string | undefined;
  /** The bank's code, if you know it: the person then chooses no bank. A change starts again. */
  declare provider: string | undefined;
  /**
   * The person's user name at the bank, if you know it: the form starts with it, and the person types only the password.
   * Set the property, to a text or a `Secret`: every script and browser extension can read an attribute. Default none.
   */
  declare username: StringOrSecret | undefined;
  /**
   * The account of the person who is signed in to the page, such as its id: after a reload a question shows to this account alone. A change starts again.
   * Default none: the next person who uses the tab sees the question.
   */
  declare account: string | undefined;
  /** The first filter of the list of banks, in capitals or small letters. Default, and for a country without banks: every country. */
  declare country: string | undefined;
  /**
   * The countries whose banks are loaded, by their codes, with spaces between: `UY AR`, in capitals or small letters. Banks without a country are loaded too. A change
   * starts again. Not together with `client`. Default: every country.
   */
  declare countries: string | undefined;
  /** A language tag, such as `es` or `es-MX`. Default: the language of the page. There are texts in `en`, `es` and `pt`; for others see `texts`. */
  declare locale: string | undefined;
  /** `light`, `dark`, or `auto` for the system's. Default: the `color-scheme` of the page. */
  declare theme: "light" | "dark" | "auto" | undefined;
  /** Lets the person choose a client. Beyond the contract. Default false. */
  declare clientSelection: boolean;
  /** With `clientSelection`: chooses the client automatically if there is only one. Default false: the person sees whom the login is for. */
  declare skipSingleClient: boolean;
  /** Offers to close the sessions that are open, perhaps all of the user's, after `max_sessions_reached`. Beyond the contract. Default false. */
  declare sessionReplacement: boolean;
  /** Asks the bank which choices remain after another choice. Beyond the contract. Default false. */
  declare dependentChoices: boolean;
  /** Lists the transfer destinations before the login counts as done. Default false. */
  declare destinations: boolean;
  /** Milliseconds to answer a question or to choose a client; shown as a countdown. Default 300 000, five minutes. */
  declare answerTimeout: number | undefined;
  /** Loads the banks' logos from any origin. Default: only from the relay's own origin; otherwise initials show. */
  declare remoteLogos: boolean;
  /**
   * Lets the browser fill in the user name and the password that it has saved for the page's origin, and save new ones. Only for an origin that
   * serves bank logins alone: elsewhere the saved login is that of the page itself, and the bank would get it. Default false.
   */
  declare savedLogins: boolean;
  /** The name of your app, as people know it: the form shows who asks, beside the bank. Default: "this site". */
  declare hostName: string | undefined;
  /** The address of your logo, beside the bank's. It needs `hostName`, whose initials show otherwise. */
  declare hostLogo: string | undefined;
  /** Where the person goes on after the login: an address for a button. Default: no button; your page does what comes next at `login`. */
  declare continueUrl: string | undefined;
  /** Where a person gets a new password, by the bank's code: `{ bbva_mx: "https://…" }`. Its link is at the form, and where the bank has locked the user. The service's list has none. Default none. */
  declare passwordHelp: Readonly<Record<string, string>> | undefined;
  /** Other names that people use in the search, by the bank's code: `{ bbva_mx: ["Bancomer"] }`. The service's list has none. Default none. */
  declare aliases: ProviderAliases | undefined;
  /** Your own logos of banks, by the bank's code: `{ bbva_mx: "/logos/bbva.svg" }`. They win over the service's. Default none. */
  declare logos: Readonly<Record<string, string>> | undefined;
  /** Words in place of the built-in ones, whole or in part; with `locale`, those of another language. Default none. */
  declare texts: Texts | undefined;
  /** Further settings of the flow; the attributes win. Default none. */
  declare settings: LinkSettings | undefined;
  /** A client of your own in place of `relay`, such as one on a sandbox in the page. Never one with an API key. */
  declare client: BankClient | undefined;
  /**
   * Headers for the relay, such as `{ authorization: "Bearer …" }` for its `readUser`: an object, or a function that is called before
   * each request. A change applies to the next request. Not together with `client`, which has its own.
   */
  declare headers: RelayClientOptions["headers"];
  /**
   * Gets the statechart's events, as the option of XState's `createActor`. Secrets in them are opaque. Set it before the component is
   * on the page.
   */
  declare inspect: LinkScreenOptions["inspect"];
  /**
   * Where the name of the login is kept, so that it survives a reload of the page. `false`: nowhere. Default: `sessionStorage`. Set it
   * before the component is on the page. Two components of a page that keep logins need an `id`, or a `provider`, each.
   */
  declare keep: LinkScreenOptions["keep"];
  /** As that of `createRelayClient`: for the page of a hosted login. Set it before the component is on the page. */
  declare session: RelayClientOptions["session"];

  #relayClient: { readonly name: string; readonly client: BankClient } | undefined;
  /** The names of the properties that are on. */
  readonly #flags = new Set<string>();
  readonly #flow = new FlowController(this, () => this.#createFlow());
  readonly #countdown = new Countdown(this);
  readonly #form = new FormController(this);
  readonly #banks = new ListSearch(this, ".banks");
  readonly #clients = new ListSearch(this, ".clients");
  readonly #pageLocale = new PageLocale(this);
  #shown: { state: State; number: number; bank: string | undefined } | undefined;
  /** The view that was drawn last. */
  #drawn: LinkView | undefined;
  #hadFocus = false;
  #wasPressed = false;

  /** As on any element, with the types of the component's own events. */
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
  override addEventListener(...parameters: Parameters<HTMLElement["addEventListener"]>): void {
    super.addEventListener(...parameters);
  }

  /** The state of the view that is shown; `undefined` before the component knows its relay. */
  get state(): State | undefined {
    return this.#view?.state;
  }

  /** The session key of a finished login, opaque. A relay gives one that is good for that relay only. */
  get key(): Secret | undefined {
    const view = this.#view;
    return view?.state === "linked" ? view.key : undefined;
  }

  /** Puts the focus into the first empty field. During a request the focus goes there when the response has come. */
  override focus(): void {
    if (this.hasUpdated) focusStep(this.renderRoot);
    else void this.updateComplete.then(() => this.focus());
  }

  /** Starts again, and aborts the request runs. */
  restart(): void {
    this.#startAgain(false);
  }

  #startAgain(keepsLogin: boolean): void {
    this.#form.drop();
    this.#flow.start({ keepsLogin });
    this.#banks.change({ text: "", country: this.country ?? "" });
  }

  get #view(): LinkView | undefined {
    return this.#flow.view({ ...this.#language, username: this.username, savedLogins: this.savedLogins });
  }

  get #language(): LanguageOptions {
    return { locale: this.locale ?? this.#pageLocale.find(), texts: this.texts };
  }

  /** The relay's address in whole. */
  get #relayUrl() {
    return new URL(this.relay ?? "", this.ownerDocument.baseURI);
  }

  #createFlow() {
    const { relay, client } = this;
    if (!client && relay == null) return undefined;
    const settings: LinkSettings = {
      ...this.settings,
      ...(this.clientSelection && { clientSelection: true }),
      ...(this.sessionReplacement && { sessionReplacement: true }),
      ...(this.dependentChoices && { dependentChoices: true }),
      // A removed attribute is null.
      ...(this.answerTimeout != null && { answerTimeout: this.answerTimeout }),
      ...(this.provider && { provider: this.provider }),
      ...(this.destinations && { destinations: true }),
    };
    return {
      client: client ?? this.#findRelayClient(this.#relayUrl.href, this.countries?.trim()),
      options: {
        settings,
        inspect: this.inspect,
        keep: this.keep,
        account: this.account || undefined,
        name: this.id || undefined,
      },
    };
  }

  /** One for as long as its relay: it knows which submit was the last. */
  #findRelayClient(baseUrl: string, countries: string | undefined): BankClient {
    const { session } = this;
    const name = `${baseUrl} ${countries}`;
    if (this.#relayClient?.name !== name) {
      const client = createRelayClient({
        baseUrl,
        headers: () => this.#readHeaders(),
        ...(countries && { countries: countries.split(/\s+/) }),
        ...(session && { session }),
      });
      this.#relayClient = { name, client };
    }
    return this.#relayClient.client;
  }

  #readHeaders(): RelayHeaders | Promise<RelayHeaders> {
    const { headers = {} } = this;
    return typeof headers === "function" ? headers() : headers;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("pagehide", this.#leavePage);
    window.addEventListener("pageshow", this.#returnToPage);
    window.addEventListener("online", this.#reconnect);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("pagehide", this.#leavePage);
    window.removeEventListener("pageshow", this.#returnToPage);
    window.removeEventListener("online", this.#reconnect);
  }

  // The browser may keep the page as it is, and show it after Back to the next person.
  readonly #leavePage = () => this.#form.drop();

  readonly #reconnect = () => {
    if (this.#form.offline !== undefined) this.#form.showOffline();
  };

  /** The page continues automatically after a login, but not a second time. */
  readonly #returnToPage = ({ persisted }: PageTransitionEvent) => {
    if (persisted && this.state === "linked") this.restart();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isAnother = (["relay", "provider", "client", "countries"] as const).some((name) => changed.has(name));
    if ((isAnother || changed.has("account")) && this.hasUpdated) this.#startAgain(!isAnother);
    if (changed.has("country")) this.#banks.change({ country: this.country ?? "" });
    const view = this.#view;
    this.#countdown.count(view);
    // In a window that is not in front, nothing matches `:focus-within`.
    this.#hadFocus = this.shadowRoot?.activeElement != null;
    if (view?.state === this.#shown?.state) return;
    this.#form.clear(view?.state === "failed" ? view.fieldErrors : {});
    this.#clients.filter = { ...this.#clients.filter, text: "" };
    // During the request the password stays in its place, as dots.
    if (!view?.busy && !isUnsent(view)) this.#form.emptySent();
  }

  protected override render(): TemplateResult | typeof nothing {
    const view = this.#view;
    this.#drawn = view;
    if (!view) return nothing;
    const language = this.#language;
    return screenTemplate({
      view,
      texts: componentTexts(language),
      language,
      form: this.#form,
      countdown: this.#countdown,
      logos: { own: this.logos, origin: this.remoteLogos ? undefined : this.#relayUrl.origin },
      banks: this.#banks,
      clients: this.#clients,
      host: {
        name: this.hostName || undefined,
        logo: this.hostLogo ?? undefined,
        continueUrl: this.continueUrl ?? undefined,
        passwordHelp: this.passwordHelp,
      },
      aliases: this.aliases,
      missed: (detail) => dispatchBankMissing(this, detail),
      restart: () => this.restart(),
      pressed: (event) => {
        this.#wasPressed = true;
        keepFocus(event);
      },
    });
  }

  protected override updated(): void {
    const view = this.#drawn;
    if (!view) return;
    keepHeight(this.renderRoot);
    const number = view.state === "awaitingInteraction" ? view.question.number : 0;
    const before = this.#shown;
    if (before?.state === view.state && before.number === number) return;
    this.#shown = { state: view.state, number, bank: "bank" in view ? view.bank?.code : undefined };
    dispatchStateEvents(this, view);
    if (view.state === "selectClient" && this.skipSingleClient && view.clients.length === 1) {
      this.#form.showOffline(view.choose(view.clients[0]?.id ?? ""));
    }
    // The first search of a long list is slow. It is done once the list is drawn, so that no key press waits for it.
    if (view.state === "choosingProvider") setTimeout(() => view.search({ text: "a" }));
    // Not the first list of banks, which no click has brought.
    if (this.#wasPressed) ignoreSecondClicks(this.renderRoot);
    // The focus moves within the component, and is never taken from the rest of the page.
    if (before && this.#hadFocus) focusStep(this.renderRoot, before.bank);
  }

  protected override firstUpdated(): void {
    setTimeout(() => {
      if (!this.isConnected || this.client || this.relay != null) return;
      // biome-ignore lint/suspicious/noConsole: the developer would see an empty page.
      console.warn('<bank-login> shows nothing without a relay. Set its address: <bank-login relay="/bank/">.');
    }, RELAY_EXPECTED);
  }
}
