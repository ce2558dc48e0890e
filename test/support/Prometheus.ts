/** Strict parser of Prometheus' text format 0.0.4; also refuses metrics that a dashboard could not use. */
import { assert } from "@effect/vitest"

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const metric = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const pair = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`
const line = new RegExp(`^(${metric})(?:\\{(${pair}(?:,${pair})*)\\})? (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?)$`)

const unescaped = (text: string) => text.replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one))

const numberOf = (text: string): number =>
  text === "NaN" ? Number.NaN : Number(text.replace("+Inf", "Infinity").replace("-Inf", "-Infinity"))

const labelsOf = (text: string | undefined): Record<string, string> => {
  const labels: Record<string, string> = {}
  for (const [, name = "", value = ""] of (text ?? "").matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)) {
    assert.notProperty(labels, name)
    labels[name] = unescaped(value)
  }
  return labels
}

const suffixes: Record<string, ReadonlyArray<string>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
}

export const parse = (text: string): ReadonlyMap<string, Family> => {
  assert.isTrue(text.endsWith("\n"), "the last line has a line break")
  const families = new Map<string, { type: string; help: string; samples: Array<Sample> }>()
  let [help, current]: [[string, string] | undefined, string] = [undefined, ""]
  for (const one of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = new RegExp(`^# (HELP|TYPE) (${metric}) (.+)$`).exec(one) ?? []
    if (kind === "HELP") {
      assert.isUndefined(help, one)
      help = [name, unescaped(rest)]
    } else if (kind === "TYPE") {
      assert.strictEqual(help?.[0], name, `HELP comes before ${one}`)
      assert.isFalse(families.has(name), `one group for ${name}`)
      assert.property(suffixes, rest)
      assert.strictEqual(rest === "counter", name.endsWith("_total"), name)
      families.set(name, { type: rest, help: help?.[1] ?? "", samples: [] })
      ;[help, current] = [undefined, name]
    } else {
      const [, sample = "", labels, value = ""] = line.exec(one) ?? assert.fail(`no sample: ${one}`)
      const family = families.get(current)
      assert(family, one)
      assert.include(
        (suffixes[family.type] ?? []).map((suffix) => current + suffix),
        sample,
      )
      family.samples.push({ name: sample, labels: labelsOf(labels), value: numberOf(value) })
    }
  }
  for (const [name, family] of families) check(name, family)
  return families
}

const keyOf = ({ labels, name }: Sample, without = "") =>
  JSON.stringify([name, Object.entries(labels).filter(([label]) => label !== without)])

const check = (name: string, { samples, type }: Family): void => {
  assert.isNotEmpty(samples, name)
  assert.strictEqual(new Set(samples.map((sample) => keyOf(sample))).size, samples.length, `twice the same: ${name}`)
  if (type === "counter") for (const { value } of samples) assert.isAtLeast(value, 0)
  if (type !== "histogram") return
  const series = Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    (sample) => keyOf(sample, "le"),
  )
  assert.isAbove(series.size, 0)
  for (const buckets of series.values()) {
    const bounds = buckets.map(({ labels }) => numberOf(labels["le"] ?? ""))
    assert.deepStrictEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
    )
    assert.strictEqual(bounds.at(-1), Number.POSITIVE_INFINITY)
    const counts = buckets.map(({ value }) => value)
    assert.deepStrictEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      "buckets add up",
    )
    const [some] = buckets
    assert(some)
    const { le: _, ...labels } = some.labels
    const total = samples.find((sample) => keyOf(sample) === keyOf({ name: `${name}_count`, labels, value: 0 }))
    assert.strictEqual(total?.value, counts.at(-1))
  }
}

export const valueOf = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) => {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""))
  const found = family?.samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  assert.lengthOf(found ?? [], 1, `${name} ${JSON.stringify(labels)}`)
  return found?.[0]?.value
}
