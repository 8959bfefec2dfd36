import { IntersectionType, type ProjectReflection, ReferenceType, ReflectionType, Type, UnknownType } from "typedoc";

/** Leaves out of the types what nobody reads. */
export function shorten(project: ProjectReflection): void {
  for (const reflection of Object.values(project.reflections))
    replaceTypes(reflection, (type) => {
      if (type instanceof IntersectionType) return merged(type);
      if (isFetch(type)) return new UnknownType("typeof globalThis.fetch");
      // Beyond context and events it tells how the statechart is made, which changes with every state.
      if (type instanceof ReferenceType && type.name === "StateMachine" && type.typeArguments) {
        for (const argument of type.typeArguments.splice(2)) project.removeTypeReflections(argument);
        type.typeArguments.push(new UnknownType("…"));
      }
      return type;
    });
}

/** `{ a } & { b }` reads as `{ a, b }`, with the texts of both. */
function merged(type: IntersectionType): Type {
  const [first, ...others] = type.types.filter(isLiteral);
  if (!first || others.length + 1 < type.types.length) return type;
  for (const { declaration } of others) {
    for (const child of declaration.children ?? []) {
      child.parent = first.declaration;
      first.declaration.addChild(child);
    }
    if (declaration.indexSignatures) first.declaration.indexSignatures = declaration.indexSignatures;
  }
  return first;
}

const isLiteral = (type: Type): type is ReflectionType =>
  type instanceof ReflectionType && !type.declaration.signatures;

// Spelled out with texts of the platform's own, which come and go with its versions.
function isFetch(type: Type): boolean {
  const signatures = type instanceof ReflectionType ? type.declaration.signatures : undefined;
  return signatures?.every(({ parameters }) => `${parameters?.[1]?.type}` === "RequestInit") ?? false;
}

/** Replaces each type that hangs on a reflection or on another type, from the inside out. */
function replaceTypes(holder: object, rewrite: (type: Type) => Type): void {
  const replaced = (value: unknown): unknown => {
    if (!(value instanceof Type)) return value;
    replaceTypes(value, rewrite);
    return rewrite(value);
  };
  for (const [name, value] of Object.entries(holder))
    if (value instanceof Type || Array.isArray(value))
      Reflect.set(holder, name, Array.isArray(value) ? value.map(replaced) : replaced(value));
}
