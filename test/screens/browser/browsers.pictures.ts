import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { inEachBrowser } from "../browsers/bank-page.ts";
import { openPage } from "./screen-page.ts";

/** The pictures of each browser, as addresses. */
const pictures = new Map<string, string[]>();

inEachBrowser((open, name) => {
  test("the list, the form after a wrong password, and the question", async () => {
    const page = await open();
    await page.evaluate(() => {
      const style = document.createElement("style");
      style.textContent = ":root { background: #eef1f6 } body { margin: 0 } main { padding: 1rem; inline-size: 24rem }";
      document.head.append(style);
    });
    const taken: string[] = [];
    const take = async (step: string) => {
      await page.waitForStep(step);
      // No step that is still moving.
      await expect
        .poll(() =>
          page.evaluate(() => {
            const root = document.querySelector("bank-login")?.shadowRoot;
            return root?.getAnimations?.().some(({ playState }) => playState === "running") ?? false;
          }),
        )
        .toBe(false);
      taken.push(`data:image/png;base64,${Buffer.from(await page.screenshot()).toString("base64")}`);
    };
    await take("choosingProvider");
    await page.fillIn("test", "12345otp", "wrong");
    await page.press("Enter");
    await take("failed");
    await page.type("asdfg");
    await page.press("Enter");
    await take("answering");
    pictures.set(name, taken);
  });
});

/** One row for each browser. Of a window, only the card and a margin. */
afterAll(async () => {
  const [width, height] = [416, 660];
  const { page } = await openPage("about:blank", { viewport: { width: width * 3, height: 400 } });
  const cut = `width:${width}px;height:${height}px;object-fit:none;object-position:0 0`;
  const rows = [...pictures].map(
    ([name, taken]) =>
      `<h1>${name}</h1><div>${taken.map((picture) => `<img style="${cut}" src="${picture}">`).join("")}</div>`,
  );
  await page.setContent(
    `<style>body { margin: 0; font: 1rem system-ui } h1 { font-size: 1rem; margin: 0.5rem 1rem } div { display: flex }</style>${rows.join("")}`,
  );
  const path = fileURLToPath(new URL("../../../docs/pictures/bank-login-browsers.jpg", import.meta.url));
  await page.screenshot({ fullPage: true, type: "jpeg", quality: 72, path });
  await page.context().close();
});
