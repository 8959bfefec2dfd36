import fc from "fast-check";

// How often each property is tried. `npm run fuzz` tries many more; a failure prints the seed and the path that repeat it.
fc.configureGlobal({ numRuns: Number(process.env["VENTANILLA_RUNS"] ?? 300) });
