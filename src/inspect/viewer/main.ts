import "./drawing.css";
import "./viewer.css";
import { type Listener, takeServedTrace, takeTrace, watchOpener, watchServer } from "./sources.ts";
import { type Destination, elementAt, Viewer } from "./viewer.ts";

const viewer = new Viewer();
const position = elementAt<HTMLInputElement>("position");
const file = elementAt<HTMLInputElement>("file");
const playing = document.querySelector<HTMLElement>("[data-go=play]");
const drawing = elementAt("drawing");
const whole = elementAt("whole");
const keys: Readonly<Record<string, Destination>> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
};

const listener: Listener = {
  take: (event) => viewer.take(event),
  say: (text, isWrong = false) => {
    const source = elementAt("source");
    source.textContent = text;
    source.classList.toggle("wrong", isWrong);
  },
};

// Plays at the original speed, within limits: each step is visible, and a wait for the person is short.
let timer: ReturnType<typeof setTimeout> | undefined;
const stop = () => {
  clearTimeout(timer);
  timer = undefined;
  playing?.setAttribute("aria-pressed", "false");
};
const playOn = () => {
  timer = setTimeout(
    () => {
      viewer.go("next");
      if (viewer.isAtEnd) stop();
      else playOn();
    },
    Math.min(1200, Math.max(120, viewer.pause)),
  );
};
const play = () => {
  if (timer !== undefined) return stop();
  if (viewer.isAtEnd) viewer.go("first");
  playing?.setAttribute("aria-pressed", "true");
  playOn();
};
const go = (destination: Destination) => {
  stop();
  viewer.go(destination);
};

for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) {
  const destination = button.dataset["go"];
  button.addEventListener("click", () => (destination === "play" ? play() : go(destination as Destination)));
}
for (const button of document.querySelectorAll<HTMLElement>("[data-chart]")) {
  button.addEventListener("click", () => viewer.pick(button.dataset["chart"] || undefined));
}
whole.addEventListener("click", () => {
  const isWhole = whole.getAttribute("aria-pressed") === "false";
  whole.setAttribute("aria-pressed", String(isWhole));
  viewer.fit(isWhole);
});
position.addEventListener("input", () => {
  stop();
  viewer.goTo(Number(position.value));
});

const isScrollable = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
  scrollWidth > clientWidth || scrollHeight > clientHeight;

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return;
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
  // The arrow keys scroll the drawing.
  if (target === drawing && isScrollable(drawing)) return;
  const destination = keys[key];
  if (destination) go(destination);
  // Space presses a focused button.
  else if (key === " " && !isIn("button")) play();
  else return;
  event.preventDefault();
});

async function open(opened: File | undefined): Promise<void> {
  if (!opened) return;
  stop();
  viewer.clear();
  if (takeTrace(await opened.text(), listener)) viewer.go("first");
}
elementAt("open").addEventListener("click", () => {
  // A file that was recorded anew can be opened again.
  file.value = "";
  file.click();
});
file.addEventListener("change", () => open(file.files?.[0]));
viewer.goTo(0);
if (takeServedTrace(listener)) viewer.go("first");
else if (!watchServer(listener) && !watchOpener(listener)) listener.say("Open a trace.");
