import { Converter } from "typedoc";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import { joinThrows } from "./comments.js";
import { keepDeclaredNames } from "./declared.js";
import { dropRepeated, nameEntryPoint } from "./entries.js";
import { inlineTagged } from "./inline.js";
import { readable } from "./page.js";
import { ReferenceRouter } from "./router.js";
import { mergeLiterals, nameTypes } from "./types.js";

/** Makes TypeDoc's reading of the sources fit to be read: what the compiler took apart gets its name back. */
export function load({ converter, renderer }) {
  // After the types are resolved, before they are sorted into groups.
  converter.on(Converter.EVENT_RESOLVE_END, tidy, -50);
  renderer.defineRouter("reference", ReferenceRouter);
  renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = readable(page.contents);
  });
}

function tidy(context) {
  const { project } = context;
  for (const entryPoint of project.children ?? []) nameEntryPoint(entryPoint, project.packageName);
  for (const reflection of Object.values(project.reflections)) dropRepeated(reflection, project);
  context.setActiveProgram(context.programs[0]);
  keepDeclaredNames(context);
  inlineTagged(context);
  mergeLiterals(project);
  nameTypes(project);
  for (const reflection of Object.values(project.reflections)) {
    // An options object that is taken apart where it comes in.
    if (reflection.name === "__namedParameters") reflection.name = "options";
    joinThrows(reflection, project);
  }
}
