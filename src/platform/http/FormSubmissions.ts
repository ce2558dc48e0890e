/**
 * Forms that are sent once. Each page with a form that makes or sends something gives it an id; what the form asks for is
 * done once for each id, however often it is sent, by whoever clicks twice, loads an answer again or comes back to it.
 * Records that are made under the form's id (sets, projects, members, webhooks) are proof enough by themselves. What no
 * record holds, the value of a key or what a receiver said, is kept here for a while, sealed.
 */
import { Context, type Duration, Effect, Layer, Option, Schema } from "effect"
import { FormId } from "../../values/Ids.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import { Database } from "../database/Database.ts"
import { FormSubmissionRepository, type SentForm, type Submitter } from "./FormSubmissionRepository.ts"

const readId = Schema.decodeOption(FormId)

/** What a form is for, and what is kept of its answer, for how long. */
export interface FormKind<A> {
  readonly name: string
  readonly answer: Schema.Codec<A, Schema.Json>
  readonly kept: Duration.Duration
}

/** How it stands with a form that was sent. */
export type Sent<A> =
  | { readonly _tag: "Answered"; readonly answer: A; readonly at: Date }
  | { readonly _tag: "Running" }
  /** The result is unknown: the process that performed it died, or no key of SECRET_KEY decrypts the stored answer. */
  | { readonly _tag: "Lost" }

export class FormSubmissions extends Context.Service<
  FormSubmissions,
  {
    /**
     * Does what a form asks for unless the form was sent before; false: it was. What fails was not done, and can be sent
     * again. In one transaction: whoever sends the form a second time waits for the first.
     */
    readonly once: <A, E, R>(
      member: Submitter,
      form: FormId,
      kind: FormKind<A>,
      work: Effect.Effect<A, E, R>,
    ) => Effect.Effect<boolean, E, R>
    /** The same for what takes its time: the second finds it running. It goes on when the browser goes away. */
    readonly run: <A, E, R>(
      member: Submitter,
      form: FormId,
      kind: FormKind<A>,
      work: Effect.Effect<A, E, R>,
    ) => Effect.Effect<boolean, E, R>
    /** `form` as somebody wrote it; undefined: it was never sent, or that is too long ago. */
    readonly find: <A>(member: Submitter, form: string, kind: FormKind<A>) => Effect.Effect<Sent<A> | undefined>
    /** Forgets answers that nobody is shown any more, some at a time; returns how many. */
    readonly forget: Effect.Effect<number>
  }
>()("interview-invitations/platform/http/FormSubmissions") {
  static readonly layer = Layer.effect(
    FormSubmissions,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const repository = yield* FormSubmissionRepository
      const box = yield* SecretBox

      const contextOf = ({ id, kind, member }: SentForm) => `form-answer:${member.id}:${id}:${kind}`

      const perform = <A, E, R>(member: Submitter, id: FormId, kind: FormKind<A>, work: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const form = { member, id, kind: kind.name }
          if (!(yield* repository.claim(form, kind.kept))) return false
          const answer = yield* Effect.onError(work, () => repository.release(form))
          const text = yield* Effect.orDie(Schema.encodeEffect(Schema.fromJsonString(kind.answer))(answer))
          yield* repository.keep(form, yield* box.encrypt(Buffer.from(text), contextOf(form)))
          return true
        })

      return FormSubmissions.of({
        once: (member, form, kind, work) =>
          perform(member, form, kind, work).pipe(transaction, Effect.withSpan("FormSubmissions.once")),
        run: (member, form, kind, work) =>
          perform(member, form, kind, work).pipe(Effect.uninterruptible, Effect.withSpan("FormSubmissions.run")),
        find: Effect.fn("FormSubmissions.find")(function* <A>(member: Submitter, typed: string, kind: FormKind<A>) {
          const id = Option.getOrUndefined(readId(typed))
          if (id === undefined) return undefined
          const form = { member, id, kind: kind.name }
          const row = yield* repository.find(form)
          if (row === undefined) return undefined
          if (row.answer === null) return { _tag: row.stale ? "Lost" : "Running" } satisfies Sent<A>
          const opened = yield* box.open(row.answer, contextOf(form))
          // encrypted under a key that has been removed; answers are kept for minutes
          if (opened === undefined) return { _tag: "Lost" } satisfies Sent<A>
          const text = Buffer.from(opened).toString("utf8")
          const answer = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(kind.answer))(text))
          return { _tag: "Answered", answer, at: row.created_at } satisfies Sent<A>
        }),
        forget: repository.forget(1000),
      })
    }),
  )
}
