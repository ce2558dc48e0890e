/** deploy/prometheus and deploy/grafana: each query names metrics and labels that /metrics has. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parser } from "@prometheus-io/lezer-promql"
import { Effect, Layer, Schema } from "effect"
import { parse as parseYaml } from "yaml"
import * as App from "../../../src/App.ts"
import * as Api from "../../support/Api.ts"
import { type Family, parse } from "../../support/Prometheus.ts"
import * as Scenario from "../../support/Scenario.ts"

const file = (path: string) => readFileSync(join(import.meta.dirname, "../../../deploy", path), "utf8")

const Rules = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          for: Schema.optionalKey(Schema.String),
          labels: Schema.Struct({ severity: Schema.Literals(["critical", "warning"]) }),
          annotations: Schema.Struct({ summary: Schema.String, description: Schema.String }),
        }),
      ),
    }),
  ),
})
const Dashboard = Schema.Struct({
  panels: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      title: Schema.String,
      gridPos: Schema.Struct({ h: Schema.Int, w: Schema.Int, x: Schema.Int, y: Schema.Int }),
      targets: Schema.Array(Schema.Struct({ expr: Schema.String, legendFormat: Schema.String })),
    }),
  ),
})

const rules = Schema.decodeUnknownSync(Rules)(parseYaml(file("prometheus/alerts.yaml"))).groups.flatMap(
  (group) => group.rules,
)
const { panels } = Schema.decodeUnknownSync(Dashboard)(JSON.parse(file("grafana/dashboard.json")))

/** Labels and metrics that Prometheus adds. */
const ofPrometheus = { labels: ["job", "instance", "le"], metrics: ["up"] }

interface Use {
  readonly metric: string
  /** Labels in braces, with the value of those that must be equal to it. */
  readonly labels: ReadonlyArray<readonly [name: string, value: string | undefined]>
}

/** The metrics of a query, and the labels by which it groups. `errors`: texts that are no PromQL. */
const usesOf = (written: string) => {
  // as Grafana does
  const query = written.replaceAll("$__rate_interval", "1m")
  const grouped: Array<string> = []
  const errors: Array<string> = []
  const uses: Array<Use> = []
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }) => query.slice(from, to)
  parser.parse(query).iterate({
    enter: ({ node }) => {
      if (node.type.isError) errors.push(textOf(node.parent ?? node))
      if (node.name === "GroupingLabels") grouped.push(...node.getChildren("LabelName").map(textOf))
      if (node.name !== "VectorSelector") return
      const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? []
      const [metric] = node.getChildren("Identifier").map(textOf)
      uses.push({
        metric: metric ?? "",
        labels: matchers.map((matcher) => {
          const [name = "", operator, value = ""] = ["LabelName", "MatchOp", "StringLiteral"].flatMap((part) =>
            matcher.getChildren(part).map(textOf),
          )
          return [name, operator === "=" ? value.slice(1, -1) : undefined] as const
        }),
      })
    },
  })
  return { errors, grouped, uses }
}

const seriesOf = (families: ReadonlyMap<string, Family>, metric: string) =>
  [...families.values()].flatMap(({ samples }) => samples).filter(({ name }) => name === metric)

/** Values of labels that this test does not produce. */
const others: Readonly<Record<string, ReadonlyArray<string>>> = { outcome: ["died", "failed"] }

/** Reasons why a query finds nothing in a scrape. */
const faultsOf = (families: ReadonlyMap<string, Family>, query: string): ReadonlyArray<string> => {
  const { errors, grouped, uses } = usesOf(query)
  if (errors.length > 0) return errors.map((text) => `no PromQL: ${text}`)
  if (uses.length === 0) return [`no metric in ${query}`]
  return uses.flatMap(({ labels, metric }) => {
    if (ofPrometheus.metrics.includes(metric)) return []
    const series = seriesOf(families, metric)
    if (series.length === 0) return [`${metric} does not exist: ${query}`]
    const names = new Set([...ofPrometheus.labels, ...series.flatMap((one) => Object.keys(one.labels))])
    const missing = [...grouped, ...labels.map(([name]) => name)].filter((name) => !names.has(name))
    const wrong = labels.filter(
      ([name, value]) =>
        value !== undefined &&
        !ofPrometheus.labels.includes(name) &&
        !others[name]?.includes(value) &&
        !series.some((one) => one.labels[name] === value),
    )
    return [
      ...missing.map((name) => `${metric} has no label ${name}: ${query}`),
      ...wrong.map(([name, value]) => `${metric} has no ${name}="${value}": ${query}`),
    ]
  })
}

describe("deploy/prometheus and deploy/grafana", () => {
  const token = "a-token-of-the-scraper-0123456789"
  it.live("use metrics, labels and values that /metrics has", () =>
    Effect.gen(function* () {
      yield* Api.call("GET", "/company/integration/me/v1")
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id)
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.publish(candidate)
      const scrape = Effect.map(
        Api.call("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } }),
        ({ body }) => parse(String(body)),
      )
      const attempted = (families: ReadonlyMap<string, Family>, queue: string) =>
        seriesOf(families, "interview_queue_attempts_total").some(({ labels }) => labels["queue"] === queue)
      let families = yield* scrape
      while (!["email", "webhook_delivery"].every((queue) => attempted(families, queue))) {
        yield* Effect.sleep("20 millis")
        families = yield* scrape
      }
      const queries = [
        ...rules.map(({ expr }) => expr),
        ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ]
      assert.isAbove(queries.length, 25)
      assert.deepStrictEqual(
        queries.flatMap((query) => faultsOf(families, query)),
        [],
      )
      // each label in a legend is one by which its query groups or that its series have
      for (const { targets } of panels) {
        for (const { expr, legendFormat } of targets) {
          const [{ metric } = { metric: "" }] = usesOf(expr).uses
          const all = [
            ...ofPrometheus.labels,
            ...seriesOf(families, metric).flatMap(({ labels }) => Object.keys(labels)),
          ]
          const { grouped } = usesOf(expr)
          for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
            assert.include(grouped.length > 0 ? grouped : all, label, expr)
          }
        }
      }
      // the check finds what does not exist
      for (const wrong of [
        "max(interview_queue_duee) > 1",
        'sum(interview_queue_due{queu="email"})',
        "max by (queeu) (interview_queue_due)",
        'sum(interview_queue_due{queue="emails"})',
        "sum by (queue (interview_queue_due)",
      ]) {
        assert.isNotEmpty(faultsOf(families, wrong), wrong)
      }
    }).pipe(Effect.provide(App.workers.pipe(Layer.provideMerge(Api.layer({ settings: { METRICS_TOKEN: token } }))))),
  )

  it("have distinct names, and panels that do not overlap", () => {
    assert.strictEqual(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    for (const { x, w } of panels.map(({ gridPos }) => gridPos)) assert.isAtMost(x + w, 24)
    // a template of Prometheus in an annotation uses labels that the rule keeps
    for (const { annotations, expr } of rules) {
      for (const [, label = ""] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        const { grouped } = usesOf(expr)
        if (grouped.length > 0) assert.include(grouped, label)
      }
    }
  })
})
