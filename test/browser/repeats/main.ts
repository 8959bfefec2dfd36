import { type BankClient, BankError, createBankClient, reveal, type Secret } from "ventanilla";

const client = createBankClient({ baseUrl: "/bank", retry: false });

const calls: Record<string, (client: BankClient, ...given: string[]) => Promise<{ status: string }>> = {
  login: (bank, username = "") => bank.login({ provider: "test", username, password: "word" }),
  answer: (bank, username = "", key = "") =>
    bank.login({ provider: "test", username, password: "word", otp: "1" }, { key }),
  logout: (bank, key = "") => bank.logout(key),
  selectClient: (bank, key = "", id = "") => bank.selectClient(key, id),
};

/** Makes one call while the browser keeps two used connections, and says how it ended. */
async function call(name: string, ...given: string[]): Promise<{ status: string; key?: string }> {
  await Promise.all([client.listProviders(), client.listProviders()]);
  try {
    const response = await (calls[name] as (typeof calls)[string])(client, ...given);
    return { status: response.status, ...("key" in response && { key: reveal(response.key as Secret) }) };
  } catch (error) {
    return { status: error instanceof BankError ? error.code : String(error) };
  }
}

Object.assign(window, { call });
