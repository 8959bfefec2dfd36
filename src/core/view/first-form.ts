import type { ProviderDetail } from "../../../machines/provider.types.ts";

/** What the form of a known bank is drawn from, before the component itself runs. */
export interface FirstForm {
  readonly detail: ProviderDetail;
  readonly provider: string;
  readonly locale: string;
  readonly savedLogins: boolean | undefined;
  readonly hostName: string;
  readonly hostLogo: string | undefined;
  /** Whose logos of banks may be loaded. */
  readonly origin: string;
}
