import * as SecureStore from "expo-secure-store";

const STORED_HERE = { keychainAccessible: SecureStore.WHEN_UNLOCKED_THIS_DEVICE_ONLY };

/** A name has letters, digits, dots, hyphens and underscores alone. */
const toName = (name: string) => name.replaceAll(/[^\w.-]+/g, "_");
const write = (name: string, text: string) => SecureStore.setItem(toName(name), text, STORED_HERE);

/** Keeps the login that the app is closed in: its id, token and number. Nothing that was typed is in it. Give it to `useLink` as `keep`. */
export const keychain = {
  getItem: (name: string) => SecureStore.getItem(toName(name), STORED_HERE),
  setItem: write,
  // An item is deleted later: perhaps after the next login was written.
  removeItem: (name: string) => write(name, ""),
};
