import type { Frame, Page } from "playwright-core";

/** Width and height of a phone, a tablet and desktops. */
export const windowSizes = [
  [375, 812],
  [768, 1024],
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const;

/** Waits until the viewer has followed a change of size, which it does after it was drawn. */
export const waitForFrames = (viewer: Page | Frame) =>
  viewer.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** The faults in the layout of the viewer, one sentence each. */
export async function layoutFaults(viewer: Page | Frame): Promise<string[]> {
  await waitForFrames(viewer);
  return viewer.evaluate(() => {
    const faults: string[] = [];
    // One pixel, because browsers round.
    const isBetweenSides = (inner: Element, outer: Element): boolean => {
      const [one, other] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
      return one.left >= other.left - 1 && one.right <= other.right + 1;
    };
    const isWithin = (inner: Element, outer: Element): boolean => {
      const [one, other] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
      return isBetweenSides(inner, outer) && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
    };
    const all = <Kind extends Element = HTMLElement>(selector: string) => [
      ...document.querySelectorAll<Kind>(selector),
    ];

    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than its window");

    const [drawing] = all("#drawing");
    const [chart] = all<SVGSVGElement>("#drawing svg:not([hidden])");
    if (!drawing || !chart) return ["there is no drawing"];
    const active = all("svg:not([hidden]) .state.current").at(-1) ?? all("svg:not([hidden]) .first")[0];
    if (!active || !isWithin(active, drawing)) faults.push("the active state is out of view");
    // In a large window the whole drawing shows; in a small one it scrolls, and its labels keep their size.
    const isLarge = innerWidth > 1500 && innerHeight > 1000;
    const isScrolled = drawing.scrollWidth > drawing.clientWidth || drawing.scrollHeight > drawing.clientHeight;
    if (isLarge && isScrolled) faults.push("the drawing is larger than its place");
    const readable = isLarge ? 9.5 : 12;
    for (const text of chart.querySelectorAll("text")) {
      const size = Number.parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a ?? 0);
      if (size < readable) faults.push(`${text.textContent} has ${size} px`);
      if (!isWithin(text, chart)) faults.push(`${text.textContent} reaches out of the drawing`);
    }
    for (const labelled of chart.querySelectorAll(".state, .arrow:has(text)")) {
      const [box, ...texts] = labelled.querySelectorAll("rect:first-of-type, text");
      // The box of a text is as high as its font, which leaves room for accents above and below.
      for (const text of texts.filter(({ tagName }) => tagName === "text")) {
        if (!box || !isBetweenSides(text, box)) faults.push(`${text.textContent} reaches out of its place`);
      }
    }

    const [log] = all("#log");
    const [step] = all("#log [aria-current]");
    if (log && step && !isWithin(step, log)) faults.push("the current event is out of view");
    for (const element of all("p, h1, button, dd, output, .what")) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") {
        if (!element.classList.contains("unseen")) faults.push(`${element.textContent} is cut off`);
      }
    }
    const lists = innerWidth <= 800 ? ", #log button, #actors button" : "";
    for (const control of all(`header button, .bar button, footer button, #position${lists}`)) {
      const { width, height } = control.getBoundingClientRect();
      // Not shown in a large window.
      if (width < 44 || height < 44) faults.push(`${control.textContent} is ${width} by ${height}`);
    }
    return faults;
  });
}
