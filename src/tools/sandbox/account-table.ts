import { banks } from "./banks/index.ts";

/** The right answer to one interaction. */
export interface SandboxAnswer {
  /** The interactive field (contract, section 2.3). */
  readonly field: string;
  readonly answer: string;
  /** The fields that the bank asks for at the same time, with their right answers. */
  readonly together?: Readonly<Record<string, string>>;
}

/** A user of a bank in the sandbox, and what a login as that user shows. */
export interface SandboxAccount {
  /** The provider's code, the value sent as `provider` (contract, section 4.1). */
  readonly provider: string;
  /** The provider's country, two uppercase letters (contract, section 2.1). */
  readonly country: string;
  /** The bank user's name. */
  readonly username: string;
  /** The bank user's password, which is valid only here. */
  readonly password: string;
  /** The values of the provider's own fields, to be sent in the first login (contract, section 4.1). */
  readonly fields?: Readonly<Record<string, string>>;
  /** The right answers, in the order in which they are asked for (contract, section 3). */
  readonly answers?: readonly SandboxAnswer[];
  /** The clients to choose from after `select_client`, by their ids. Beyond the contract. */
  readonly clients?: Readonly<Record<string, string>>;
  /** What happens, in a few words. */
  readonly shows: string;
}

/** Every account of the sandbox: the docs and the tests take their accounts from this table. */
export const sandboxAccounts: readonly SandboxAccount[] = [...banks.values()].flatMap((bank) =>
  bank.accounts.map(({ username, password, fields, shows, script }) => {
    const answers = script.flatMap((step) =>
      step.step === "interaction"
        ? [{ field: step.field, answer: step.answer, ...(step.together && { together: step.together }) }]
        : [],
    );
    const selection = script.find((step) => step.step === "clients");
    return {
      provider: bank.code,
      country: bank.country,
      username,
      password,
      ...(fields && { fields }),
      ...(answers.length > 0 && { answers }),
      ...(selection && { clients: Object.fromEntries(selection.clients) }),
      shows,
    };
  }),
);
