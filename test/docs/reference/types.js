import { ReferenceType, ReflectionKind, Type, UnionType, UnknownType } from "typedoc";

// What the inference of a library wrote: the arguments after these say how, and change with every state and handler.
const TELLING_ARGUMENTS = { StateMachine: 2, MachineSnapshot: 2, VirtualObjectDefinition: 1 };

// The rows are in docs/errors.md.
const CODE_TABLE = `{ readonly [Code in FailureCode]: {
  readonly kind: "outcome" | "fault";
  readonly http: readonly number[];
  readonly retryable: boolean;
  readonly help: Help;
  readonly en: string;
  readonly es: string;
  readonly pt: string;
} }`;

/** `{ a } & { b }` reads as `{ a, b }`, with the texts of both. */
export function mergeLiterals(project) {
  replaceEverywhere(project, (type) => {
    if (type.type !== "intersection" || !type.types.every(isLiteral)) return type;
    const [first, ...others] = type.types;
    for (const { declaration } of others) {
      for (const child of declaration.children ?? []) {
        child.parent = first.declaration;
        first.declaration.addChild(child);
      }
      if (declaration.indexSignatures) first.declaration.indexSignatures = declaration.indexSignatures;
    }
    return first;
  });
  for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
    if (!alias.type || !isLiteral(alias.type)) continue;
    const { indexSignatures } = alias.type.declaration;
    project.mergeReflections(alias.type.declaration, alias);
    if (indexSignatures) alias.indexSignatures = indexSignatures;
    delete alias.type;
  }
}

/** What the compiler spelled out gets back the name under which it is exported. */
export function nameTypes(project) {
  const aliases = project.getReflectionsByKind(ReflectionKind.TypeAlias);
  const shapes = namesByShape(aliases);
  const unions = aliases
    .map((alias) => ({ alias, texts: textsOf(alias.type) }))
    .filter(({ alias, texts }) => texts.size > 2 && texts.size === alias.type.types.length)
    .sort((left, right) => right.texts.size - left.texts.size);
  const secret = aliases.find(({ name }) => name === "Secret");
  const referenceTo = (alias) => ReferenceType.createResolvedReference(alias.name, alias, project);

  const replaced = (type, by) => {
    project.removeTypeReflections(type);
    return by;
  };

  replaceEverywhere(project, (type, holder) => {
    if (holder === secret) return type;
    if (holder.name === "failures" && holder.kindOf(ReflectionKind.Variable))
      return replaced(type, new UnknownType(CODE_TABLE));
    if (type.type === "reference") {
      if (type.name === "ConcealedSecret") return referenceTo(secret);
      const telling = TELLING_ARGUMENTS[type.name];
      if (telling === undefined || !type.typeArguments) return type;
      for (const argument of type.typeArguments.slice(telling)) project.removeTypeReflections(argument);
      type.typeArguments = [...type.typeArguments.slice(0, telling), new UnknownType("…")];
      return type;
    }
    if (isFetch(type)) return replaced(type, new UnknownType("typeof globalThis.fetch"));
    if (isLiteral(type)) {
      const [alias, ...others] = shapes.get(shapeOf(type.declaration)) ?? [];
      return alias && others.length === 0 ? replaced(type, referenceTo(alias)) : type;
    }
    if (type.type !== "union") return type;
    const own = unions.find(({ alias }) => alias === holder);
    return nameUnion(
      ordered(type),
      own ? unions.filter(({ texts }) => texts.size < own.texts.size) : unions,
      referenceTo,
    );
  });
}

const isLiteral = (type) =>
  type.type === "reflection" && !type.declaration.signatures && shapeOf(type.declaration) !== undefined;

// Spelled out with texts of the platform's own, which come and go with its versions.
const isFetch = (type) =>
  type.type === "reflection" &&
  type.declaration.signatures?.every(({ parameters }) => parameters?.[1]?.type?.name === "RequestInit");

const isText = ({ type, value }) => type === "literal" && typeof value === "string";

const textsOf = (type) => new Set((type?.type === "union" ? type.types : []).filter(isText).map(({ value }) => value));

/** The names of an object's members, by which it is known again. */
function shapeOf({ children = [], indexSignatures = [] }) {
  const names = [
    ...children.map(({ name, flags }) => (flags.isOptional ? `${name}?` : name)),
    ...indexSignatures.map(() => "[]"),
  ];
  return names.length > 0 ? names.sort().join() : undefined;
}

function namesByShape(aliases) {
  const shapes = new Map();
  for (const alias of aliases) {
    const shape = shapeOf(alias);
    // A single member may well stand in two types by chance.
    if (shape?.includes(",")) shapes.set(shape, [...(shapes.get(shape) ?? []), alias]);
  }
  return shapes;
}

/** The compiler lists long unions in the order of its own work, which any change elsewhere may change. */
function ordered(union) {
  const members = union.types.flatMap((member) => (member.type === "union" ? member.types : [member]));
  const texts = members.filter(isText);
  // As it is, it keeps the comments of its members.
  if (texts.length < 4 && members.length === union.types.length) return union;
  texts.sort((left, right) => (left.value < right.value ? -1 : 1));
  return new UnionType([...texts, ...members.filter((member) => !isText(member))]);
}

function nameUnion(type, unions, referenceTo) {
  const texts = textsOf(type);
  const found = unions.find((each) => [...each.texts].every((text) => texts.has(text)));
  if (!found) return type;
  const name = referenceTo(found.alias);
  const rest = type.types.filter((member) => !(isText(member) && found.texts.has(member.value)));
  return rest.length > 0 ? nameUnion(new UnionType([name, ...rest]), unions, referenceTo) : name;
}

function replaceEverywhere(project, rewrite) {
  for (const reflection of Object.values(project.reflections))
    replaceTypes(reflection, (type) => rewrite(type, reflection));
}

/** Replaces each type that hangs on a reflection or on another type, from the inside out. */
export function replaceTypes(holder, rewrite) {
  const replaced = (value) => {
    if (!(value instanceof Type)) return value;
    replaceTypes(value, rewrite);
    return rewrite(value);
  };
  for (const [name, value] of Object.entries(holder)) {
    if (value instanceof Type) holder[name] = replaced(value);
    else if (Array.isArray(value)) holder[name] = value.map(replaced);
  }
}
