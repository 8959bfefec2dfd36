import { readFile } from "node:fs/promises";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { metricTelemetry } from "ventanilla/telemetry/opentelemetry";
import { describe, expect, onTestFinished, test } from "vitest";
import { failures } from "../../src/core/api/failures.ts";
import { asks, loginUnread, person, startService } from "../bank/service.ts";

const read = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");

/** What Prometheus makes of the metrics that a collector gets: names, and labels. */
async function readPrometheusNames() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  onTestFinished(() => meters.shutdown());
  const meter = meters.getMeter("ventanilla");
  const bank = await startService([asks("otp", "k"), { http: 502, text: "" }]);
  const options = { onInteraction: () => "8888", inspect: metricTelemetry({ meter }) };
  const ended = loginUnread(bank.client(), person, options);
  await expect(ended).rejects.toMatchObject({ code: "outcome_unknown" });
  await meters.forceFlush();
  const own = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  expect(own.length).toBeGreaterThan(0);
  const toName = (name: string) => name.replaceAll(".", "_");
  const points = own.flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => Object.keys(attributes)));
  return {
    metrics: own.flatMap(({ descriptor: { name, unit } }) =>
      unit === "s" ? [`${toName(name)}_seconds_bucket`, `${toName(name)}_seconds_count`] : [toName(name)],
    ),
    labels: new Set(["le", ...points.flat().map(toName)]),
  };
}

describe("the dashboard and the alert rules", () => {
  test.each(["examples/telemetry/dashboard.json", "examples/telemetry/alerts.yml"])(
    "%s names what there is: metrics, labels, outcomes",
    async (name) => {
      const { metrics, labels } = await readPrometheusNames();
      const text = (await read(name)).replaceAll('\\"', '"');
      const words = new Set(text.match(/\b(ventanilla_\w+|error_type)\b/g));
      expect(words.size).toBeGreaterThan(4);
      for (const word of words) expect([...metrics, ...labels]).toContain(word);
      for (const [, outcomes = ""] of text.matchAll(/ventanilla_outcome=~?"([^"]+)"/g)) {
        const known = [...Object.keys(failures), "logged_in", "answered"];
        for (const outcome of outcomes.split("|")) expect(known).toContain(outcome);
      }
    },
  );

  test("the dashboard is what Grafana imports: every panel has a query and a place of its own", async () => {
    const { panels } = JSON.parse(await read("examples/telemetry/dashboard.json"));
    const places = panels.map(({ gridPos }: { gridPos: object }) => JSON.stringify(gridPos));
    expect(new Set(places).size).toBe(panels.length);
    for (const { targets } of panels) expect(targets[0].expr).toMatch(/ventanilla_/);
  });
});

test("docs/telemetry.md lists every metric and every attribute of the code", async () => {
  const page = await read("telemetry.md");
  const { metrics, labels } = await readPrometheusNames();
  const names = [...metrics.map((name) => name.replace(/_seconds_\w+$/, "")), ...labels].filter(
    (name) => name !== "le",
  );
  const shown = page.replaceAll(".", "_");
  for (const name of names) expect(shown).toContain(`\`${name}\``);
});
