import "./drawing.css";
import "./viewer.css";
import { type Taker, takeServed, takeText, watchOpener, watchServer } from "./sources.ts";
import { elementAt, Viewer, type Way } from "./viewer.ts";

const viewer = new Viewer();
const position = elementAt<HTMLInputElement>("position");
const file = elementAt<HTMLInputElement>("file");
const playing = document.querySelector<HTMLElement>("[data-go=play]");
const keys: Readonly<Record<string, Way>> = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

const taker: Taker = {
  take: (moment) => viewer.take(moment),
  say: (text, isWrong = false) => {
    const source = elementAt("source");
    source.textContent = text;
    source.classList.toggle("wrong", isWrong);
  },
};

// Plays as fast as it happened, but waits for nobody: neither long nor too short to be seen.
let timer: ReturnType<typeof setTimeout> | undefined;
const stop = () => {
  clearTimeout(timer);
  timer = undefined;
  playing?.setAttribute("aria-pressed", "false");
};
const playOn = () => {
  timer = setTimeout(
    () => {
      viewer.go("on");
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
const go = (way: Way) => {
  stop();
  viewer.go(way);
};

for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) {
  const way = button.dataset["go"];
  button.addEventListener("click", () => (way === "play" ? play() : go(way as Way)));
}
for (const button of document.querySelectorAll<HTMLElement>("[data-chart]")) {
  button.addEventListener("click", () => viewer.pick(button.dataset["chart"] || undefined));
}
position.addEventListener("input", () => {
  stop();
  viewer.goTo(Number(position.value));
});

document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, altKey, metaKey } = event;
  if (ctrlKey || altKey || metaKey) return;
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
  // There the arrows scroll.
  if (isIn("[tabindex]")) return;
  const way = keys[key];
  if (way) go(way);
  // Space presses the button that has the focus.
  else if (key === " " && !isIn("button")) play();
  else return;
  event.preventDefault();
});

async function open(opened: File | undefined): Promise<void> {
  if (!opened) return;
  stop();
  viewer.clear();
  if (takeText(await opened.text(), taker)) viewer.go("first");
}
elementAt("open").addEventListener("click", () => file.click());
file.addEventListener("change", () => open(file.files?.[0]));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  open(event.dataTransfer?.files[0]);
});

viewer.goTo(0);
if (takeServed(taker)) viewer.go("first");
else if (!watchServer(taker) && !watchOpener(taker)) taker.say("Open a recorded run, or drop it here.");
