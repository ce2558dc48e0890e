/** Submissions in the workspace: lists of what a member may see, page by page or all of it. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { candidateRef } from "../domain/Invitation.ts"
import type { Member } from "../domain/Member.ts"
import { cursorOf, type ListName, type Page, type Position, positionOf } from "../domain/Page.ts"
import { readerOf } from "../domain/Viewer.ts"
import {
  SubmissionRecords as Repository,
  type SubmissionLine,
  type SubmissionOrder,
  type SubmissionSearch,
} from "../repository/SubmissionRecords.ts"

/** Lines that are read at once for a table of all of them. */
const many = 500

const listIn = (order: SubmissionOrder): ListName => (order === "newest" ? "submissions" : `submissions.${order}`)

const isScore = (at: string): boolean => /^\d{1,2}(\.\d)?$/.test(at)

/** The position that a cursor of an order names; undefined: it is none. */
export const placeOf = (order: SubmissionOrder, cursor: string): Position | undefined =>
  positionOf(listIn(order), cursor, order === "newest" ? undefined : isScore)

const named = (line: SubmissionLine) => ({ ...line, candidate: candidateRef(line.candidate) })
export type NamedSubmission = ReturnType<typeof named>

export class SubmissionRecords extends Context.Service<
  SubmissionRecords,
  {
    readonly list: (
      member: Member,
      search: SubmissionSearch,
      page: { readonly limit: number; readonly after: Position | undefined },
    ) => Effect.Effect<Page<NamedSubmission>>
    /** All of them, in the order of the list. */
    readonly all: (member: Member, search: SubmissionSearch) => Stream.Stream<NamedSubmission>
  }
>()("interview-invitations/service/SubmissionRecords") {
  static readonly layer = Layer.effect(
    SubmissionRecords,
    Effect.gen(function* () {
      const repository = yield* Repository
      const read = Effect.fnUntraced(function* (
        member: Member,
        search: SubmissionSearch,
        limit: number,
        after: Position | undefined,
      ) {
        const rows = yield* repository.list(member.organizationId, search, readerOf(member), { limit, after })
        const shown = rows.slice(0, limit)
        return { shown: shown.map(named), next: rows.length > limit ? shown.at(-1)?.position : undefined }
      })
      return SubmissionRecords.of({
        list: Effect.fn("SubmissionRecords.list")(function* (member, search, { after, limit }) {
          const { next, shown } = yield* read(member, search, limit, after)
          return { results: shown, next_cursor: next === undefined ? null : cursorOf(listIn(search.order), next) }
        }),
        all: (member, search) =>
          Stream.paginate(Option.none<Position>(), (after) =>
            Effect.map(read(member, search, many, Option.getOrUndefined(after)), ({ next, shown }) => [
              shown,
              next === undefined ? Option.none() : Option.some(Option.some(next)),
            ]),
          ),
      })
    }),
  )
}
