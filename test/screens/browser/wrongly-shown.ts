/**
 * What no page may show, in the page itself: the box of something that is `hidden`, and a text with a place that nobody has filled in, such as
 * `{time}`.
 *
 * @param part of the page. Default all of it.
 */
export function listWronglyShown(part: Element = document.documentElement): string[] {
  const within = (root: Element | ShadowRoot): (Element | ShadowRoot)[] => [
    root,
    ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? within(shadowRoot) : [])),
  ];
  const roots = within(part);
  const isDrawn = (one: Element) => one.getClientRects().length > 0;
  const all = (selector: string) => roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter(isDrawn);
  // A text of the page is within its elements, and one of a shadow root within the root's.
  const texts = roots
    .flatMap((root) => (root instanceof HTMLElement ? root : [...root.children].filter(isDrawn)))
    .map((one) => (one as HTMLElement).innerText);
  const names = ["title", "alt", "placeholder", "aria-label"];
  const named = all(names.map((name) => `[${name}]`).join()).flatMap((one) =>
    names.flatMap((name) => one.getAttribute(name) ?? []),
  );
  return [
    ...all("[hidden]").map(({ outerHTML }) => `is hidden and has a box: ${outerHTML}`),
    ...[...texts, ...named]
      .flatMap((text) => text?.match(/.*\{\w*\}.*/g) ?? [])
      .map((text) => `is not filled in: ${text}`),
  ];
}
