import { afterAll, beforeAll, describe } from "vitest";
import { testPaths } from "./paths.ts";
import { serveBuilt } from "./vite.ts";

describe("every path of the test kit leads <bank-login> where it should", () => {
  let served: Awaited<ReturnType<typeof serveBuilt>>;
  beforeAll(async () => {
    served = await serveBuilt("element", "test/browser/element");
  });
  afterAll(() => served.close());

  testPaths(() => served.url);
});
