import { expect, test } from "vitest";
import { API_KEY, startSandbox } from "../../bank/service.ts";
import { programs } from "../../programs.ts";
import { KEY } from "./paused.ts";

const run = programs(new URL("first-process.ts", import.meta.url), new URL("second-process.ts", import.meta.url));

test("a login paused in one process is resumed in another, and both processes end by themselves", async () => {
  const sandbox = await startSandbox();
  const env = { BASE_URL: sandbox.url, API_KEY, SEAL_KEY: KEY };
  const first = await run("first-process", { env });
  expect(first).toEqual({ code: 0, printed: expect.stringMatching(/^[\w.-]{300,600}$/), complaints: "" });
  expect(sandbox.lines()).toEqual(["GET /provider/test/", "POST /login/"]);

  const second = await run("second-process", { env: { ...env, TOKEN: first.printed } });
  expect({ ...second, printed: JSON.parse(second.printed) }).toEqual({
    code: 0,
    printed: {
      status: "success",
      destinations: [
        { id: 1, name: "Institución de prueba 1" },
        { id: 2, name: "Institución de prueba 2" },
      ],
      skipped: 0,
    },
    complaints: "",
  });
  expect(sandbox.lines().map((line) => line.replace(/key=[\w-]+$/, "key=…"))).toEqual([
    "GET /provider/test/",
    "POST /login/",
    "POST /login/?key=…",
    "GET /transfer/destinations?key=…",
  ]);
  expect(sandbox.requests[2]?.form).toEqual({
    provider: "test",
    username: "12345otp",
    password: "asdfg",
    otp: "8888",
  });
});
