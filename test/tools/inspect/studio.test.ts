import { readFileSync } from "node:fs";
import ts from "typescript";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { toDefinition } from "../../../src/tools/trace/definition.ts";

// Studio reads the text of a file and runs nothing. These tests read it in the same way and compare it with the running statechart.

const members = ["id", "initial", "type", "target", "guard", "src", "actions", "entry", "exit", "tags"];
const trees = ["states", "on", "after", "invoke", "always", "onDone", "onError", "onSnapshot"];

/** The value of a literal, read without running it. */
function read(node: ts.Expression, isKeyed = false): unknown {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => read(element));
  // A plain constant of the file is read where it stands. Of `as const` nothing would be left, so it is refused.
  if (ts.isIdentifier(node)) return read(constantIn(node.getSourceFile(), node.text));
  // Only the name of `emit(…)` is kept.
  if (ts.isCallExpression(node)) return { type: node.expression.getText() };
  if (!ts.isObjectLiteralExpression(node)) throw new Error(`Studio can't read ${node.getText()}`);
  const entries = node.properties.flatMap((property): [string, unknown][] => {
    if (!ts.isPropertyAssignment(property)) throw new Error(`Studio can't read ${property.getText()}`);
    const name = ts.isIdentifier(property.name) || ts.isStringLiteral(property.name) ? property.name.text : "";
    if (!isKeyed && !members.includes(name) && !trees.includes(name)) return [];
    return [[name, read(property.initializer, ["states", "on", "after"].includes(name))]];
  });
  return Object.fromEntries(entries);
}

/** The literal of a constant. */
function constantIn(source: ts.SourceFile, name: string): ts.Expression {
  const found = source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name)?.initializer;
  if (!found) throw new Error(`Studio can't read ${name}`);
  return found;
}

/** The literal of the one statechart in a file. */
function literalIn(path: string): ts.Expression {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const find = (node: ts.Node): ts.Expression[] => {
    const isChart = ts.isCallExpression(node) && node.expression.getText().endsWith(".createMachine");
    const inner: ts.Node[] = [];
    ts.forEachChild(node, (child) => void inner.push(child));
    return [...(isChart ? node.arguments.slice(0, 1) : []), ...inner.flatMap(find)];
  };
  const [literal, ...others] = find(source);
  if (!literal || others.length > 0) throw new Error("Studio takes a file with one statechart.");
  return literal;
}

test.each([
  ["login", loginMachine],
  ["link", linkMachine],
] as const)("machines/%s.ts can be read without running it, and is the complete statechart", (name, machine) => {
  const path = new URL(`../../../machines/${name}.ts`, import.meta.url).pathname;
  expect(read(literalIn(path))).toEqual(JSON.parse(JSON.stringify(toDefinition(machine))));
});
