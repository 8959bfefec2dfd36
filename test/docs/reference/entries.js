import { ReflectionKind } from "typedoc";

/** Pages are called what is imported. A file that is nothing but one statechart is described by it. */
export function nameEntryPoint(entryPoint, packageName) {
  entryPoint.name = entryPoint.name === "" ? packageName : `${packageName}/${entryPoint.name}`;
  const values = entryPoint.getChildrenByKind(ReflectionKind.Variable | ReflectionKind.Function | ReflectionKind.Class);
  if (!entryPoint.comment && values.length === 1) entryPoint.comment = values[0].comment?.clone();
}

/** What another chapter shows already is not shown again, and what is not in the reference needs no mention. */
export function dropRepeated(reflection, project) {
  const { comment, getSignature, inheritedFrom, overwrites } = reflection;
  const isSilent = !comment && !getSignature?.comment;
  if (inheritedFrom?.reflection || (overwrites?.reflection && isSilent)) {
    project.removeReflection(reflection);
    return;
  }
  delete reflection.inheritedFrom;
  delete reflection.overwrites;
}
