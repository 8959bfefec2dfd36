import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";

// Stately Studio reads one literal statechart per file and draws what it can name.

const parse = (name: string) => {
  const file = new URL(`../../machines/${name}.ts`, import.meta.url);
  return ts.createSourceFile(file.pathname, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
};

const descendants = (node: ts.Node): ts.Node[] => {
  const found: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    found.push(child, ...descendants(child));
  });
  return found;
};

const calledName = (node: ts.CallExpression): string => {
  const { expression } = node;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : "";
};

const chartsIn = (source: ts.SourceFile): ts.CallExpression[] =>
  descendants(source)
    .filter(ts.isCallExpression)
    .filter((call) => calledName(call) === "createMachine");

const propertiesOf = (node: ts.Node): ts.PropertyAssignment[] => descendants(node).filter(ts.isPropertyAssignment);
const nameOf = (property: ts.PropertyAssignment): string =>
  ts.isIdentifier(property.name) || ts.isStringLiteral(property.name) ? property.name.text : "";

const membersOf = (node: ts.Expression): readonly ts.ObjectLiteralElementLike[] =>
  ts.isObjectLiteralExpression(node) ? node.properties : [];

/** A name, or a name with params. */
const isNamed = (node: ts.Expression): boolean => {
  if (ts.isStringLiteral(node)) return true;
  const type = membersOf(node)
    .filter(ts.isPropertyAssignment)
    .find((property) => nameOf(property) === "type");
  return type !== undefined && ts.isStringLiteral(type.initializer);
};

const isNamedAction = (node: ts.Expression): boolean => {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isNamedAction);
  if (ts.isCallExpression(node)) return calledName(node) === "emit";
  return isNamed(node);
};

describe.each(["login", "link"])("Studio can open machines/%s.ts, for", (name) => {
  const source = parse(name);
  const charts = chartsIn(source);
  const config = charts[0]?.arguments[0];
  if (!config) throw new Error("No statechart in the file.");
  const properties = propertiesOf(config);
  const named = (...names: string[]) => properties.filter((property) => names.includes(nameOf(property)));
  const texts = (found: ts.PropertyAssignment[]) => found.map((property) => property.getText(source));

  test("it holds one statechart", () => {
    expect(charts).toHaveLength(1);
  });

  test("the statechart is one literal", () => {
    expect(ts.isObjectLiteralExpression(config)).toBe(true);
    const states = named("states", "on", "invoke");
    expect(states.length).toBeGreaterThan(0);
    expect(texts(states.filter(({ initializer }) => !ts.isObjectLiteralExpression(initializer)))).toEqual([]);
    const members = named("states").flatMap(({ initializer }) => membersOf(initializer));
    expect(members.length).toBeGreaterThan(0);
    expect(
      members.filter((member) => !ts.isPropertyAssignment(member)).map((member) => member.getText(source)),
    ).toEqual([]);
  });

  test("actors, guards and targets are names", () => {
    const guards = named("guard");
    const sources = named("src", "target", "initial");
    expect(guards.length).toBeGreaterThan(0);
    expect(sources.length).toBeGreaterThan(0);
    expect(texts(guards.filter(({ initializer }) => !isNamed(initializer)))).toEqual([]);
    expect(texts(sources.filter(({ initializer }) => !ts.isStringLiteral(initializer)))).toEqual([]);
  });

  test("actions are names, but for what is announced in place", () => {
    const actions = named("actions", "entry", "exit");
    expect(actions.length).toBeGreaterThan(0);
    expect(texts(actions.filter(({ initializer }) => !isNamedAction(initializer)))).toEqual([]);
  });
});
