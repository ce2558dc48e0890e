/**
 * Runs a form's work once per form id, also after double clicks, reloads and the back button. Results, such as the
 * value of an API key, are kept for a while, encrypted. Work that creates a record with the form's id does not need
 * this.
 */
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { FormId, type OrganizationId, parseId } from "../../values/Ids.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import { Database } from "../database/Database.ts"
import { FormIdempotencyRepository, type SentForm, type Submitter } from "./FormIdempotencyRepository.ts"

export interface FormKind<A> {
  readonly name: string
  readonly answer: Schema.Codec<A, Schema.Json>
  readonly kept: Duration.Duration
}

export type Sent<A> =
  | { readonly _tag: "Answered"; readonly answer: A; readonly at: Date }
  | { readonly _tag: "Running" }
  /** No result after a minute, or no key of SECRET_KEY decrypts it. */
  | { readonly _tag: "Lost" }

const contextOf = ({ id, kind, member }: SentForm) => `form-answer:${member.id}:${id}:${kind}`

/** Forms read at a time; each can be as large as a body. */
const page = 20

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

export class FormIdempotency extends Context.Service<FormIdempotency>()(
  "interview-invitations/platform/http/FormIdempotency",
  {
    make: Effect.gen(function* () {
      const { transaction } = yield* Database
      const repository = yield* FormIdempotencyRepository
      const secretBox = yield* SecretBox

      const perform = Effect.fnUntraced(function* <A, E, R>(
        member: Submitter,
        id: FormId,
        kind: FormKind<A>,
        work: Effect.Effect<A, E, R>,
      ) {
        const form = { member, id, kind: kind.name }
        if (!(yield* repository.claim(form, kind.kept))) return false
        const answer = yield* Effect.onError(work, () => repository.release(form))
        const text = yield* Effect.orDie(Schema.encodeEffect(Schema.fromJsonString(kind.answer))(answer))
        yield* repository.keep(form, yield* secretBox.encrypt(Buffer.from(text), contextOf(form)))
        return true
      })

      /**
       * Runs the work in one transaction; returns false when the form was submitted before. A second submission waits for
       * the first. After a failure, the form can be submitted again.
       */
      const once = Effect.fn("FormIdempotency.once")(perform, transaction)

      /** For slow work: no transaction, a second submission does not wait. Continues when the client disconnects. */
      const run = Effect.fn("FormIdempotency.run")(perform, Effect.uninterruptible)

      /** Undefined: the id is invalid, unknown or expired. */
      const find = Effect.fn("FormIdempotency.find")(function* <A>(
        member: Submitter,
        typed: string,
        kind: FormKind<A>,
      ): Effect.fn.Return<Sent<A> | undefined> {
        const id = parseId(FormId, typed)
        if (id === undefined) return undefined
        const form = { member, id, kind: kind.name }
        const row = yield* repository.find(form)
        if (row === undefined) return undefined
        if (row.answer === null) return { _tag: row.stale ? "Lost" : "Running" }
        const opened = yield* secretBox.open(row.answer, contextOf(form))
        if (opened === undefined) return { _tag: "Lost" }
        const text = Buffer.from(opened).toString("utf8")
        const answer = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(kind.answer))(text))
        return { _tag: "Answered", answer, at: row.created_at }
      })

      /**
       * Deletes the forms of the organization whose results contain a text for which `isPersonal` is true, and those that no
       * key of SECRET_KEY decrypts.
       */
      const erase = Effect.fn("FormIdempotency.erase")(function* (
        organization: OrganizationId,
        isPersonal: (text: string) => boolean,
      ) {
        let after: SentForm | undefined
        do {
          const forms = yield* repository.held(organization, after, page)
          for (const form of forms) {
            const opened = yield* secretBox.open(form.answer, contextOf(form))
            const texts = opened === undefined ? undefined : textsIn(JSON.parse(Buffer.from(opened).toString("utf8")))
            if (texts === undefined || texts.some(isPersonal)) yield* repository.release(form)
          }
          after = forms.length < page ? undefined : forms.at(-1)
        } while (after !== undefined)
      })

      return { erase, find, forget: repository.forget(1000), once, run }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
