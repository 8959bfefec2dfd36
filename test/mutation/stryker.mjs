/** A run of Stryker on these files, with the tests of the Vitest configuration of the same name. */
export const createRun = (name, mutate, options = {}) => ({
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: `test/mutation/${name}.vitest.config.ts`, related: false },
  mutate: [mutate],
  coverageAnalysis: "perTest",
  concurrency: 2,
  // The first run, which counts coverage, takes twice as long as a mutant that survives.
  timeoutMS: 2000,
  timeoutFactor: 0.5,
  reporters: ["clear-text", "json", "progress-append-only"],
  jsonReporter: { fileName: `reports/mutation-${name}.json` },
  thresholds: { high: 95, low: 85, break: 85 },
  ...options,
});
