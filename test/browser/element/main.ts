import { type BankLogin, defineBankLogin } from "ventanilla/element";
import { serveScreens } from "../harness.ts";

defineBankLogin();
if (location.search === "?frameworks")
  void import("./frameworks.ts").then(({ showInFrameworks }) => showInFrameworks());

serveScreens((root, { flow, client, provider, settings }) => {
  const element: BankLogin = document.createElement("bank-login");
  element.client = client;
  element.settings = settings;
  // A login alone is the component at a bank that is known, which asks for no destinations.
  if (flow === "login") element.provider = provider;
  else element.destinations = !("destinations" in settings) || settings.destinations !== false;
  root.append(element);
  return () => root.remove();
});
