import { defineBankLogin } from "ventanilla/element";
import { onLifecycle } from "ventanilla/telemetry";
import { sandboxClient } from "../../../docs/examples/sandbox-client.ts";

defineBankLogin();
window.requests = [];

const element = document.createElement("bank-login");
element.client = sandboxClient();
element.provider = "test";
element.inspect = onLifecycle(({ type, provider }) => window.requests.push(`${type} ${provider}`));
document.body.append(element);
