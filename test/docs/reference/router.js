import { ReflectionKind } from "typedoc";
import { ModuleRouter } from "typedoc-plugin-markdown";

/**
 * One page per entry point, with anchors of the exports' own names: numbered ones would change in every chapter of a page
 * with each new export, and differ from those that readers of Markdown make.
 */
export class ReferenceRouter extends ModuleRouter {
  buildAnchors(target, pageTarget) {
    super.buildAnchors(target, pageTarget);
    if (!target.parent?.kindOf(ReflectionKind.Module) || !this.anchors.has(target)) return;
    const [kind] = ReflectionKind.singularString(target.kind).toLowerCase().split(" ");
    const anchor = `${kind}-${target.name}`;
    this.anchors.set(target, anchor);
    this.fullUrls.set(target, `${this.fullUrls.get(target.parent)}#${anchor}`);
  }
}
