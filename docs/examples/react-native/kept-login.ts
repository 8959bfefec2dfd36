import * as SecureStore from "expo-secure-store";
import {
  type BankClient,
  createCredentials,
  createLoginMachine,
  interactionKind,
  type LoginSnapshot,
  reveal,
  secret,
} from "ventanilla";
import { createActor, type InspectionEvent } from "xstate";

const NAME = "bank-login";
const STORED_HERE = { keychainAccessible: SecureStore.WHEN_UNLOCKED_THIS_DEVICE_ONLY };
// The relay has the username and the password in the key, and does not read what stands in their place.
const IN_THE_KEY = "kept-in-the-key";

/** What is stored while the bank asks: no password, and nothing that opens the key. */
interface KeptLogin {
  readonly provider: string;
  readonly key: string;
  readonly interaction: NonNullable<LoginSnapshot["context"]["interaction"]>;
}

/** Stores a login while the bank asks, and forgets it as soon as it goes on. Give it to `useLink` as `inspect`. */
export function keepWhileAsked(event: InspectionEvent): void {
  if (event.type === "@xstate.snapshot" && isLogin(event.snapshot)) keep(event.snapshot);
}

const isLogin = (snapshot: object): snapshot is LoginSnapshot =>
  (snapshot as Partial<LoginSnapshot>).machine?.id === "login";

let stored = "";

function keep({ value, context: { provider, key, interaction } }: LoginSnapshot): void {
  const isAsked = value === "awaitingInteraction" && key && interaction && hasRoom(interaction);
  const kept = isAsked ? JSON.stringify({ provider, key: reveal(key), interaction } satisfies KeptLogin) : "";
  if (kept === stored) return;
  stored = kept;
  // An app that could not store it asks for the password again: nothing else is lost.
  const written = kept ? SecureStore.setItemAsync(NAME, kept, STORED_HERE) : SecureStore.deleteItemAsync(NAME);
  written.catch(() => console.warn("The login is not kept."));
}

/** A Keychain has no room for a picture. */
const hasRoom = (interaction: KeptLogin["interaction"]) => interactionKind(interaction).kind !== "picture";

/** The login that the app was closed in, if there is one: it waits for the answer again, and nothing was sent. */
export function takeUpKept(client: BankClient) {
  stored = SecureStore.getItem(NAME, STORED_HERE) ?? "";
  const kept = parseKept(stored);
  if (!kept) return undefined;
  const { provider, key, interaction } = kept;
  const actor = createActor(createLoginMachine(client), { input: {}, inspect: keepWhileAsked }).start();
  const credentials = createCredentials({ provider, username: IN_THE_KEY, password: IN_THE_KEY });
  const { expiresAt } = interaction;
  actor.send({
    type: "login.resume",
    paused: {
      id: credentials.id,
      settings: {},
      provider,
      credentials,
      key: secret(key),
      interaction,
      clients: [],
      expiresAt,
      sessionReplaced: false,
    },
  });
  return actor;
}

/** What is stored, if this version of the app can read it: an earlier one may have stored another shape. */
function parseKept(text: string): KeptLogin | undefined {
  try {
    const kept: KeptLogin = JSON.parse(text);
    const { field, context, number } = kept.interaction;
    const isWhole = [kept.provider, kept.key, field, context].every((part) => typeof part === "string");
    return isWhole && Number.isInteger(number) ? kept : undefined;
  } catch {
    // Nothing is lost: the person types the password again.
    return undefined;
  }
}
