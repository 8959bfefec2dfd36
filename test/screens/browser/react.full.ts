import { expect } from "vitest";
import { testElement } from "./react-element.ts";
import { test } from "./screen-page.ts";
import { testDevelopment } from "./screens.ts";

testDevelopment("react", (url) => {
  test("a server sends only the tag of <BankLogin>, and defines no element", async () => {
    // Another test file of this process may have defined it.
    const before = globalThis.customElements?.get("bank-login");
    const sent = await (await fetch(new URL("element", url()))).text();
    expect(sent).toContain('<bank-login class="wide"></bank-login>');
    expect(globalThis.customElements?.get("bank-login")).toBe(before);
  });

  testElement("hydrates", () => new URL("element", url()).href);
});
