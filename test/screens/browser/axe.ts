import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";
import { listWronglyShown } from "./wrongly-shown.ts";

/** The code of axe, for pages that load nothing by themselves. */
export const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Those with a tag would be more: axe leaves some out unless they are asked for.
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * The violations that axe finds on a page, each with its elements, and what no page may show.
 *
 * @param part a selector of the part to check. Default the whole page.
 * @param rules `colours` for those that a colour scheme or a theme can break, where the rest was checked in another one. Default all.
 */
export async function violationsIn(
  page: Page | Frame,
  part?: string,
  rules: "all" | "colours" = "all",
): Promise<string[][]> {
  // A policy may forbid the page to load it. It does not apply to what the debugger evaluates.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async ([selector, options]) => {
      // What fades in has too little contrast for a moment.
      const roots = [document, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
      const fading = roots
        .flatMap((root) => root.getAnimations())
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
      await Promise.allSettled(fading.map(({ finished }) => finished));
      const { axe } = window as unknown as {
        axe: {
          run(context: unknown, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await axe.run(selector ?? document, options);
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    },
    [part, rules === "all" ? {} : { runOnly: COLOUR_RULES }] as const,
  );
  const shown = rules === "all" ? await page.evaluate(listWronglyShown, undefined) : [];
  return [...violations, ...shown.map((fault) => [fault])];
}
