import {
  CommentTag,
  type Context,
  type DeclarationReflection,
  type DocumentationEntryPoint,
  ReflectionKind,
  TypeScript as ts,
  UnionType,
} from "typedoc";

const COMPOSED = ts.TypeFlags.Object | ts.TypeFlags.Union | ts.TypeFlags.Intersection;

/**
 * What is exported under a name goes by it wherever it stands: the compiler forgets the names of computed types. A table that
 * `satisfies` a type goes by that one, without its rows.
 */
export function keepNames(entryPoints: readonly DocumentationEntryPoint[]): void {
  for (const { program, sourceFile } of entryPoints) {
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(sourceFile);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      if (symbol.flags & ts.SymbolFlags.TypeAlias && type.flags & COMPOSED)
        Object.assign(type, { aliasSymbol: symbol, aliasTypeArguments: undefined });
      const satisfied = satisfiedBy(symbol.valueDeclaration);
      if (!satisfied) continue;
      const { aliasSymbol, aliasTypeArguments } = checker.getTypeFromTypeNode(satisfied);
      Object.assign(checker.getTypeOfSymbol(symbol), { aliasSymbol, aliasTypeArguments });
    }
  }
}

function satisfiedBy(declaration: ts.Declaration | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
  return ts.isSatisfiesExpression(declaration.initializer) ? declaration.initializer.type : undefined;
}

/** In its own chapter, a type with the tag `@useDeclaredType` is written out all the same. */
export function writeOut(_context: Context, { kind, name, comment }: DeclarationReflection): void {
  if (kind !== ReflectionKind.TypeAlias || !comment?.hasModifier("@useDeclaredType")) return;
  comment.blockTags.push(new CommentTag("@inlineType", [{ kind: "text", text: name }]));
}

/** The members of a union that was written out, in the order of the source: the compiler has one of its own. */
export function restoreOrder(context: Context): void {
  const checker = context.programs[0]?.getTypeChecker();
  for (const alias of context.project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
    if (!checker || !alias.isDeclaration() || !alias.comment?.getTag("@inlineType")) continue;
    alias.comment.removeTags("@inlineType");
    const node = context.getSymbolFromReflection(alias)?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
    if (!node || !ts.isUnionTypeNode(node)) continue;
    const union = checker.getTypeFromTypeNode(node);
    if (!union.isUnion() || !(alias.type instanceof UnionType)) continue;
    const written = node.types.map((member) => checker.getTypeFromTypeNode(member));
    const { types } = alias.type;
    const places = new Map(union.types.map((member, index) => [types[index], written.indexOf(member)]));
    types.sort((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
  }
}
