import type { ProviderDetail } from "../../../machines/provider.types.ts";
import { limitTime } from "../../core/api/repetition.ts";
import type { FirstForm } from "../../core/view/first-form.ts";
import { findBuiltFile } from "../../tools/inspect/built-files.ts";
import type { HostedSettings } from "./hosted-options.ts";

/** The module of the build: `src/screens/element/first-form.ts`. */
interface FirstFormModule {
  formatFirstForm(form: FirstForm): string;
}

/** Milliseconds that a page waits for the fields of its bank. Later the component reads them. */
const READ_TIME = 1_000;

let loading: Promise<FirstFormModule> | undefined;

/** A built file, because it brings the component with its packages. */
function loadModule(): Promise<FirstFormModule> {
  loading ??= import(/* @vite-ignore */ findBuiltFile("hosted", "first-form.js").href) as Promise<FirstFormModule>;
  return loading;
}

/** What the service says of a bank; `undefined` if it does not do so in time. */
export async function readDetail(
  { client, environment }: HostedSettings,
  provider: string,
): Promise<ProviderDetail | undefined> {
  const reading = client.getProvider(provider, { timeout: READ_TIME }).catch(() => undefined);
  const response = await limitTime(reading, READ_TIME, () => undefined, environment.wait);
  return response?.status === "success" ? response.provider : undefined;
}

/**
 * The form of a bank as HTML, which a person sees and fills in while the component loads. What was typed goes on in the component's own.
 *
 * @returns `undefined` if the service does not give the bank's fields in time: the component reads them then.
 */
export async function formatFirstForm(
  settings: HostedSettings,
  provider: string,
  locale: string,
): Promise<string | undefined> {
  const detail = await readDetail(settings, provider);
  if (!detail) return undefined;
  const { origin, name, logo, savedLogins } = settings;
  const { formatFirstForm: format } = await loadModule();
  return format({ detail, provider, locale, savedLogins, hostName: name, hostLogo: logo, origin });
}
