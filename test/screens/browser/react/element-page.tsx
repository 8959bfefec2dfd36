import { StrictMode, useState } from "react";
import type { BankClient } from "ventanilla";
import { BankLogin } from "ventanilla/react/element";

/** The component, with handlers that are others at each render. */
export function ElementPage({ client }: { client?: BankClient }) {
  const [render, setRender] = useState(1);
  const [isShown, setShown] = useState(true);
  const tell = (what: string) => window.requests.push(`render ${render}: ${what}`);
  return (
    <StrictMode>
      <button type="button" onClick={() => setRender(render + 1)}>
        Render
      </button>
      <button type="button" onClick={() => setShown(!isShown)}>
        Remove
      </button>
      {isShown && (
        <BankLogin
          client={client}
          provider="test"
          locale="es"
          className="wide"
          hidden={false}
          onState={({ detail }) => tell(detail.state)}
          onFailure={({ detail }) => tell(detail.code)}
          onLogin={({ detail }) => tell(`logged in at ${detail.provider}`)}
          onCancel={() => tell("cancelled")}
        />
      )}
    </StrictMode>
  );
}
