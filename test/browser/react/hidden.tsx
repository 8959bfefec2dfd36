import { Activity, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { LoginScreen } from "../../../docs/examples/react/LoginScreen.tsx";

window.requests = [];
window.aborted = [];

// A bank that never answers.
const client = createBankClient({
  baseUrl: "http://bank.test",
  apiKey: SANDBOX_API_KEY,
  fetch: (_input, init) =>
    new Promise((_, reject) => {
      window.requests.push(String(init?.method));
      init?.signal?.addEventListener("abort", () => {
        window.aborted.push(String(init.method));
        reject(init.signal?.reason);
      });
    }),
});

function Page() {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!isShown)}>
        Switch
      </button>
      <Activity mode={isShown ? "visible" : "hidden"}>
        <LoginScreen client={client} provider="test" />
      </Activity>
    </>
  );
}

createRoot(document.body).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
