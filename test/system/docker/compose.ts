/** What Docker Compose would refuse in compose files: the Compose Specification's JSON Schema, of the package dclint, and references. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv } from "ajv"
import { Schema } from "effect"
import { parseDocument } from "yaml"

const file = new URL("schemas/compose.schema.json", import.meta.resolve("dclint/package.json"))
const { $schema, ...schema } = JSON.parse(readFileSync(fileURLToPath(file), "utf8")) as { readonly $schema: string }
/** Draft 7, whose address the file has with https; its formats are checked below. */
const draft = "https://json-schema.org/draft-07/schema"
if ($schema !== draft) throw new Error(`dclint's schema is of ${$schema}`)
const isValid = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema)

const Names = Schema.Record(Schema.String, Schema.Unknown)
const Service = Schema.Struct({
  depends_on: Schema.optionalKey(Schema.Union([Schema.Array(Schema.String), Names])),
  networks: Schema.optionalKey(Schema.Union([Schema.Array(Schema.String), Names])),
  volumes: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  stop_grace_period: Schema.optionalKey(Schema.String),
  mem_limit: Schema.optionalKey(Schema.String),
  restart: Schema.optionalKey(Schema.String),
  healthcheck: Schema.optionalKey(
    Schema.Struct({
      interval: Schema.optionalKey(Schema.String),
      timeout: Schema.optionalKey(Schema.String),
      start_period: Schema.optionalKey(Schema.String),
    }),
  ),
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Service),
  volumes: Schema.optionalKey(Names),
  networks: Schema.optionalKey(Names),
})

const namesOf = (given: ReadonlyArray<string> | typeof Names.Type | undefined) =>
  given === undefined ? [] : Array.isArray(given) ? given : Object.keys(given)

/** Of the short syntax `source:target:mode`; a source with a slash or a dot in front is a path. */
const volumeIn = (mount: unknown) => {
  const [source = ""] = typeof mount === "string" ? mount.split(":") : []
  return /^[^./~]/.test(source) ? [source] : []
}

/** One of the values that the schema takes as any string (Compose Specification: durations, byte values, restart). */
const isDuration = (value: string) => /^(\d+(us|ms|s|m|h))+$/.test(value)
const isSize = (value: string) => /^\d+(b|k|kb|m|mb|g|gb)$/.test(value)
const isRestart = (value: string) => /^(no|always|unless-stopped|on-failure(:\d+)?)$/.test(value)

/** Returns what is wrong with compose files that are used together, later ones adding to the first. */
export const composeViolations = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const violations: Array<string> = []
  const documents = texts.flatMap((text) => {
    const document = parseDocument(text, { merge: true })
    violations.push(...[...document.errors, ...document.warnings].map(({ message }) => message))
    const value: unknown = document.toJS()
    if (isValid(value)) return [Schema.decodeUnknownSync(Compose)(value)]
    const found = (isValid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
    violations.push(...found)
    return []
  })
  const declared = (key: "networks" | "services" | "volumes") =>
    new Set(documents.flatMap((document) => Object.keys(document[key] ?? {})))
  const [networks, services, volumes] = [declared("networks"), declared("services"), declared("volumes")]
  networks.add("default")
  for (const [name, service] of documents.flatMap((document) => Object.entries(document.services))) {
    const missing = [
      ...namesOf(service.depends_on).filter((other) => !services.has(other)),
      ...namesOf(service.networks).filter((network) => !networks.has(network)),
      ...(service.volumes ?? []).flatMap(volumeIn).filter((volume) => !volumes.has(volume)),
    ]
    violations.push(...missing.map((other) => `${name}: ${other} is not declared`))
    const { interval, start_period: start, timeout } = service.healthcheck ?? {}
    const values = [
      ...[service.stop_grace_period, interval, start, timeout].map((value) => [value, isDuration] as const),
      [service.mem_limit, isSize] as const,
      [service.restart, isRestart] as const,
    ]
    for (const [value, accepts] of values) {
      if (value !== undefined && !accepts(value)) violations.push(`${name}: ${value} is not valid`)
    }
  }
  return violations
}
