import fc from "fast-check";

// How often each property is tried: the same values in each run of the tests, and many more, other ones in each
// `npm run fuzz`. A failure prints the seed and the path that repeat it.
const runs = process.env["VENTANILLA_RUNS"];
fc.configureGlobal(runs ? { numRuns: Number(runs) } : { numRuns: 300, seed: 20_260_101 });
