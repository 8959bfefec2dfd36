import { type Action, type Fault, linkPaths, loginPaths, type Path, runPath } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { walkedLink, walkedLogin } from "../../src/testing/rehearsal.ts";
import { recorder, transitionsOf } from "../model/coverage.ts";
import { openScreen } from "./screen.ts";
import { unreachable } from "./unreachable.ts";

const { taken, inspect } = recorder();

const count = (path: Path, type: Action["type"]) => path.steps.filter(({ action }) => action.type === type).length;

describe.each<[string, readonly Path[]]>([
  ["login", loginPaths()],
  ["link", linkPaths()],
])("each %s path is true of the real statecharts and the sandbox", (_flow, paths) => {
  test.concurrent.each(paths.map((path) => [path.name, path] as const))("%s", async (_name, path) => {
    const { driver, sent, close } = await openScreen(path, inspect);
    await runPath(path, driver);
    close();
    const names = sent.map(({ name }) => name);
    const times = (name: string) => names.filter((other) => other === name).length;
    // One login for each form that the person sends, and one more for each session that was closed at the person's word.
    const isInTheWay = ({ request, what }: Fault) =>
      request === "GET /logout/" && !JSON.stringify(what).includes("logged_out");
    const closed = count(path, "replaceSession") - path.faults.filter(isInTheWay).length;
    expect(times("POST /login/")).toBe(count(path, "submit") + closed);
    expect(times("POST /login/?key")).toBe(count(path, "answer"));
  });
});

describe("together the paths take", () => {
  const every = [...transitionsOf(walkedLogin), ...transitionsOf(walkedLink)];
  const isExcluded = (name: string) =>
    unreachable.some(({ source, event }) => name.startsWith(`${source} on ${event},`));

  test("nothing is excluded that does not exist", () => {
    for (const { source, event } of unreachable) {
      expect(every.some((name) => name.startsWith(`${source} on ${event},`))).toBe(true);
    }
  });

  test("every other transition of both statecharts, and none of those", () => {
    expect([...taken].filter(isExcluded)).toEqual([]);
    expect(every.filter((name) => !isExcluded(name) && !taken.has(name))).toEqual([]);
  });
});
