/** Kubernetes' schemas for the kinds that deploy/ has, and the Prometheus Operator's for ServiceMonitor and PrometheusRule. */

import { PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule"
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor"
import { Schema } from "effect"
import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { Job } from "kubernetes-models/batch/v1/Job"
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { Service } from "kubernetes-models/v1/Service"
import { parseAllDocuments } from "yaml"

const models = [Deployment, Ingress, Job, PodDisruptionBudget, PrometheusRule, Service, ServiceMonitor]

const Document = Schema.Struct({
  apiVersion: Schema.String,
  kind: Schema.String,
  spec: Schema.Record(Schema.String, Schema.Unknown),
})

/** A document of Kubernetes YAML. */
export interface KubernetesDocument {
  readonly kind: string
  readonly spec: Readonly<Record<string, unknown>>
  /** What the API server would refuse or drop, each with its path. */
  readonly violations: ReadonlyArray<string>
}

/**
 * Runs `validate` with a view of the document. The schemas allow unknown fields, and look at known ones only: returns the paths
 * of the fields that `validate` did not read.
 */
const unreadFields = (document: object, validate: (view: object) => void): ReadonlyArray<string> => {
  const unread = new Set<string>()
  const viewOf = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null) return value
    const fields = new Map<string | symbol, unknown>()
    for (const [key, child] of Object.entries(value)) {
      unread.add(`${path}/${key}`)
      fields.set(key, viewOf(child, `${path}/${key}`))
    }
    return new Proxy(value, {
      get: (target, key) => {
        unread.delete(`${path}/${String(key)}`)
        return fields.has(key) ? fields.get(key) : Reflect.get(target, key)
      },
    })
  }
  validate(viewOf(document, "") as object)
  const isInside = (path: string) => [...unread].some((other) => path.startsWith(`${other}/`))
  return [...unread].filter((path) => !isInside(path))
}

/** Returns the paths of empty values, such as those of a template whose value is missing. */
const emptyFields = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (value === null) return [path]
  if (typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, child]) => emptyFields(child, `${path}/${key}`))
}

const violationsOf = (document: typeof Document.Type, value: object): ReadonlyArray<string> => {
  const model = models.find(({ apiVersion, kind }) => apiVersion === document.apiVersion && kind === document.kind)
  if (model === undefined) return [`no schema of ${document.apiVersion} ${document.kind}`]
  const refused: Array<string> = []
  const unread = unreadFields(value, (view) => {
    try {
      model.prototype.validate.call(view)
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error))
    }
  })
  return [
    ...refused,
    ...unread.map((path) => `${path} is unknown`),
    ...emptyFields(value).map((path) => `${path} is empty`),
  ]
}

/** Reads YAML as Kubernetes does, which is version 1.1: `on` is a boolean. Throws when it is malformed. */
export const documentsOf = (text: string): ReadonlyArray<KubernetesDocument> =>
  parseAllDocuments(text, { version: "1.1" }).map((parsed) => {
    const [problem] = [...parsed.errors, ...parsed.warnings]
    if (problem !== undefined) throw problem
    const value: unknown = parsed.toJS()
    const document = Schema.decodeUnknownSync(Document)(value)
    return { kind: document.kind, spec: document.spec, violations: violationsOf(document, value as object) }
  })
