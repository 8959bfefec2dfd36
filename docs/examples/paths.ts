import { createBankClient, createLoginMachine, loginView } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type LoginPath, loginPaths, PathError, runPath, viewDriver } from "ventanilla/testing";
import { createActor } from "xstate";

// Your screen, opened on the bank of a path. This one is the view alone, without anything to look at.
function openScreen(path: LoginPath) {
  const bank = fetchFor(path);
  const client = createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: SANDBOX_API_KEY,
    fetch: bank,
    retry: false, // a fault is counted by requests
  });
  const actor = createActor(createLoginMachine(client), { input: path.settings }).start();
  const { provider, detail } = path;
  const driver = viewDriver(() => loginView(actor.getSnapshot(), actor, { provider, detail }));
  return { ...driver, received: () => bank.received };
}

const [plain, code, question] = loginPaths({ settings: {} });
for (const path of [plain, code, question]) {
  if (!path) throw new Error("There are more paths than these.");
  await runPath(path, openScreen(path));
  console.log(`${path.number} of ${path.count}: ${path.name}`);
}

// A screen that sends another code than the person typed fails.
if (code) {
  const screen = openScreen(code);
  await runPath(code, { ...screen, answer: () => screen.answer("1111") }, { timeout: 3000 }).catch((error) => {
    if (error instanceof PathError) console.log(error.message);
  });
}
