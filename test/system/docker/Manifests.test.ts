/** The compose files and the Kubernetes YAML of deploy/ and docs/deploy.md: valid, with existing settings, probes and grace periods. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse, parseAllDocuments, stringify } from "yaml"
import { Database } from "../../../src/platform/database/Database.ts"
import { queueTables } from "../../../src/platform/queue/QueueSql.ts"
import { blocks } from "../../docs/pages.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { composeViolations } from "./compose.ts"
import { documentsOf } from "./kubernetes.ts"
import { readSettings } from "./readSettings.ts"

const root = join(import.meta.dirname, "../../..")
const text = (file: string) => readFileSync(join(root, file), "utf8")

const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: "0123456789abcdef",
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
}

const Environment = Schema.Record(Schema.String, Schema.String)
const Service = Schema.Struct({
  environment: Schema.optionalKey(Environment),
  ports: Schema.optionalKey(Schema.Array(Schema.String)),
  volumes: Schema.optionalKey(Schema.Array(Schema.String)),
  command: Schema.optionalKey(Schema.Array(Schema.String)),
  healthcheck: Schema.optionalKey(Schema.Struct({ test: Schema.Array(Schema.String) })),
  depends_on: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ condition: Schema.String }))),
  stop_grace_period: Schema.optionalKey(Schema.String),
  read_only: Schema.optionalKey(Schema.Boolean),
  networks: Schema.optionalKey(Schema.Struct({ default: Schema.Struct({ ipv4_address: Schema.String }) })),
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  volumes: Schema.Record(Schema.String, Schema.Unknown),
})

describe("compose.yaml", () => {
  const compose = Schema.decodeUnknownSync(Compose)(parse(text("compose.yaml"), { merge: true }))
  const { mailpit, postgres, proxy, ...pods } = compose.services
  const filled = (environment: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, secret: string) => secrets[secret] ?? ""),
      ]),
    )

  it.effect("gives pods existing settings only, and all required ones", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(Object.keys(pods), ["pod-1", "pod-2"])
      for (const { environment = {} } of Object.values(pods)) {
        const { names, settings } = yield* readSettings(filled(environment))
        assert.deepStrictEqual(
          Object.keys(environment).filter((name) => !names.has(name)),
          [],
        )
        assert.strictEqual(settings.email._tag, "smtp")
        // pods trust X-Forwarded-For of the proxy only
        const address = proxy?.networks?.default.ipv4_address
        assert.strictEqual(environment["TRUSTED_PROXIES"], `${address}/32`)
      }
    }),
  )

  it("contains no secret: each is required from .env", () => {
    const names = [...text("compose.yaml").matchAll(/\$\{(\w+)([^}]*)\}/g)]
    for (const [whole, , otherwise] of names) assert.match(otherwise ?? "", /^:\?/, whole)
    assert.deepStrictEqual([...new Set(names.map(([, name]) => name))].toSorted(), Object.keys(secrets).toSorted())
    const example = text(".env.example")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    assert.deepStrictEqual(
      example.toSorted(),
      Object.keys(secrets)
        .toSorted()
        .map((name) => `${name}=`),
    )
    assert.match(text(".gitignore"), /^\.env$/m)
    assert.match(text(".dockerignore"), /^\.env\*$/m)
  })

  it("waits for a healthy database, keeps its data, and publishes ports on localhost only", () => {
    for (const pod of Object.values(pods)) {
      assert.strictEqual(pod.depends_on?.["postgres"]?.condition, "service_healthy")
      assert.strictEqual(pod.stop_grace_period, "60s")
      assert.isTrue(pod.read_only)
      assert.isUndefined(pod.ports)
    }
    assert.include(postgres?.healthcheck?.test ?? [], "pg_isready")
    assert.isUndefined(postgres?.ports)
    const [volume] = postgres?.volumes?.[0]?.split(":") ?? []
    assert.property(compose.volumes, volume ?? "")
    for (const name of Object.keys(pods)) assert.include(proxy?.command ?? [], `${name}:8080`)
    for (const port of [...(proxy?.ports ?? []), ...(mailpit?.ports ?? [])]) assert.match(port, /^127\.0\.0\.1:/)
  })
})

describe("compose files", () => {
  const backup = text("deploy/compose/backup.yaml")

  it("are valid by the Compose Specification, alone, together, and in the guides", () => {
    assert.deepStrictEqual(composeViolations(text("compose.yaml")), [])
    assert.deepStrictEqual(composeViolations(text("compose.yaml"), backup), [])
    const inGuides = blocks.filter(({ code, language }) => language === "yaml" && /^services:/m.test(code))
    assert.isNotEmpty(inGuides)
    for (const { code, path } of inGuides) assert.deepStrictEqual(composeViolations(code), [], path)
  })

  it("would be refused with a misspelt key, a wrong type, an undeclared name or an invalid value", () => {
    for (const [from, to, found] of [
      ["healthcheck:", "healthchek:", /additionalProperty":"healthchek"/],
      ["retries: 30", "retrys: 30", /additionalProperty":"retrys"/],
      ["cap_drop: [ALL]", "cap_drop: ALL", /cap_drop must be array/],
      ["condition: service_healthy", "condition: healthy", /condition must be equal/],
      ["ipv4_address:", "ipv4:", /additionalProperty":"ipv4"/],
      ["    postgres:\n      condition", "    postgre:\n      condition", /postgre is not declared/],
      ["- postgres:/var", "- data:/var", /data is not declared/],
      ["    networks:\n      default:", "    networks:\n      own:", /own is not declared/],
      ["stop_grace_period: 60s", "stop_grace_period: 60 seconds", /60 seconds is not valid/],
      ["mem_limit: 1536m", "mem_limit: 1536Mi", /1536Mi is not valid/],
      ["restart: unless-stopped", "restart: until-stopped", /until-stopped is not valid/],
    ] as const) {
      const changed = text("compose.yaml").replace(from, to)
      assert.notStrictEqual(changed, text("compose.yaml"), from)
      assert.match(composeViolations(changed).join("\n"), found)
    }
    assert.match(composeViolations(backup).join("\n"), /postgres is not declared/)
  })
})

describe("deploy/kubernetes", () => {
  it("has documents that Kubernetes accepts, without unknown or empty fields", () => {
    const documents = readdirSync(join(root, "deploy/kubernetes")).flatMap((name) =>
      documentsOf(text(`deploy/kubernetes/${name}`)),
    )
    assert.isNotEmpty(documents)
    for (const { kind, violations } of documents) assert.deepStrictEqual(violations, [], kind)
    assert.deepStrictEqual(documents.map(({ kind }) => kind).toSorted(), [
      "Deployment",
      "Job",
      "PodDisruptionBudget",
      "Service",
    ])
  })

  it("has a Job that migrates with the rights of the pods", () => {
    const parts = ["interview-invitations.yaml", "migrate.yaml"].map((name) => text(`deploy/kubernetes/${name}`))
    const [pod, job] = parts.map((part) => Schema.decodeUnknownSync(PodOf)(documentsOf(part)[0]?.spec).template.spec)
    const [container, migrate] = [pod?.containers[0], job?.containers[0]]
    assert.deepStrictEqual(migrate?.args, ["migrate"])
    assert.deepStrictEqual(migrate?.envFrom, container?.envFrom)
    assert.deepStrictEqual(migrate?.securityContext, container?.securityContext)
    assert.deepStrictEqual(job?.securityContext, pod?.securityContext)
  })
})

describe("deploy/prometheus", () => {
  it("has groups that are the spec of a PrometheusRule of the Prometheus Operator", () => {
    const spec: unknown = parse(text("deploy/prometheus/alerts.yaml"))
    const rule = { apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule", metadata: { name: "alerts" }, spec }
    assert.deepStrictEqual(documentsOf(stringify(rule))[0]?.violations, [])
  })
})

const Container = Schema.Struct({
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  envFrom: Schema.Array(Schema.Unknown),
  securityContext: Schema.Unknown,
})
const PodOf = Schema.Struct({
  template: Schema.Struct({
    spec: Schema.Struct({ securityContext: Schema.Unknown, containers: Schema.Tuple([Container]) }),
  }),
})

const Probe = Schema.Struct({ httpGet: Schema.Struct({ path: Schema.String, port: Schema.String }) })
const Deployment = Schema.Struct({
  spec: Schema.Struct({
    template: Schema.Struct({
      spec: Schema.Struct({
        terminationGracePeriodSeconds: Schema.Int,
        containers: Schema.Tuple([
          Schema.Struct({
            env: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
            startupProbe: Probe,
            livenessProbe: Probe,
            readinessProbe: Probe,
          }),
        ]),
      }),
    }),
  }),
})
const ScaledObject = Schema.Struct({
  spec: Schema.Struct({
    triggers: Schema.Tuple([Schema.Struct({ metadata: Schema.Record(Schema.String, Schema.String) })]),
  }),
})

describe("the guides' YAML", () => {
  const documents = blocks
    .filter(({ language }) => language === "yaml")
    .flatMap(({ code }) =>
      parseAllDocuments(code).map((document) => {
        assert.deepStrictEqual([...document.errors, ...document.warnings], [])
        return document.toJS() as unknown
      }),
    )
  const Kind = Schema.Struct({ kind: Schema.String })
  const ofKind = (kind: string) => {
    const found = documents.filter((document) => Schema.is(Kind)(document) && document.kind === kind)
    assert.lengthOf(found, 1, kind)
    return found[0]
  }

  it.effect("has a Deployment with existing settings, working probes, and time to drain", () =>
    Effect.gen(function* () {
      const { containers, terminationGracePeriodSeconds } = Schema.decodeUnknownSync(Deployment)(ofKind("Deployment"))
        .spec.template.spec
      const [pod] = containers
      const secret = { DATABASE_URL: "postgres://a:b@postgres/c", SECRET_KEY: secrets["SECRET_KEY"] ?? "" }
      const environment = Object.fromEntries(pod.env.map(({ name, value }) => [name, value]))
      const { names } = yield* readSettings({ ...environment, ...secret, SMTP_URL: "smtps://a:b@mail.acme.example" })
      for (const { name } of pod.env) assert.isTrue(names.has(name), name)
      assert.deepStrictEqual(
        [pod.startupProbe, pod.livenessProbe, pod.readinessProbe].map(({ httpGet }) => httpGet.path),
        ["/health/live", "/health/live", "/health/ready"],
      )
      assert.isAtLeast(terminationGracePeriodSeconds, 55)
      ofKind("PodDisruptionBudget")
    }),
  )

  it.effect("has a query that returns how long the oldest job has been due", () =>
    Effect.gen(function* () {
      const [{ metadata }] = Schema.decodeUnknownSync(ScaledObject)(ofKind("ScaledObject")).spec.triggers
      const { client: sql } = yield* Database
      const age = Effect.map(sql.unsafe<Record<string, string>>(metadata["query"] ?? ""), ([row]) =>
        Math.round(Number(Object.values(row ?? {})[0])),
      )
      assert.strictEqual(yield* age, 0)
      yield* sql`
        with o as (insert into organization (name) values ('Acme') returning id)
        insert into email (id, organization_id, kind, recipient, subject, html, text, created_at, due_at)
        select '00000000-0000-7000-8000-000000000001', id, 'member', 'a@b.example', '', '', '', now(), now() - interval '90 seconds'
        from o`
      assert.strictEqual(yield* age, 90)
      // of each queue
      for (const table of queueTables) assert.include(metadata["query"], `from ${table} where due_at is not null`)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})
