import { createRoot } from "react-dom/client";
import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type Path } from "ventanilla/testing";
import { LinkScreen } from "../../../../docs/examples/react/LinkScreen.tsx";
import { LoginScreen } from "../../../../docs/examples/react/LoginScreen.tsx";
import "../../../../docs/examples/screen.css";

// The page under test, as docs/testing.md describes it: the test has set `window.path`.
const { path } = window as unknown as { readonly path: Path };
const bank = fetchFor(path);
window.bank = bank;
const client = createBankClient({ baseUrl: "http://bank.test", apiKey: SANDBOX_API_KEY, fetch: bank, retry: false });
const root = createRoot(document.body.appendChild(document.createElement("main")));
if (path.flow === "link") root.render(<LinkScreen client={client} settings={path.settings} />);
else {
  const { provider, detail, settings } = path;
  root.render(<LoginScreen client={client} provider={provider} detail={detail} settings={settings} />);
}
