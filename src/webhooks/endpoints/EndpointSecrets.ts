/** Secrets with which webhooks are signed, and static headers, encrypted under SECRET_KEY. */
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../accounts/AuditLog.ts"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { SecretBox, UnreadableSecret } from "../../platform/crypto/SecretBox.ts"
import { SecretKeyRepository } from "../../platform/crypto/SecretKeyRepository.ts"
import { endpointContext, headersContext, lacksRecordedKey } from "../../platform/crypto/SecretKeys.ts"
import { Database } from "../../platform/database/Database.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { Conflict } from "../../values/Problem.ts"
import { isChat } from "../chat/ChatMessage.ts"
import { formatSecret } from "../deliveries/Signature.ts"
import { unknownEndpoint } from "./Endpoint.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { decodeHeaders, encodeHeaders, type StaticHeader } from "./StaticHeaders.ts"

export class EndpointSecrets extends Context.Service<EndpointSecrets>()(
  "interview-invitations/webhooks/endpoints/EndpointSecrets",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { webhookSecretOverlap } = yield* Config
      const { transaction } = yield* Database
      const endpointRepository = yield* EndpointRepository
      const random = yield* SecureRandom.SecureRandom
      const secretBox = yield* SecretBox
      const secretKeyRepository = yield* SecretKeyRepository
      const lacksKey = lacksRecordedKey.pipe(
        Effect.provideService(SecretBox, secretBox),
        Effect.provideService(SecretKeyRepository, secretKeyRepository),
      )

      const encryptHeaders = (id: EndpointId, headers: ReadonlyArray<StaticHeader>) =>
        secretBox.encrypt(encodeHeaders(headers), headersContext(id))

      const openHeaders = (id: EndpointId, encrypted: Uint8Array) =>
        Effect.flatMap(secretBox.open(encrypted, headersContext(id)), (bytes) =>
          bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(decodeHeaders(bytes)),
        )

      /** Not a channel, which signs nothing. */
      const find = Effect.fnUntraced(function* ({ organizationId }: Viewer, id: EndpointId) {
        const row = yield* endpointRepository.find(organizationId, id)
        return row === undefined || isChat(row.format) ? yield* unknownEndpoint : row
      })

      /** Not stored yet. */
      const generate = Effect.fnUntraced(function* (id: EndpointId) {
        const bytes = yield* random.randomBytes(32)
        const encrypted = yield* secretBox.encrypt(bytes, endpointContext(id))
        return { encrypted, displayed: Redacted.make(formatSecret(bytes)) }
      })

      const open = (id: EndpointId, encrypted: Uint8Array) =>
        Effect.flatMap(secretBox.open(encrypted, endpointContext(id)), (bytes) =>
          bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(formatSecret(bytes)),
        )

      /** The address of a channel, as its secret. */
      const encryptAddress = (id: EndpointId, url: string) => secretBox.encrypt(Buffer.from(url), endpointContext(id))

      const openAddress = (id: EndpointId, encrypted: Uint8Array) =>
        Effect.flatMap(secretBox.open(encrypted, endpointContext(id)), (bytes) =>
          bytes === undefined ? Effect.fail(new UnreadableSecret()) : Effect.succeed(Buffer.from(bytes).toString()),
        )

      const read = Effect.fn("EndpointSecrets.read")(function* (viewer: Viewer, id: EndpointId) {
        const row = yield* find(viewer, id)
        return Redacted.make(yield* open(row.id, row.secret))
      })

      /**
       * The old secret also signs for WEBHOOK_SECRET_OVERLAP, unless no key decrypts it. Conflict while an older one signs. With
       * `endsOld`, because a secret leaked, all old ones stop signing at once and there is no conflict.
       */
      const regenerate = Effect.fn("EndpointSecrets.regenerate")(function* (
        viewer: Viewer,
        given: EndpointId,
        { endsOld = false }: { readonly endsOld?: boolean } = {},
      ) {
        const organization = viewer.organizationId
        // `given` may be in upper case; secrets are encrypted for the stored id
        const { id, secret } = yield* find(viewer, given)
        const before = yield* Effect.option(open(id, secret))
        const overlap = before._tag === "None" || endsOld ? Duration.zero : webhookSecretOverlap
        const { displayed, encrypted } = yield* generate(id)
        if (endsOld) yield* endpointRepository.removePreviousSecret(organization, id)
        if (!(yield* endpointRepository.replaceSecret(organization, id, encrypted, overlap))) {
          const until = (yield* find(viewer, id)).previous_secret_until?.toISOString()
          return yield* new Conflict({
            reason: `the secret before this one signs until ${until}: replace the secret after that, or first remove the old secret under Settings → Webhooks, over the API with "end_old_secret": true or with the command webhook remove-old-secret`,
          })
        }
        if (endsOld) yield* endpointRepository.removePreviousSecret(organization, id)
        yield* auditLog.note(
          viewer,
          "webhook_endpoint",
          "regenerate_secret",
          id,
          endsOld ? { ended_old_secret: true } : {},
        )
        return displayed
      }, transaction)

      const removePrevious = Effect.fn("EndpointSecrets.removePrevious")(function* (viewer: Viewer, id: EndpointId) {
        const { previous_secret_until: until } = yield* find(viewer, id)
        const signed = until !== null && until.getTime() > (yield* Clock.currentTimeMillis)
        if (!(yield* endpointRepository.removePreviousSecret(viewer.organizationId, id))) return yield* unknownEndpoint
        if (signed) yield* auditLog.note(viewer, "webhook_endpoint", "remove_old_secret", id)
        return signed
      }, transaction)

      /** Endpoints of earlier warnings. */
      const logged = new Set<EndpointId>()

      /** False: another process has a key that this one lacks. */
      const deactivateUnreadable = Effect.fn("EndpointSecrets.deactivateUnreadable")(function* (
        unreadable: ReadonlyArray<EndpointId>,
      ) {
        if (yield* lacksKey) {
          const endpoints = unreadable.filter((id) => !logged.has(id))
          for (const id of endpoints) logged.add(id)
          if (endpoints.length > 0) {
            yield* Effect.logWarning(
              "SECRET_KEY of this process lacks a key that other processes have, so it leaves these webhooks to them: set the same SECRET_KEY everywhere",
              { endpoints },
            )
          }
          return false
        }
        // returns only those that were active, so one process logs each
        const deactivated = yield* endpointRepository.deactivate(unreadable, new UnreadableSecret().message)
        yield* Effect.forEach(
          deactivated,
          (endpoint) =>
            Effect.logError("webhook endpoint deactivated: no key of SECRET_KEY decrypts its secret", { endpoint }),
          { discard: true },
        )
        return true
      })

      return {
        ...{ deactivateUnreadable, encryptAddress, encryptHeaders, generate, open, openAddress, openHeaders, read },
        ...{ regenerate, removePrevious },
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
