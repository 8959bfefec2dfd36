import "./drawing.css";
import "./viewer.css";
import { type Listener, takeServedTrace, takeTrace, watchOpener, watchServer } from "./sources.ts";
import { type Destination, elementAt, Viewer } from "./viewer.ts";

const viewer = new Viewer();
const position = elementAt<HTMLInputElement>("position");
const file = elementAt<HTMLInputElement>("file");
const drawing = elementAt("drawing");
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

for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) {
  button.addEventListener("click", () => viewer.go(button.dataset["go"] as Destination));
}
for (const button of document.querySelectorAll<HTMLElement>("[data-chart]")) {
  button.addEventListener("click", () => viewer.pick(button.dataset["chart"] || undefined));
}
position.addEventListener("input", () => viewer.goTo(Number(position.value)));

const isScrollable = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
  scrollWidth > clientWidth || scrollHeight > clientHeight;

document.addEventListener("keydown", (event) => {
  const destination = keys[event.key];
  if (!destination || event.ctrlKey || event.altKey || event.metaKey) return;
  // The arrow keys scroll the drawing.
  if (event.target === drawing && isScrollable(drawing)) return;
  viewer.go(destination);
  event.preventDefault();
});

async function open(opened: File | undefined): Promise<void> {
  if (!opened) return;
  viewer.clear();
  if (takeTrace(await opened.text(), listener)) viewer.go("last");
}
elementAt("open").addEventListener("click", () => {
  // Otherwise the same file could not be opened again after another recording.
  file.value = "";
  file.click();
});
file.addEventListener("change", () => open(file.files?.[0]));
viewer.goTo(0);
// Its path is marked.
if (takeServedTrace(listener)) viewer.go("last");
else if (!watchServer(listener) && !watchOpener(listener)) listener.say("Open a trace.");
