/** The Helm chart of deploy/helm: the schema of its values, and its documents, which have the pod of deploy/kubernetes. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Schema } from "effect"
import { parse } from "yaml"
import { type ClusterTools, getClusterTools, missing } from "./clusterTools.ts"
import { documentsOf } from "./kubernetes.ts"

const chart = join(import.meta.dirname, "../../../deploy/helm/interview-invitations")
const text = (file: string) => readFileSync(join(chart, file), "utf8")

interface SchemaNode {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: unknown
}
const schema: SchemaNode & { readonly definitions: Readonly<Record<string, SchemaNode>> } = JSON.parse(
  text("values.schema.json"),
)
const defaults: unknown = parse(text("values.yaml"), { version: "1.1" })
const digest = `sha256:${"a".repeat(64)}`

/** Values that the chart refuses, with what the error names. */
const refused: ReadonlyArray<readonly [values: object, named: RegExp]> = [
  [{ replica: 3 }, /replica\b/],
  [{ replicas: "3" }, /replicas\b/],
  [{ image: { tag: 1.1 } }, /image[./]tag/],
  [{ image: { digest: "aaaa" } }, /image[./]digest/],
  [{ image: { repository: "registry.acme.example/interview-invitations:1" } }, /image[./]repository/],
  [{ image: { pullSecrets: ["registry"] } }, /image[./]pullSecrets[./]0/],
  [{ settings: { api_url: "https://interviews.acme.example" } }, /api_url/],
  [{ settings: { TRUSTED_PROXIES: ["10.0.0.0/16"] } }, /settings[./]TRUSTED_PROXIES/],
  [{ secretName: "" }, /secretName/],
  [{ secretName: null }, /secretName/],
  [{ resources: { limits: { memory: "1536 MB" } } }, /resources[./]limits[./]memory/],
  [{ resources: { memory: "1536Mi" } }, /memory/],
  [{ podDisruptionBudget: { minAvailable: "half" } }, /podDisruptionBudget[./]minAvailable/],
  [{ ingress: { enabled: "yes" } }, /ingress[./]enabled/],
  [{ ingress: { host: "https://interviews.acme.example" } }, /ingress[./]host/],
  [{ serviceMonitor: { interval: 30 } }, /serviceMonitor[./]interval/],
  [{ nodeSelector: { disk: 1 } }, /nodeSelector[./]disk/],
]

/** Values that use each part of the chart. */
const full = {
  image: { repository: "localhost:5000/interviews", digest, tag: "1", pullSecrets: [{ name: "registry" }] },
  replicas: 3,
  settings: {
    EMAIL_FROM: 'Acme "Jobs" <jobs@acme.example>',
    TRUSTED_PROXIES: "10.0.0.0/16",
    DATABASE_POOL: 12_000_000,
    OFF: false,
  },
  secretName: "interviews",
  resources: { requests: { cpu: 0.5, memory: 536_870_912 }, limits: { memory: "1.5Gi" } },
  podDisruptionBudget: { minAvailable: "50%" },
  ingress: { enabled: true, className: "" },
  serviceMonitor: { enabled: true, interval: "1m", labels: { release: "prometheus" } },
  nodeSelector: { disk: "ssd" },
  tolerations: [{ key: "interviews", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: {} } },
      ],
    },
  },
}

/** The values as helm passes them to the schema: with the defaults, and without what is null. */
const withDefaults = (values: unknown, base: unknown = defaults): unknown => {
  const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isMap(values) || !isMap(base)) return values
  const merged = Object.entries(values).map(([key, value]) => [key, withDefaults(value, base[key])] as const)
  return Object.fromEntries(
    Object.entries({ ...base, ...Object.fromEntries(merged) }).filter(([, one]) => one !== null),
  )
}

describe("values.schema.json", () => {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false })
  const isValid = ajv.compile(schema)
  const problems = (values: object) => {
    isValid(withDefaults(values))
    return (isValid.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }

  it("has the keys of values.yaml and accepts its values", () => {
    assert.deepStrictEqual(problems({}), [])
    const resolved = (node: SchemaNode): SchemaNode =>
      node.$ref === undefined ? node : (schema.definitions[node.$ref.replace("#/definitions/", "")] ?? {})
    /** Compares the keys of each map that has fixed keys. */
    const compare = (given: SchemaNode, value: unknown, path: string): void => {
      const node = resolved(given)
      if (node.properties === undefined) return
      assert.isFalse(node.additionalProperties, path)
      const fields = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))(value)
      const { global: _, ...properties } = node.properties
      assert.sameMembers(Object.keys(fields), Object.keys(properties), path)
      for (const [key, field] of Object.entries(properties)) compare(field, fields[key], `${path}/${key}`)
    }
    compare(schema, defaults, "")
  })

  it("accepts values that use each part, and those of a parent chart", () => {
    assert.deepStrictEqual(problems({ ...full, global: { region: "eu" } }), [])
  })

  it("refuses wrong values and names them", () => {
    for (const [values, named] of refused) assert.match(problems(values).join("\n"), named, JSON.stringify(values))
  })
})

const Template = Schema.Struct({
  metadata: Schema.Struct({ labels: Schema.Record(Schema.String, Schema.String) }),
  spec: Schema.Struct({ containers: Schema.Tuple([Schema.Record(Schema.String, Schema.Unknown)]) }),
})

/** What the chart and the manifest must have in common. */
const podOf = (deployment: Readonly<Record<string, unknown>> | undefined) => {
  const { spec } = Schema.decodeUnknownSync(Template)(deployment?.["template"])
  const [container] = spec.containers
  const { env: _, image: __, ...rest } = container
  const others = Object.fromEntries(Object.entries(deployment?.["template"] as object))
  const { containers: ___, ...pod } = (others as { spec: Record<string, unknown> }).spec
  return { rest, pod, replicas: deployment?.["replicas"], strategy: deployment?.["strategy"] }
}

describe.skipIf(missing !== undefined)(`deploy/helm${missing === undefined ? "" : `: ${missing}`}`, () => {
  let tools: ClusterTools
  beforeAll(() => {
    tools = getClusterTools()
  }, 300_000)
  afterAll(() => tools?.close())

  const run = (values: object, ...args: ReadonlyArray<string>) =>
    spawnSync(tools.helm, [...args, "--values=-"], { encoding: "utf8", input: JSON.stringify(values) })
  const template = (values: object, release = "interviews") => run(values, "template", release, chart)

  /** Renders documents that Kubernetes accepts; returns the spec of each kind. */
  const specs = (values: object, release?: string) => {
    const { status, stderr, stdout } = template(values, release)
    assert.strictEqual(status, 0, stderr)
    const documents = documentsOf(stdout)
    for (const { kind, violations } of documents) assert.deepStrictEqual(violations, [], kind)
    return new Map(documents.map(({ kind, spec }) => [kind, spec] as const))
  }
  const containerOf = (deployment: Readonly<Record<string, unknown>> | undefined) =>
    Schema.decodeUnknownSync(Template)(deployment?.["template"]).spec.containers[0]

  it("passes helm lint", () => {
    const { status, stdout } = run({ image: { digest } }, "lint", "--strict", chart)
    assert.strictEqual(status, 0, stdout)
  })

  it("renders the pod of deploy/kubernetes", () => {
    const rendered = specs({ image: { digest } })
    const file = join(chart, "../../kubernetes/interview-invitations.yaml")
    const plain = documentsOf(readFileSync(file, "utf8")).find(({ kind }) => kind === "Deployment")
    assert.deepStrictEqual(podOf(rendered.get("Deployment")), podOf(plain?.spec))
    assert.deepStrictEqual([...rendered.keys()].toSorted(), ["Deployment", "PodDisruptionBudget", "Service"])
    const { image } = containerOf(rendered.get("Deployment"))
    assert.strictEqual(image, `registry.acme.example/interview-invitations@${digest}`)
  })

  it("renders valid documents with all values in them", () => {
    const rendered = specs(full)
    assert.sameMembers(
      [...rendered.keys()],
      ["Deployment", "Ingress", "PodDisruptionBudget", "Service", "ServiceMonitor"],
    )
    const container = containerOf(rendered.get("Deployment"))
    assert.deepStrictEqual(container["env"], [
      { name: "DATABASE_POOL", value: "12000000" },
      { name: "EMAIL", value: "smtp" },
      { name: "EMAIL_FROM", value: 'Acme "Jobs" <jobs@acme.example>' },
      { name: "OFF", value: "false" },
      { name: "TRUSTED_PROXIES", value: "10.0.0.0/16" },
    ])
    assert.strictEqual(container["image"], `localhost:5000/interviews@${digest}`)
    assert.deepStrictEqual(container["envFrom"], [{ secretRef: { name: "interviews" } }])
    const { imagePullSecrets, nodeSelector, tolerations, affinity } = podOf(rendered.get("Deployment")).pod
    assert.deepStrictEqual(
      { imagePullSecrets, nodeSelector, tolerations, affinity },
      {
        imagePullSecrets: full.image.pullSecrets,
        nodeSelector: full.nodeSelector,
        tolerations: full.tolerations,
        affinity: full.affinity,
      },
    )
    assert.notProperty(rendered.get("Ingress"), "ingressClassName")
    assert.strictEqual(rendered.get("PodDisruptionBudget")?.["minAvailable"], "50%")
  })

  it("selects the pod in the Service and the PodDisruptionBudget", () => {
    const rendered = specs({ image: { tag: "1" } })
    const { labels } = Schema.decodeUnknownSync(Template)(rendered.get("Deployment")?.["template"]).metadata
    const budget = rendered.get("PodDisruptionBudget")?.["selector"] as Record<string, object>
    for (const selected of [rendered.get("Service")?.["selector"] as object, budget["matchLabels"] ?? {}]) {
      assert.isNotEmpty(selected)
      assert.deepStrictEqual({ ...labels, ...selected }, labels)
    }
  })

  it("renders valid documents for a release whose name is a number", () => {
    specs({ image: { tag: "1" }, ingress: { enabled: true }, serviceMonitor: { enabled: true } }, "123")
  })

  it("refuses wrong values and names them, and an image without digest and tag", () => {
    for (const [values, named] of [...refused, [{}, /set image\.digest or image\.tag/] as const]) {
      const { status, stderr, stdout } = template(values)
      assert.notStrictEqual(status, 0, stdout)
      assert.match(stderr, named, JSON.stringify(values))
    }
  })
})
