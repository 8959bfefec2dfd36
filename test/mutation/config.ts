import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.ts";

let run = 0;
const lastKills = new Map<string, number>();
const durations = new Map<string, number>();

/**
 * The first test that fails ends a mutant's run. Mutants come line by line, so the file that killed the last one often kills the next:
 * it runs first. Files that have killed none yet follow, the quickest first.
 */
class LastKillerFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    run += 1;
    const rows = files.map((file) => {
      const key = `${file.project.name}:${relative(this.ctx.config.root, file.moduleId)}`;
      const result = this.ctx.cache.getFileTestResults(key);
      if (result?.failed) {
        lastKills.set(key, run);
        // Counts once, also where the next runs leave this file out.
        result.failed = false;
      }
      // A run that ended early took less time than the whole file.
      durations.set(key, Math.max(durations.get(key) ?? 0, result?.duration ?? 0));
      return { file, lastKill: lastKills.get(key) ?? 0, duration: durations.get(key) ?? 0 };
    });
    rows.sort((a, b) => b.lastKill - a.lastKill || a.duration - b.duration);
    return rows.map(({ file }) => file);
  }
}

/** The configuration of a mutation run with these tests. */
export const createConfig = (test: NonNullable<ViteUserConfig["test"]>) =>
  mergeConfig(
    { ...base, test: { ...base.test, include: [] } },
    defineConfig({
      root: fileURLToPath(new URL("../..", import.meta.url)),
      test: {
        sequence: { sequencer: LastKillerFirst },
        runner: "test/mutation/until-first-failure.ts",
        // The files that are left out after a failure.
        passWithNoTests: true,
        // Short: a mutant that hangs is killed by it.
        testTimeout: 3000,
        // That many runs of a property are enough to kill a mutant.
        env: { VENTANILLA_RUNS: "25" },
        ...test,
      },
    }),
  );
