/** The Helm chart of deploy/helm, rendered by helm: the same pod as deploy/kubernetes. Needs `helm`, or its path in HELM. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseAllDocuments } from "yaml"

const root = join(import.meta.dirname, "../../..")
const chart = join(root, "deploy/helm/interview-invitations")
const program = process.env["HELM"] ?? "helm"
const helm = (...args: ReadonlyArray<string>) => spawnSync(program, args, { encoding: "utf8" })

const Document = Schema.Struct({ kind: Schema.String, spec: Schema.Record(Schema.String, Schema.Unknown) })
const Template = Schema.Struct({
  spec: Schema.Struct({ containers: Schema.Tuple([Schema.Record(Schema.String, Schema.Unknown)]) }),
})
const documentsOf = (text: string) =>
  new Map(
    parseAllDocuments(text).map((document) => {
      const { kind, spec } = Schema.decodeUnknownSync(Document)(document.toJS())
      return [kind, spec] as const
    }),
  )

/** What the chart and the manifest must have in common. */
const podOf = (deployment: Readonly<Record<string, unknown>> | undefined) => {
  const { spec } = Schema.decodeUnknownSync(Template)(deployment?.["template"])
  const [container] = spec.containers
  const { env: _, image: __, ...rest } = container
  const others = Object.fromEntries(Object.entries(deployment?.["template"] as object))
  const { containers: ___, ...pod } = (others as { spec: Record<string, unknown> }).spec
  return { rest, pod, replicas: deployment?.["replicas"], strategy: deployment?.["strategy"] }
}

const isMissing = helm("version").status !== 0
describe.skipIf(isMissing)(`deploy/helm${isMissing ? ": skipped, because the program helm is missing" : ""}`, () => {
  const digest = `sha256:${"a".repeat(64)}`
  const template = (...sets: ReadonlyArray<string>) =>
    helm("template", "interviews", chart, ...sets.flatMap((set) => ["--set", set]))

  it("passes helm lint and renders the pod of deploy/kubernetes", () => {
    const linted = helm("lint", "--strict", chart, "--set", `image.digest=${digest}`)
    assert.strictEqual(linted.status, 0, linted.stdout)
    const { stdout } = template(`image.digest=${digest}`)
    const rendered = documentsOf(stdout)
    const plain = documentsOf(readFileSync(join(root, "deploy/kubernetes/interview-invitations.yaml"), "utf8"))
    assert.deepStrictEqual(podOf(rendered.get("Deployment")), podOf(plain.get("Deployment")))
    assert.deepStrictEqual([...rendered.keys()].toSorted(), ["Deployment", "PodDisruptionBudget", "Service"])
    assert.include(stdout, `image: registry.acme.example/interview-invitations@${digest}`)
  })

  it("renders an Ingress and a ServiceMonitor on request, and refuses an image without digest and tag", () => {
    const { stdout } = template("image.tag=1", "ingress.enabled=true", "serviceMonitor.enabled=true")
    assert.includeMembers([...documentsOf(stdout).keys()], ["Ingress", "ServiceMonitor"])
    const refused = template()
    assert.notStrictEqual(refused.status, 0)
    assert.include(refused.stderr, "set image.digest or image.tag")
  })
})
