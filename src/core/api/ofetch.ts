import { createFetch } from "ofetch";

/** Bundles for browsers have this in place of `load-ofetch.ts`, by the field `browser` of package.json: no first request waits for another file. */
export const loadOfetch = () => createFetch;
