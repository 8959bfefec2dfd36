import { beforeAll, describe, test } from "@jest/globals";
import { render } from "@testing-library/react-native";
import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, linkPaths, loginPaths, type Path, runPath } from "ventanilla/testing";
import { LinkScreen } from "./LinkScreen";
import { LoginScreen } from "./LoginScreen";
import { screenDriver } from "./screen-driver";

beforeAll(() => {
  // The screens draw when they want to, as on a phone.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
});

function renderScreen(path: Path) {
  const client = createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: SANDBOX_API_KEY,
    fetch: fetchFor(path),
    retry: false, // a fault is counted by requests
  });
  if (path.flow === "link") return render(<LinkScreen client={client} settings={path.settings} />);
  const { provider, detail, settings } = path;
  return render(<LoginScreen client={client} provider={provider} detail={detail} settings={settings} />);
}

describe.each<{ flow: string; paths: readonly Path[] }>([
  { flow: "login", paths: loginPaths() },
  { flow: "link", paths: linkPaths() },
])("each path of the $flow", ({ paths }) => {
  test.each(paths)("$name", async (path) => {
    renderScreen(path);
    await runPath(path, screenDriver(), { timeout: 30_000 });
  });
});
