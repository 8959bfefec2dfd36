import { ReflectionKind } from "typedoc";

/** One list of all that is thrown, each error with its class: TypeDoc would show the texts alone, one chapter each. */
export function joinThrows({ comment }, project) {
  const throws = comment?.blockTags.filter(({ tag }) => tag === "@throws") ?? [];
  if (throws.length === 0) return;
  const [first, ...others] = throws;
  const item = ({ typeAnnotation, content }) => [
    { kind: "text", text: "- " },
    ...named(typeAnnotation, project),
    ...content,
  ];
  first.content = throws.flatMap((each, index) =>
    index === 0 ? item(each) : [{ kind: "text", text: "\n" }, ...item(each)],
  );
  comment.blockTags = comment.blockTags.filter((each) => !others.includes(each));
}

function named(typeAnnotation, project) {
  const name = typeAnnotation?.replace(/[{}]/g, "");
  if (!name) return [];
  const target = project.getReflectionsByKind(ReflectionKind.Class).find((each) => each.name === name);
  const link = target
    ? { kind: "inline-tag", tag: "@linkcode", text: name, target }
    : { kind: "code", text: `\`${name}\`` };
  return [link, { kind: "text", text: ": " }];
}
