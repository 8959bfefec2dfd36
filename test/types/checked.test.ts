import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const wrong = path("wrong-use.ts");
const right = path("right-use.ts");

const directive = /^\s*\/\/ @ts-expect-error (\d+): (.+)$/;

/** Checks both files as `npm run types` does, with `replaced` in the place of what is on the disk. */
function check(replaced: ReadonlyMap<string, string>, before?: ts.Program): ts.Program {
  const config = ts.readConfigFile(path("../../tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, path("../.."));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, readFile } = host;
  host.readFile = (file) => replaced.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...rest) =>
    replaced.has(file) || !before
      ? getSourceFile(file, ...rest)
      : (before.getSourceFile(file) ?? getSourceFile(file, ...rest));
  return ts.createProgram({ rootNames: [wrong, right], options, host, ...(before && { oldProgram: before }) });
}

function errorsIn(program: ts.Program, file: string): { line: number; code: number }[] {
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is not part of the program`);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ code, start = 0 }) => ({ code, line: source.getLineAndCharacterOfPosition(start).line }),
  );
}

test("wrong use is refused, each for the reason that is written above it, and right use is not", {
  timeout: 600_000,
}, () => {
  const lines = readFileSync(wrong, "utf8").split("\n");
  const expected = lines.flatMap((text, line) => {
    const [, code, reason] = directive.exec(text) ?? [];
    return code && reason ? [{ line, code: Number(code), reason }] : [];
  });
  expect(expected.length).toBeGreaterThan(30);
  // No directive without a reason.
  expect(lines.filter((text) => text.includes("@ts-expect-error"))).toHaveLength(expected.length);

  const asWritten = check(new Map());
  expect(errorsIn(asWritten, right)).toEqual([]);
  expect(errorsIn(asWritten, wrong)).toEqual([]);

  const bare = lines.map((text) => (directive.test(text) ? "" : text)).join("\n");
  const found = errorsIn(check(new Map([[wrong, bare]]), asWritten), wrong);
  const reasons = expected.map(({ line, code, reason }) => {
    const codes = found.filter((error) => error.line === line + 1).map((error) => error.code);
    return codes.includes(code) ? reason : `${reason} (${codes})`;
  });
  expect(reasons).toEqual(expected.map(({ reason }) => reason));
  expect(found).toHaveLength(expected.length);
});
