import { killAtEachStep } from "./killing.ts";

// `npm run restate -- kills [kills] [seed]`

const [kills = 200, seed = 20_250_101] = process.argv.slice(2).map(Number);
console.log(`${kills} kills with the seed ${seed}`);
const began = Date.now();
const report = await killAtEachStep({ kills, seed, onProgress: (line) => console.log(line) });
console.log(report);
console.log(`${report.violations.length} violations in ${((Date.now() - began) / 1000).toFixed(0)} s`);
process.exitCode = report.violations.length === 0 ? 0 : 1;
