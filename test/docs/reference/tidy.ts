import {
  type Comment,
  type CommentDisplayPart,
  type CommentTag,
  type Context,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type SignatureReflection,
} from "typedoc";
import { shorten } from "./types.ts";

/** Makes TypeDoc's reading of the sources fit to be read. */
export function tidy({ project }: Context): void {
  for (const entryPoint of project.getChildrenByKind(ReflectionKind.Module)) nameEntryPoint(entryPoint, project);
  for (const reflection of Object.values(project.reflections))
    if (reflection.isDeclaration() || reflection.isSignature()) dropRepeated(reflection, project);
  shorten(project);
  for (const reflection of Object.values(project.reflections)) {
    // An options object that is taken apart where it comes in.
    if (reflection.name === "__namedParameters") reflection.name = "options";
    if (reflection.comment) joinThrows(reflection.comment, project);
  }
}

/** Pages are called what is imported. A file that is nothing but one statechart is described by it. */
function nameEntryPoint(entryPoint: DeclarationReflection, { packageName = "" }: ProjectReflection): void {
  entryPoint.name = entryPoint.name === "" ? packageName : `${packageName}/${entryPoint.name}`;
  const values = entryPoint.getChildrenByKind(ReflectionKind.Variable | ReflectionKind.Function | ReflectionKind.Class);
  const [value, ...others] = values;
  if (!entryPoint.comment && value?.comment && others.length === 0) entryPoint.comment = value.comment.clone();
}

/** What another chapter shows already is not shown again, and what is not in the reference needs no mention. */
function dropRepeated(reflection: DeclarationReflection | SignatureReflection, project: ProjectReflection): void {
  const { inheritedFrom, overwrites } = reflection;
  const isSilent = !reflection.comment && !("getSignature" in reflection && reflection.getSignature?.comment);
  if (inheritedFrom?.reflection || (overwrites?.reflection && isSilent)) {
    project.removeReflection(reflection);
    return;
  }
  delete reflection.inheritedFrom;
  delete reflection.overwrites;
}

/** One list of all that is thrown, each error with its class: TypeDoc would show the texts alone, one chapter each. */
function joinThrows(comment: Comment, project: ProjectReflection): void {
  const [first, ...others] = comment.getTags("@throws");
  if (!first) return;
  first.content = [first, ...others].flatMap((each) => [
    { kind: "text", text: each === first ? "- " : "\n- " },
    ...thrown(each, project),
    ...each.content,
  ]);
  comment.blockTags = comment.blockTags.filter((each) => !others.includes(each));
}

function thrown({ typeAnnotation }: CommentTag, project: ProjectReflection): CommentDisplayPart[] {
  const text = typeAnnotation?.replace(/[{}]/g, "");
  if (!text) return [];
  const target = project.getReflectionsByKind(ReflectionKind.Class).find(({ name }) => name === text);
  const link: CommentDisplayPart = target
    ? { kind: "inline-tag", tag: "@linkcode", text, target }
    : { kind: "code", text: `\`${text}\`` };
  return [link, { kind: "text", text: ": " }];
}
