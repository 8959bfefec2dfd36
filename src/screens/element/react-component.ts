/**
 * `<bank-login>` as a React component, and its tag in JSX. Peers: `react`, `lit`.
 *
 * @packageDocumentation
 */
"use client";

import type { LitElement } from "lit";
import {
  createElement,
  type DetailedHTMLProps,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import { BankLogin as BankLoginElement, type BankLoginEvents, defineBankLogin } from "./index.ts";

export type { BankLoginElement, BankLoginEvents };

/** The properties of `<bank-login>`. */
type BankLoginProperties = Partial<Omit<BankLoginElement, keyof LitElement | "state" | "key" | "restart">>;

/** On, unless it is absent or `false`. */
type Flag = boolean | "" | "true" | "false";

/** The attributes of `<bank-login>` whose properties have another name. */
interface BankLoginAttributes {
  readonly "client-selection"?: Flag;
  readonly "skip-single-client"?: Flag;
  readonly "session-replacement"?: Flag;
  readonly "dependent-choices"?: Flag;
  readonly "answer-timeout"?: number | string;
  readonly "remote-logos"?: Flag;
  readonly "saved-logins"?: Flag;
  readonly "host-name"?: string;
  readonly "host-logo"?: string;
  readonly "continue-url"?: string;
}

/** The handlers of the component's events. Each event goes to the handler of the last render. */
interface BankLoginHandlers {
  /** A session was reached. The relay's `onLogin` gets its key, on the server. */
  readonly onLogin?: ((event: BankLoginEvents["login"]) => void) | undefined;
  /** Something went wrong; the component shows it, and what the person can do. */
  readonly onFailure?: ((event: BankLoginEvents["failure"]) => void) | undefined;
  /** The state changed. */
  readonly onState?: ((event: BankLoginEvents["state"]) => void) | undefined;
  /** A search for a bank has found nothing, and the person has ended it. */
  readonly onBankMissing?: ((event: BankLoginEvents["bank-missing"]) => void) | undefined;
  /** The person closed the login. */
  readonly onCancel?: ((event: BankLoginEvents["cancel"]) => void) | undefined;
}

/** The properties of the element, its events, and what every element takes, such as `className`. */
export interface BankLoginProps
  extends BankLoginProperties,
    BankLoginHandlers,
    Omit<HTMLAttributes<BankLoginElement>, "children" | "dangerouslySetInnerHTML"> {}

const isProperty = (name: string) => Object.hasOwn(BankLoginElement.properties, name);

// Has the defaults of the properties that a render does not name.
let defaults: BankLoginElement | undefined;

// A server has no layout, and React 18 warns of a layout effect there.
const useCommitEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * `<bank-login>` in React 18 and 19. It defines the tag, in the browser. A server sends the empty tag: the login starts when the
 * listeners are attached, so hydration loses no event. (React itself adds listeners to a custom element when it creates the element, not
 * when it hydrates it.)
 *
 * A `ref` gets the element. Another `client` starts the login again: create it outside of the render.
 *
 * @example
 * <BankLogin relay="/bank/" locale="es" clientSelection onLogin={({ detail }) => goOn(detail.provider)} />
 */
export const BankLogin: ForwardRefExoticComponent<BankLoginProps & RefAttributes<BankLoginElement>> = forwardRef(
  function BankLogin({ onLogin, onFailure, onState, onBankMissing, onCancel, className, hidden, ...rest }, ref) {
    const element = useRef<BankLoginElement>(null);
    const handlers = useRef<BankLoginHandlers>({});
    useImperativeHandle(ref, () => element.current as BankLoginElement);
    useCommitEffect(() => {
      handlers.current = { onLogin, onFailure, onState, onBankMissing, onCancel };
      defineBankLogin();
      defaults ??= document.createElement("bank-login");
      // The element notices the changes itself. Its flow starts with its first update, after all effects.
      for (const name of Object.keys(BankLoginElement.properties)) {
        Object.assign(element.current ?? {}, { [name]: Reflect.get(name in rest ? rest : defaults, name) });
      }
    });
    useCommitEffect(() => {
      const controller = new AbortController();
      const { signal } = controller;
      element.current?.addEventListener("login", (event) => handlers.current.onLogin?.(event), { signal });
      element.current?.addEventListener("failure", (event) => handlers.current.onFailure?.(event), { signal });
      element.current?.addEventListener("state", (event) => handlers.current.onState?.(event), { signal });
      element.current?.addEventListener("bank-missing", (event) => handlers.current.onBankMissing?.(event), { signal });
      element.current?.addEventListener("cancel", (event) => handlers.current.onCancel?.(event), { signal });
      return () => controller.abort();
    }, []);
    const attributes = Object.fromEntries(Object.entries(rest).filter(([name]) => !isProperty(name)));
    // React 18 writes them into the attributes `classname` and `hidden="false"`, which hides.
    return createElement("bank-login", { ...attributes, class: className, hidden: hidden || undefined, ref: element });
  },
);

/** The tag in JSX: properties by their names, as React 19 sets them, and attributes. */
type TagProps = DetailedHTMLProps<HTMLAttributes<BankLoginElement>, BankLoginElement> &
  BankLoginAttributes &
  BankLoginProperties & {
    readonly [Type in keyof BankLoginEvents as `on${Type}`]?: (event: BankLoginEvents[Type]) => void;
  };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "bank-login": TagProps;
    }
  }
}
