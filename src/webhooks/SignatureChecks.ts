/**
 * Why a receiver refuses a delivery: the steps of verification one by one (spec, Webhook signature), over a header and a
 * body that somebody has. Nothing is sent, and no secret leaves.
 */
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { EndpointId, OrganizationId } from "../values/Ids.ts"
import type { NotFound } from "../values/Problem.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { Endpoints } from "./Endpoints.ts"
import { isSignedWith, type ParsedSignature, parseSignature } from "./Signature.ts"

/** Seconds that receivers let a signature be old, either way. */
export const tolerance = 300

/** What has to be done to a body before its signature is right: somebody on the way did the opposite. */
export type BodyChange = "line_breaks" | "trimmed" | "compact"

export type DigestResult =
  /** One of the digests is that of this body under the endpoint's secret. */
  | { readonly _tag: "Right" }
  /** Under its old secret alone. */
  | { readonly _tag: "OldSecret" }
  | { readonly _tag: "Changed"; readonly change: BodyChange }
  /** Under the secret of another endpoint of the organization. */
  | { readonly _tag: "OtherEndpoint"; readonly name: string }
  | { readonly _tag: "Wrong" }

export type SignatureCheck =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Malformed" }
  | {
      readonly _tag: "Read"
      readonly at: Date
      /** Seconds; negative: it is of the future. */
      readonly age: number
      readonly digest: DigestResult
    }

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** The bodies that the given one may have been, nearest first. */
const variants = (body: string): ReadonlyArray<readonly [BodyChange, string]> => {
  const compact = Option.match(readJson(body), { onNone: () => body, onSome: (value) => JSON.stringify(value) })
  const all = [
    ["line_breaks", body.replaceAll("\n", "\r\n")],
    ["trimmed", body.trim()],
    ["compact", compact],
  ] as const
  return all.filter(([, text]) => text !== body)
}

const digestOf = Effect.fnUntraced(function* (
  organization: OrganizationId,
  id: EndpointId,
  signature: ParsedSignature,
  body: string,
): Effect.fn.Return<DigestResult, NotFound | UnreadableSecret, EndpointRepository | Endpoints> {
  const endpoints = yield* Endpoints
  const rows = yield* EndpointRepository
  const secret = Redacted.value(yield* endpoints.secret(organization, id))
  if (isSignedWith(secret, signature, body)) return { _tag: "Right" }
  const all = yield* rows.list(organization)
  const own = all.find((row) => row.id === id)
  if (own?.previous_secret) {
    const previous = yield* Effect.option(endpoints.openSecret(id, own.previous_secret))
    if (Option.isSome(previous) && isSignedWith(previous.value, signature, body)) return { _tag: "OldSecret" }
  }
  const change = variants(body).find(([, text]) => isSignedWith(secret, signature, text))
  if (change !== undefined) return { _tag: "Changed", change: change[0] }
  for (const other of all.filter((row) => row.id !== id)) {
    const theirs = yield* Effect.option(endpoints.openSecret(other.id, other.secret))
    if (Option.isSome(theirs) && isSignedWith(theirs.value, signature, body)) {
      return { _tag: "OtherEndpoint", name: other.name }
    }
  }
  return { _tag: "Wrong" }
})

/** `header` is the value of X-Webhook-Signature. */
const check = Effect.fn("SignatureChecks.check")(function* (
  organization: OrganizationId,
  id: EndpointId,
  { body, header }: { readonly header: string; readonly body: string },
): Effect.fn.Return<SignatureCheck, NotFound | UnreadableSecret, EndpointRepository | Endpoints> {
  const endpoints = yield* Endpoints
  yield* endpoints.show(organization, id)
  if (header.trim() === "") return { _tag: "Missing" }
  const signature = parseSignature(header)
  if (signature === undefined) return { _tag: "Malformed" }
  const t = Number(signature.t)
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const digest = yield* digestOf(organization, id, signature, body)
  return { _tag: "Read", at: new Date(t * 1000), age: now - t, digest }
})

const useCases = { check }

export class SignatureChecks extends Context.Service<SignatureChecks, Methods<typeof useCases>>()(
  "interview-invitations/webhooks/SignatureChecks",
) {
  static readonly layer = Layer.effect(SignatureChecks, methods([EndpointRepository, Endpoints], useCases))
}
