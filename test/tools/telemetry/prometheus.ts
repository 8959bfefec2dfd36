import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Meter } from "@opentelemetry/api";
import { DataPointType, MeterProvider, type MetricData, MetricReader } from "@opentelemetry/sdk-metrics";
import { onTestFinished } from "vitest";
import { findFreePort } from "../../free-port.ts";
import { listen } from "../../servers/relay/stage.ts";

/** A series of numbers: what its labels say, and pairs of seconds since the epoch and value. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [time: number, value: string])[];
}

/** Serves the metrics. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Metrics as Prometheus reads them, under the names that it gives to those that come by OTLP. */
function formatMetrics(metrics: readonly MetricData[]): string {
  return metrics.flatMap(formatMetric).join("\n").concat("\n");
}

function formatMetric({ descriptor: { name: own, unit }, ...metric }: MetricData): string[] {
  const name = own.replaceAll(".", "_") + (unit === "s" ? "_seconds" : "");
  const format = (suffix: string, labels: object, value: number) => {
    const written = Object.entries(labels).map(([label, text]) => `${label.replaceAll(".", "_")}="${text}"`);
    return `${name}${suffix}{${written.join()}} ${value}`;
  };
  if (metric.dataPointType === DataPointType.SUM) {
    return metric.dataPoints.map(({ attributes, value }) => format("", attributes, value));
  }
  if (metric.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`${own} is of another kind`);
  return metric.dataPoints.flatMap(({ attributes, value: { count, sum = 0, buckets } }) => {
    let below = 0;
    const bounds = [...buckets.boundaries, "+Inf"].map((le, index) => {
      below += buckets.counts[index] ?? 0;
      return format("_bucket", { ...attributes, le }, below);
    });
    return [...bounds, format("_sum", attributes, sum), format("_count", attributes, count)];
  });
}

/** Debian's Prometheus, which reads the metrics of a meter. */
export async function startPrometheus() {
  const reader = new Reader();
  const meters = new MeterProvider({ readers: [reader] });
  const target = await listen(
    createServer(async (_, response) => {
      const { resourceMetrics } = await reader.collect();
      response.end(formatMetrics(resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)));
    }),
  );
  onTestFinished(() => meters.shutdown());
  const meter: Meter = meters.getMeter("ventanilla");
  return { meter, ...(await scrape(new URL(target).host)) };
}

/** Debian's Prometheus, which reads metrics and evaluates rules each second, for the length of one test. @param rules files. */
export async function scrape(target: string, rules: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-prometheus-"));
  const settings = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: rules,
    scrape_configs: [{ job_name: "ventanilla", static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(settings));
  const address = `127.0.0.1:${await findFreePort()}`;
  const places = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}`];
  const child = spawn("prometheus", [...places, `--web.listen-address=${address}`, "--log.level=error"], {
    stdio: "inherit",
  });
  await once(child, "spawn");
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
    await rm(folder, { recursive: true });
  });
  while (!(await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok) await wait(100);
  const read = async (path: string) => (await fetch(`http://${address}/api/v1/${path}`)).json();
  return {
    read,
    /** What an expression has been, each second from one time to another, in seconds since the epoch. */
    async query(expression: string, start: number, end: number): Promise<readonly Series[]> {
      const query = new URLSearchParams({ query: expression, start: `${start}`, end: `${end}`, step: "1" });
      const { status, error, data } = (await read(`query_range?${query}`)) as {
        status: string;
        error?: string;
        data: { result: Series[] };
      };
      if (status !== "success") throw new Error(`${expression}: ${error}`);
      return data.result;
    },
  };
}
