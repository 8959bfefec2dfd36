import { type BankLogin, defineBankLogin } from "ventanilla/element";
import { lifecycleTelemetry } from "ventanilla/telemetry";
import { serveScreens } from "../harness.ts";

defineBankLogin();
window.lifecycleTelemetry = lifecycleTelemetry;
if (location.search === "?frameworks")
  void import("./frameworks.ts").then(({ showInFrameworks }) => showInFrameworks());

serveScreens((root, { flow, client, provider, settings }) => {
  const element: BankLogin = document.createElement("bank-login");
  element.client = client;
  element.settings = settings;
  // A login alone is the component at a known bank.
  if (flow === "login") element.provider = provider;
  root.append(element);
  return () => root.remove();
});
