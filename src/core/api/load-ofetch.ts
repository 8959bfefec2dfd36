let loaded: typeof import("./ofetch.ts") | undefined;

/** Loads ofetch with the first request: on Node, its entry takes longer than all the rest of this package. Not by `import("ofetch")`, of which bundlers leave out nothing. */
export async function loadOfetch() {
  loaded ??= await import("./ofetch.ts");
  return loaded.loadOfetch();
}
