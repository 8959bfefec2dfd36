import { ReferenceType, ReflectionKind, TypeScript as ts } from "typedoc";

/** Where the source names an exported type, so does the reference: the compiler forgets the names of computed types. */
export function keepDeclaredNames(context) {
  const { project } = context;
  for (const reflection of project.getReflectionsByKind(ReflectionKind.Parameter | ReflectionKind.Property)) {
    if (!reflection.type || (reflection.type.type === "reference" && reflection.type.reflection)) continue;
    const alias = aliasOf(context.getSymbolFromReflection(reflection)?.valueDeclaration?.type, context);
    if (!alias) continue;
    project.removeTypeReflections(reflection.type);
    reflection.type = ReferenceType.createResolvedReference(alias.name, alias, project);
  }
}

function aliasOf(node, context) {
  if (!node || !ts.isTypeReferenceNode(node) || node.typeArguments) return undefined;
  const symbol = context.checker.getSymbolAtLocation(node.typeName);
  if (!symbol) return undefined;
  const original = symbol.flags & ts.SymbolFlags.Alias ? context.checker.getAliasedSymbol(symbol) : symbol;
  const target = context.getReflectionFromSymbol(original);
  return target?.kindOf(ReflectionKind.TypeAlias) ? target : undefined;
}
