import { expect } from "vitest";
import { layoutFaults, waitForFrames, windowSizes } from "../../screens/browser/viewer-layout.ts";
import { linked, moves, test, testColours } from "./viewer-page.ts";

test("the layout shows the active state and the event at each size, with readable labels and large buttons", async ({
  page,
}) => {
  const asked = moves(linked, "login", "awaitingInteraction");
  const nested = moves(linked, "link", { loggingIn: "active" });
  for (const [width, height] of windowSizes) {
    for (const step of [0, asked, nested, moves(linked, "login", "loggedIn"), linked.events.length]) {
      // In a small window first, so that most of the drawing is out of view.
      await page.setViewportSize({ width: 800, height: 480 });
      await page.locator("#position").fill(String(step));
      // A window that is back before the next frame has not changed for the page.
      await waitForFrames(page);
      await page.setViewportSize({ width, height });
      expect(await layoutFaults(page), `${width} × ${height}, step ${step}`).toEqual([]);
    }
  }
});

testColours("dark", "rgb(18, 23, 29)");
