/**
 * external_id and metadata, which a hiring system stores with a candidate's submission or with a set, to find its own
 * record again. They are returned unchanged, need not be unique, and do not identify a person (docs/api.md). A submission has
 * every field, a set only those of `setReference`.
 */
import { Schema } from "effect"
import { fieldLabels, optional, rule, text } from "./Fields.ts"

export const referenceLimits = { id: 250, entries: 20, key: 40, value: 250 } as const

const keyPattern = new RegExp(`^[A-Za-z0-9_.-]{1,${referenceLimits.key}}$`)

const hasFewEntries = Schema.makeFilter(
  (metadata: Readonly<Record<string, unknown>>) => Object.keys(metadata).length <= referenceLimits.entries,
  {
    code: "too_many",
    message: `must have at most ${referenceLimits.entries} entries`,
    representation: { id: "interview-invitations/metadata", payload: referenceLimits, schemas: [] },
    toJsonSchema: () => ({ maxProperties: referenceLimits.entries, propertyNames: { pattern: keyPattern.source } }),
  },
)

/** Decoded from a plain string: the keys of a record whose key schema has checks are ignored instead of refused. */
const metadataKey = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      rule(
        (key) => keyPattern.test(key),
        "invalid_key",
        `must have a name of 1 to ${referenceLimits.key} letters, digits, "_", "-" or "."`,
      ),
    ),
  ),
)

/** Of a set, in requests. Null or absent: not given. */
export const setReferenceInput = {
  external_id: optional(
    text(referenceLimits.id).check(rule((id) => id.trim() !== "", "blank", "must not be blank")),
    `Your own id, any text of at most ${referenceLimits.id} characters; need not be unique`,
  ).annotateKey({ title: "External id" }),
  metadata: optional(
    Schema.Record(metadataKey, text(referenceLimits.value)).check(hasFewEntries),
    `Your own named texts: at most ${referenceLimits.entries}, with names of at most ${referenceLimits.key} letters, digits, "_", "-" and "." and texts of at most ${referenceLimits.value} characters`,
  ).annotateKey({ title: "Metadata" }),
}

/** Of a candidate, in requests. A field that sets do not have is added here. */
export const referenceInput = { ...setReferenceInput }

/** Of a set, in responses. */
export const setReference = {
  external_id: Schema.NullOr(Schema.String).annotate({ description: "Your own id; null: not given" }),
  metadata: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Your own named texts; {}: not given",
  }),
}
const SetReference = Schema.Struct(setReference)
export type SetReference = typeof SetReference.Type

export const readSetReference = (request: Partial<ReferenceInput>): SetReference => ({
  external_id: request.external_id ?? null,
  metadata: request.metadata ?? {},
})

/** Of a candidate, in responses and events. A field that sets do not have is added here. */
export const externalReference = { ...setReference }
const ExternalReference = Schema.Struct(externalReference)
export type ExternalReference = typeof ExternalReference.Type

/** In the order of payloads; the columns of `submission`. */
export const referenceNames = Object.keys(externalReference) as ReadonlyArray<keyof ExternalReference>

const eachField = <Reference>(value: (name: keyof ExternalReference) => unknown): Reference =>
  Object.fromEntries(referenceNames.map((name) => [name, value(name)])) as Reference

/** Null: not given. */
export type ReferenceInput = { readonly [Name in keyof ExternalReference]: ExternalReference[Name] | null }

export const emptyReference = eachField<ExternalReference>((name) => (name === "metadata" ? {} : null))

export const readReference = (entry: Partial<ReferenceInput>) =>
  eachField<ReferenceInput>((name) => entry[name] ?? null)

/** True if the request has at least one of the fields. */
export const isGiven = (reference: ReferenceInput): boolean => Object.values(reference).some((value) => value !== null)

/** The given values, else the earlier ones. */
export const mergeReference = <Earlier extends ReferenceInput>(earlier: Earlier, given: ReferenceInput) =>
  eachField<Pick<Earlier, keyof ReferenceInput>>((name) => given[name] ?? earlier[name])

export const referenceOf = (reference: ExternalReference) => eachField<ExternalReference>((name) => reference[name])

const textOf = (value: ExternalReference[keyof ExternalReference]): string | null => {
  if (value === null || typeof value === "string") return value
  const entries = Object.entries(value)
  return entries.length === 0 ? null : entries.map(([key, entry]) => `${key}: ${entry}`).join("; ")
}

/** The fields, for pages and exports. `of` returns null for a missing value. */
const labelled = <Reference extends Partial<ExternalReference>>(request: Schema.Struct.Fields) =>
  fieldLabels(Schema.Struct(request)).map(({ label, name }) => ({
    label,
    of: (reference: Reference) => textOf(reference[name as keyof Reference & keyof ExternalReference] ?? null),
  }))
export const setReferenceLabels = labelled<SetReference>(setReferenceInput)
export const referenceLabels = labelled<ExternalReference>(referenceInput)
