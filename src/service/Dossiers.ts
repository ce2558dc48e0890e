/** Submissions as recruiters read them: all that is known of one, and its files; within what a member may see. */
import { Context, Effect, Layer, Option, Schema, type Stream } from "effect"
import { QuestionId, SubmissionId } from "../domain/Ids.ts"
import type { Member } from "../domain/Member.ts"
import { NotAllowed, NotFound } from "../domain/Problem.ts"
import type { SubmissionDetail } from "../domain/SubmissionDetail.ts"
import { readerOf } from "../domain/Viewer.ts"
import { type BlobMissing, BlobStore, type BlobStoreUnavailable } from "../port/BlobStore.ts"
import { type DossierFile, type DossierRow, Dossiers as Repository } from "../repository/Dossiers.ts"
import { Submissions } from "./Submissions.ts"

/** A submission with everything that a recruiter decides on. */
export interface Dossier {
  readonly detail: SubmissionDetail
  readonly facts: DossierRow
}

/** A file as it is handed out. */
export interface OpenFile extends DossierFile {
  readonly content: Stream.Stream<Uint8Array, BlobMissing | BlobStoreUnavailable>
}

const unknown = new NotFound({ record: "submission" })
const unknownFile = new NotFound({ record: "file" })
const readId = Schema.decodeUnknownOption(SubmissionId)
const readQuestion = Schema.decodeUnknownOption(QuestionId)

/** Attempts are counted in a Postgres integer. */
const attemptOf = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

export class Dossiers extends Context.Service<
  Dossiers,
  {
    /** The submission that a member may see; `id` as somebody wrote it. */
    readonly require: (member: Member, id: string) => Effect.Effect<SubmissionId, NotFound | NotAllowed>
    readonly read: (member: Member, id: string) => Effect.Effect<Dossier, NotFound | NotAllowed>
    /** What was uploaded as an answer. */
    readonly answerFile: (
      member: Member,
      id: string,
      attempt: string,
      question: string,
    ) => Effect.Effect<OpenFile, NotFound | NotAllowed>
    /** The CV as it was fetched. */
    readonly cvFile: (member: Member, id: string) => Effect.Effect<OpenFile, NotFound | NotAllowed>
  }
>()("interview-invitations/service/Dossiers") {
  static readonly layer = Layer.effect(
    Dossiers,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const repository = yield* Repository
      const submissions = yield* Submissions

      const facts = Effect.fnUntraced(function* (member: Member, text: string) {
        const id = Option.getOrUndefined(readId(text))
        if (id === undefined) return yield* unknown
        const row = yield* repository.find(member.organizationId, id, readerOf(member))
        if (row === undefined) return yield* unknown
        if (!row.readable) return yield* new NotAllowed({ record: "submission" })
        return { id, row }
      })
      const open = ({ organizationId }: Member, file: DossierFile | undefined) =>
        file === undefined
          ? Effect.fail(unknownFile)
          : Effect.succeed({ ...file, content: blobs.get({ organization: organizationId, id: file.blob_id }) })

      return Dossiers.of({
        require: Effect.fn("Dossiers.require")((member, id) => Effect.map(facts(member, id), (found) => found.id)),
        read: Effect.fn("Dossiers.read")(function* (member, text) {
          const { id, row } = yield* facts(member, text)
          return { detail: yield* submissions.detail(member.organizationId, id), facts: row }
        }),
        answerFile: Effect.fn("Dossiers.answerFile")(function* (member, text, attempt, asked) {
          const { id } = yield* facts(member, text)
          const number = attemptOf(attempt)
          const question = Option.getOrUndefined(readQuestion(asked))
          if (number === undefined || question === undefined) return yield* unknownFile
          return yield* open(member, yield* repository.answerFile(member.organizationId, id, number, question))
        }),
        cvFile: Effect.fn("Dossiers.cvFile")(function* (member, text) {
          const { id } = yield* facts(member, text)
          return yield* open(member, yield* repository.cvFile(member.organizationId, id))
        }),
      })
    }),
  )
}
