import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { login } from "ventanilla";
import { createSandbox } from "ventanilla/sandbox";
import { metricTelemetry } from "ventanilla/telemetry/opentelemetry";
import { API_KEY, respondAs, startService } from "../../bank/service.ts";
import { isLogin } from "../../bank/watched-bank.ts";
import { type Series, startPrometheus } from "../../tools/telemetry/prometheus.ts";
import { writePicture } from "./picture-files.ts";
import { test } from "./screen-page.ts";

// The dashboard of the docs, drawn from its own file: its panels, their places, titles, units and expressions, which a Prometheus evaluates over a
// real run. It needs Debian's prometheus.

/** Milliseconds of logins, and of them without numbers in the picture: a rate needs some time. */
const RUN = 180_000;
const WARM_UP = 30_000;

/** Milliseconds that a bank takes, and the logins of one round: user, password, answers. */
const banks: Readonly<Record<string, { latency: number; logins: readonly (readonly [string, string, string?])[] }>> = {
  test: {
    latency: 300,
    logins: [
      ["12345", "gfdsa"],
      ["12345otp", "asdfg", "8888"],
      ["12345", "wrong"],
    ],
  },
  faro_uy: { latency: 700, logins: [["otp", "s3creto", "135790"]] },
  quetzal_mx: { latency: 1_200, logins: [["otp", "s3creto", "975310"]] },
  bcp_pers_pe_mock: { latency: 2_600, logins: [["12345", "asdfg", "123456"]] },
  brou_pers_uy_mock: { latency: 1_700, logins: [["12345", "asdfg", "prometeo"]] },
};

interface Panel {
  readonly type: "stat" | "timeseries";
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

test("the dashboard for Grafana", { timeout: 2 * RUN }, async ({ open }) => {
  const { meter, query } = await startPrometheus();
  const begun = Date.now();
  const isOver = () => Date.now() > begun + RUN;
  const sandbox = respondAs(createSandbox({ apiKey: API_KEY }));
  const service = await startService(async (request) => {
    const { provider = "" } = request.form;
    if (isLogin(request)) await wait((banks[provider]?.latency ?? 0) * (0.6 + 0.8 * Math.random()));
    // One bank breaks for a while.
    const share = (Date.now() - begun) / RUN;
    const isBroken = isLogin(request) && provider === "quetzal_mx" && share > 0.45 && share < 0.75;
    return isBroken ? { http: 502, text: "" } : sandbox(request);
  });
  const client = service.client();
  const inspect = metricTelemetry({ meter });
  const people = Object.entries(banks).flatMap(([provider, { logins }]) =>
    logins.map(async ([username, password, answer = ""]) => {
      for (let number = 1; !isOver(); number += 1) {
        // One of seven never looks at the telephone.
        const onInteraction = async () => {
          await wait(number % 7 === 0 ? 60_000 : 1_000 + 4_000 * Math.random());
          return answer;
        };
        const options = { settings: { answerTimeout: 8_000 }, onInteraction, inspect };
        await login(client, { provider, username, password }, options).catch(() => undefined);
        await wait(3_000 * Math.random());
      }
    }),
  );
  await wait(RUN);
  const [start, end] = [(begun + WARM_UP) / 1000, Date.now() / 1000];
  await Promise.all(people);

  const dashboard = new URL("../../../docs/examples/telemetry/dashboard.json", import.meta.url);
  const { panels } = JSON.parse(await readFile(dashboard, "utf8")) as { panels: Panel[] };
  const drawn: string[] = [];
  for (const panel of panels) {
    const [target = { expr: "", legendFormat: "" }] = panel.targets;
    const expression = target.expr.replaceAll("$bank", ".*").replaceAll("$__rate_interval", "20s");
    const series = await query(expression, start, end);
    if (series.length === 0) throw new Error(`${panel.title}: no numbers`);
    drawn.push(drawPanel(panel, series, { legend: target.legendFormat, start, end }));
  }
  const { page } = await open("about:blank", { viewport: { width: 1240, height: 400 } });
  await page.setContent(`<style>${style}</style><main>${drawn.join("")}</main>`);
  await writePicture("dashboard.webp", await page.locator("main").screenshot());
});

const style = `
  body { margin: 0; font: 13px/1.4 system-ui, sans-serif; color: #1c2430 }
  main { display: grid; grid-template-columns: repeat(24, 1fr); grid-auto-rows: 28px; gap: 8px; padding: 12px; background: #eef1f6 }
  section { display: flex; flex-direction: column; padding: 8px 12px; background: #fff; border: 1px solid #d5dbe5; border-radius: 4px; overflow: hidden }
  h2 { margin: 0; font-size: 13px }
  strong { margin: auto; font-size: 34px; font-weight: 500 }
  svg { flex: 1; min-height: 0; width: 100%; font-size: 10px; fill: #5b6675 }
  p { margin: 0; display: flex; flex-wrap: wrap; gap: 0 12px; font-size: 11px }
  i { display: inline-block; width: 10px; height: 3px; margin: 0 4px 3px 0 }`;

const colors = ["#1f4fd8", "#c2410c", "#15803d", "#9333ea", "#b45309", "#0e7490", "#be185d", "#4d7c0f", "#475569"];

/** A number as its unit says, which is one of Grafana's. */
function formatValue(value: number, unit: string): string {
  const short = (number: number) => `${Number(number.toPrecision(2))}`;
  if (unit === "percentunit") return `${short(100 * value)} %`;
  if (unit === "ops") return `${short(value)}/s`;
  return unit === "s" ? `${short(value)} s` : short(value);
}

/** What the lines are called, and from when to when they are shown. */
interface Axis {
  readonly legend: string;
  readonly start: number;
  readonly end: number;
}

function drawPanel(panel: Panel, series: readonly Series[], axis: Axis): string {
  const { type, title, gridPos, fieldConfig } = panel;
  const { x, y, w, h } = gridPos;
  const { unit } = fieldConfig.defaults;
  const place = `grid-column: ${x + 1} / span ${w}; grid-row: ${y + 1} / span ${h}`;
  const last = Number(series[0]?.values.at(-1)?.[1]);
  const content = type === "stat" ? `<strong>${formatValue(last, unit)}</strong>` : drawLines(series, unit, axis);
  return `<section style="${place}"><h2>${title}</h2>${content}</section>`;
}

/** Lines over time, a scale at the left, and minutes below. */
function drawLines(all: readonly Series[], unit: string, { legend, start, end }: Axis): string {
  const [width, height, left, bottom] = [560, 170, 46, 18];
  // A share of nothing is no number.
  const lines = all.map(({ metric, values }) => ({
    name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? ""),
    points: values.map(([time, value]) => [time, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
  }));
  const points = lines.flatMap((line) => line.points);
  const top = unit === "percentunit" ? 1 : Math.max(...points.map(([, value]) => value)) * 1.1 || 1;
  const toX = (time: number) => left + ((time - start) / (end - start)) * (width - left - 8);
  const toY = (value: number) => 6 + (1 - value / top) * (height - bottom - 6);
  const scale = [0, top / 2, top].map(
    (value) => `<path d="M${left} ${toY(value)}H${width - 8}" stroke="#e3e8ef"/>
      <text x="${left - 6}" y="${toY(value) + 3}" text-anchor="end">${formatValue(value, unit)}</text>`,
  );
  const minutes = Array.from({ length: Math.floor((end - start) / 30) + 1 }, (_, index) => 30 * index).map(
    (after) => `<text x="${toX(start + after)}" y="${height - 4}" text-anchor="middle">${after} s</text>`,
  );
  const paths = lines.map(({ points: own }, index) => {
    const way = own.map(([time, value]) => `${toX(time).toFixed(1)} ${toY(value).toFixed(1)}`).join("L");
    return `<path d="M${way}" fill="none" stroke="${colors[index % colors.length]}" stroke-width="1.5"/>`;
  });
  const names = lines.map(
    ({ name }, index) => `<span><i style="background: ${colors[index % colors.length]}"></i>${name}</span>`,
  );
  const drawn = [...scale, ...minutes, ...paths].join("");
  return `<svg viewBox="0 0 ${width} ${height}">${drawn}</svg><p>${names.join("")}</p>`;
}
