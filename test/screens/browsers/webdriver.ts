import { vi } from "vitest";
import { findFreePort } from "../../free-port.ts";
import { type Display, end, patience, start } from "./display.ts";
import type { Tab } from "./windows.ts";

/** Keys by their names in `KeyboardEvent`, as WebDriver writes them. */
const keys: Readonly<Record<string, string>> = {
  Enter: "\ue007",
  Tab: "\ue004",
  Escape: "\ue00c",
  ArrowDown: "\ue015",
  ArrowUp: "\ue013",
  Backspace: "\ue003",
};

/** A window of WebKitGTK, driven by W3C WebDriver. */
export async function openWebKit(display: Display) {
  const port = await findFreePort();
  const driver = await start("WebKitWebDriver", [`--port=${port}`], display.environment);
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const { value } = await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json();
    if (value?.error) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  await vi.waitUntil(() => send("GET", "/status").catch(() => undefined), patience);
  const { sessionId } = await send("POST", "/session", {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
  });
  const session = (method: string, path: string, body?: object) => send(method, `/session/${sessionId}${path}`, body);
  await session("POST", "/window/rect", { x: 0, y: 0, width: 1000, height: 900 });
  const act = (type: "pointer" | "key", actions: readonly object[]) =>
    session("POST", "/actions", { actions: [{ type, id: type, actions }] });

  const tab: Tab = {
    goto: (url) => session("POST", "/url", { url }),
    // It has one tab.
    activate: async () => {},
    evaluate: async (source, parameters) => {
      const script = `const [parameters, done] = arguments; Promise.resolve((${source})(...parameters)).then((value) => done([value]), (error) => done(String(error)))`;
      const result = await session("POST", "/execute/async", { script, args: [parameters] });
      if (typeof result === "string") throw new Error(result);
      return result[0];
    },
    click: async (x, y, times, pause) => {
      const press = [
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      const rest = Array.from({ length: times - 1 }, () => [{ type: "pause", duration: pause }, ...press]).flat();
      await act("pointer", [{ type: "pointerMove", x: Math.round(x), y: Math.round(y) }, ...press, ...rest]);
    },
    press: async (names) => {
      const values = names.map((name) => keys[name] ?? name);
      await act(
        "key",
        values.flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      );
    },
    traverse: (steps) => session("POST", steps < 0 ? "/back" : "/forward", {}),
    reload: () => session("POST", "/refresh", {}),
    screenshot: async () => Buffer.from(await session("GET", "/screenshot"), "base64"),
    close: async () => {},
  };
  return {
    // Its only page, for all tests: to close a page closes the window.
    open: async () => tab,
    close: async () => {
      await session("DELETE", "");
      await end(driver);
    },
  };
}
