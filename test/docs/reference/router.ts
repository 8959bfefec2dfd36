import { ReflectionKind, type RouterTarget } from "typedoc";
import { ModuleRouter } from "typedoc-plugin-markdown";

/**
 * One page per entry point, with anchors of the exports' own names: numbered ones would change in every chapter of a page
 * with each new export, and differ from those that readers of Markdown make.
 */
export class ReferenceRouter extends ModuleRouter {
  protected override buildAnchors(target: RouterTarget, pageTarget: RouterTarget): void {
    super.buildAnchors(target, pageTarget);
    if (!this.anchors.has(target) || !("kind" in target) || !target.parent?.kindOf(ReflectionKind.Module)) return;
    const [kind = ""] = ReflectionKind.singularString(target.kind).toLowerCase().split(" ");
    const anchor = `${kind}-${target.name}`;
    this.anchors.set(target, anchor);
    this.fullUrls.set(target, `${this.fullUrls.get(target.parent)}#${anchor}`);
  }
}
