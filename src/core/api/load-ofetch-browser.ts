import { createFetch } from "ofetch";

/**
 * The same for bundles of browsers, by the field `browser` of package.json: there ofetch has a small entry, and a first request that waits for another file would
 * be slower.
 */
export const loadOfetch = () => createFetch;
