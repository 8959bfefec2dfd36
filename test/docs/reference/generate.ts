import { fileURLToPath } from "node:url";
import { Application, Converter, Logger, LogLevel, PageEvent, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";
import { keepNames, restoreOrder, writeOut } from "./names.ts";
import { readable } from "./page.ts";
import { ReferenceRouter } from "./router.ts";
import { tidy } from "./tidy.ts";

const OPTIONS: Partial<TypeDocOptions & PluginOptions> = {
  tsconfig: fileURLToPath(new URL("../../../tsconfig.build.json", import.meta.url)),
  // The compiler's own order of a union changes with edits elsewhere.
  compilerOptions: { stableTypeOrdering: true },
  router: "reference",
  name: "Reference",
  readme: "none",
  disableSources: true,
  skipErrorChecking: true,
  excludeExternals: true,
  excludeInternal: true,
  excludeProtected: true,
  sort: ["alphabetical"],
  preservedTypeAnnotationTags: ["@throws"],
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  expandObjects: true,
  expandParameters: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  validation: { notDocumented: true },
  requiredToBeDocumented: ["Module", "Variable", "Function", "Class", "Interface", "TypeAlias", "Method"],
  intentionallyNotExported: [
    "HandlerAnswer",
    "FaultMaterial",
    "LoginStep",
    "MachineDefinition",
    "WebHandler",
    // The statecharts' own view of what the client's types say whole.
    "machines/link.types.ts:ProviderDetail",
    "machines/link.types.ts:ProviderEntry",
    "machines/link.types.ts:TransferDestination",
  ],
};

class Complaints extends Logger {
  readonly texts: string[] = [];

  override log(text: string, level: LogLevel): void {
    super.log(text, level);
    if (level >= LogLevel.Warn) this.texts.push(text);
  }
}

/** Writes the reference into a folder, unless TypeDoc has something to complain about: then it gives the complaints. */
export async function generateReference(folder: string): Promise<readonly string[]> {
  const complaints = new Complaints();
  const listen = (application: Application) => {
    application.logger = complaints;
  };
  const application = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    plugin: [listen, "typedoc-plugin-markdown"],
  });
  const { converter, renderer } = application;
  converter.on(Converter.EVENT_CREATE_DECLARATION, writeOut);
  converter.on(Converter.EVENT_RESOLVE_BEGIN, restoreOrder);
  // After the types are resolved, before they are sorted into groups.
  converter.on(Converter.EVENT_RESOLVE_END, tidy, -50);
  renderer.defineRouter("reference", ReferenceRouter);
  renderer.on(PageEvent.END, (page: PageEvent) => {
    page.contents = readable(page.contents ?? "");
  });

  const entryPoints = application.getEntryPoints() ?? [];
  keepNames(entryPoints);
  const project = converter.convert(entryPoints);
  application.validate(project);
  if (complaints.texts.length === 0) await application.outputs.writeOutput({ name: "markdown", path: folder }, project);
  return complaints.texts;
}
