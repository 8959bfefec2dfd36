import { describe, expect, test } from "vitest";
import { coveringPaths, everyPath, listParts, listResults, resultPaths, testPaths } from "./paths.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

describe("<bank-login>", () => {
  const served = setUpServer(() => serveBuilt("element", "test/screens/browser/element"));
  // Every path is in slow-drivers.full.ts.
  testPaths(() => served().url, resultPaths);
});

test("the covering paths show every state and use every verb, of a login and of a link", () => {
  const listAll = (paths: typeof everyPath) => [...new Set(paths.flatMap(listParts))].sort();
  const all = listAll(everyPath);
  expect(listAll(coveringPaths)).toEqual(all);
  for (const part of ["login: replaceSession", "login: wait", "link: retry", "link: cancelLink", "link: selectClient"])
    expect(all).toContain(part);
  expect(coveringPaths.length).toBeLessThan(everyPath.length / 4);
  const listed = (paths: typeof everyPath) => [...new Set(paths.flatMap(listResults))].sort();
  expect(listed(resultPaths)).toEqual(listed(everyPath));
  expect(listed(resultPaths)).toContain("login: submit to failed wrong_credentials");
  expect(resultPaths.length).toBeLessThan(everyPath.length / 2);
});
