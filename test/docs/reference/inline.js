import { LiteralType, ReflectionKind, TypeScript as ts, UnionType } from "typedoc";
import { replaceTypes } from "./types.js";

/**
 * Writes out what stands in a type by a name that is not exported and bears the tag `@inline`. TypeDoc does so by itself,
 * but not where the name takes arguments or comes from another file.
 */
export function inlineTagged(context) {
  for (const alias of context.project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
    const declaration = context.getSymbolFromReflection(alias)?.declarations?.find(ts.isTypeAliasDeclaration);
    // In the order in which TypeDoc has read them.
    const tagged = declaration ? taggedIn(declaration.type, context.checker) : [];
    if (tagged.length === 0) continue;
    replaceTypes(alias, (type) => {
      const place = tagged.findIndex(({ typeName }) => type.type === "reference" && typeName.text === type.name);
      if (place === -1) return type;
      const [node] = tagged.splice(place, 1);
      return writtenOut(context.checker.getTypeFromTypeNode(node), context.withScope(alias.parent).withScope(alias));
    });
  }
}

function taggedIn(node, checker) {
  const found = ts.isTypeReferenceNode(node) && isTagged(node.typeName, checker) ? [node] : [];
  ts.forEachChild(node, (child) => {
    found.push(...taggedIn(child, checker));
  });
  return found;
}

function isTagged(name, checker) {
  const symbol = checker.getSymbolAtLocation(name);
  const original = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return original?.getJsDocTags().some((tag) => tag.name === "inline") ?? false;
}

function writtenOut(type, context) {
  if (!type.isUnion() || !type.types.every((member) => member.isStringLiteral()))
    return context.converter.convertType(context, type);
  // The compiler's order is that of its own work.
  const texts = type.types.map(({ value }) => value).sort();
  return new UnionType(texts.map((text) => new LiteralType(text)));
}
