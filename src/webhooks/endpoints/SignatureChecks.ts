/** Finds why a receiver's verification of a delivery fails. */
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { Viewer } from "../../accounts/Viewer.ts"
import type { UnreadableSecret } from "../../platform/crypto/SecretBox.ts"
import { type ParsedSignature, parseSignature } from "../../sdk/WebhookSignature.ts"
import type { EndpointId } from "../../values/Ids.ts"
import type { NotFound } from "../../values/Problem.ts"
import { isSignedWith } from "../deliveries/Signature.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { Endpoints } from "./Endpoints.ts"

/** `compact`: parsed and serialized again. */
export type BodyChange = "line_breaks" | "trimmed" | "compact"

export type DigestResult =
  | { readonly _tag: "Match" }
  | { readonly _tag: "OldSecret" }
  | { readonly _tag: "Changed"; readonly change: BodyChange }
  | { readonly _tag: "OtherEndpoint"; readonly name: string }
  | { readonly _tag: "Mismatch" }

export type SignatureCheckResult =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Malformed" }
  | {
      readonly _tag: "Read"
      readonly at: Date
      /** Seconds; negative: in the future. */
      readonly age: number
      readonly digest: DigestResult
    }

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const variants = (body: string): ReadonlyArray<readonly [BodyChange, string]> => {
  const compact = Option.match(readJson(body), { onNone: () => body, onSome: (value) => JSON.stringify(value) })
  const all = [
    ["line_breaks", body.replaceAll("\n", "\r\n")],
    ["trimmed", body.trim()],
    ["compact", compact],
  ] as const
  return all.filter(([, text]) => text !== body)
}

export class SignatureChecks extends Context.Service<SignatureChecks>()(
  "interview-invitations/webhooks/endpoints/SignatureChecks",
  {
    make: Effect.gen(function* () {
      const repository = yield* EndpointRepository
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets

      const checkDigest = Effect.fnUntraced(function* (
        viewer: Viewer,
        id: EndpointId,
        signature: ParsedSignature,
        body: string,
      ): Effect.fn.Return<DigestResult, NotFound | UnreadableSecret> {
        const isSignedBy = Effect.fnUntraced(function* (endpoint: EndpointId, encrypted: Uint8Array) {
          const secret = yield* Effect.option(endpointSecrets.open(endpoint, encrypted))
          return Option.isSome(secret) && isSignedWith(secret.value, signature, body)
        })
        const secret = Redacted.value(yield* endpointSecrets.read(viewer, id))
        if (isSignedWith(secret, signature, body)) return { _tag: "Match" }
        const all = yield* repository.list(viewer.organizationId)
        const previous = all.find((row) => row.id === id)?.previous_secret
        if (previous && (yield* isSignedBy(id, previous))) return { _tag: "OldSecret" }
        const change = variants(body).find(([, text]) => isSignedWith(secret, signature, text))
        if (change !== undefined) return { _tag: "Changed", change: change[0] }
        for (const other of all) {
          if (other.id !== id && (yield* isSignedBy(other.id, other.secret)))
            return { _tag: "OtherEndpoint", name: other.name }
        }
        return { _tag: "Mismatch" }
      })

      const check = Effect.fn("SignatureChecks.check")(function* (
        viewer: Viewer,
        id: EndpointId,
        { body, header }: { readonly header: string; readonly body: string },
      ): Effect.fn.Return<SignatureCheckResult, NotFound | UnreadableSecret> {
        yield* endpoints.show(viewer, id)
        if (header.trim() === "") return { _tag: "Missing" }
        const signature = parseSignature(header)
        if (signature === undefined) return { _tag: "Malformed" }
        const t = Number(signature.t)
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const digest = yield* checkDigest(viewer, id, signature, body)
        return { _tag: "Read", at: new Date(t * 1000), age: now - t, digest }
      })

      return { check }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
