/** Reads the board of an interview set: its candidates by what they have done, and by the organization's stages. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { type BoardColumn, type BoardPlace, boardColumns, type HiringStage } from "../submissions/HiringStage.ts"
import { HiringStageRepository } from "../submissions/HiringStageRepository.ts"
import { mostCounted } from "../submissions/SubmissionSearch.ts"
import { BoardRepository, type CardRow, type WantedColumn } from "./BoardRepository.ts"

/** Cards of a board and of one column: so many fit into 60 KB. The column of those who ended shows few. */
export const boardLimits = { cards: 84, column: 25, ended: 8 } as const

const cardOf = ({ candidate, ...card }: CardRow) => ({ ...card, candidate: candidateRef(candidate) })
export type BoardCard = ReturnType<typeof cardOf>

export interface Column {
  readonly place: BoardPlace
  /** Null: a column without a stage. */
  readonly stage: HiringStage | null
  /** Up to `mostCounted`. */
  readonly count: number
  readonly cards: ReadonlyArray<BoardCard>
}

/** How many cards each column shows: all columns get the same number while it lasts, and short ones leave theirs to others. */
export const shares = (
  counts: ReadonlyArray<{ readonly count: number; readonly most: number }>,
  total: number,
): ReadonlyArray<number> => {
  const shown = counts.map(() => 0)
  let left = total
  while (left > 0) {
    const open = counts.flatMap(({ count, most }, index) =>
      (shown[index] ?? 0) < Math.min(count, most) ? [index] : [],
    )
    if (open.length === 0) break
    for (const index of open.slice(0, left)) shown[index] = (shown[index] ?? 0) + 1
    left -= Math.min(open.length, left)
  }
  return shown
}

export class Boards extends Context.Service<Boards>()("interview-invitations/reviews/Boards", {
  make: Effect.gen(function* () {
    const boardRepository = yield* BoardRepository
    const hiringStageRepository = yield* HiringStageRepository
    const interviewSets = yield* InterviewSets

    const read = Effect.fn("Boards.read")(function* (member: Member, text: string) {
      const { set, standing } = yield* interviewSets.read(member, text)
      const stages = yield* hiringStageRepository.list(member.organizationId)
      const ofState = (place: BoardColumn) => ({ place, stage: null, keeps_rejected: false, most: 0 })
      const all: ReadonlyArray<WantedColumn> = [
        ...boardColumns.slice(0, -1).map(ofState),
        ...stages.map(({ decision, id }) => ({ place: id, stage: id, keeps_rejected: decision === "reject", most: 0 })),
        ofState("ended"),
      ]
      const counts = yield* boardRepository.counts(member.organizationId, set.id, all, mostCounted)
      const counted = all.flatMap((column, index) => {
        const count = counts[index] ?? 0
        // no move leads to it: it has candidates who were advanced without a stage
        return column.place === "advanced" && count === 0 ? [] : [{ column, count }]
      })
      const most = shares(
        counted.map(({ column, count }) => ({
          count,
          most: column.place === "ended" ? boardLimits.ended : boardLimits.column,
        })),
        boardLimits.cards - counted.length,
      )
      const rows = yield* boardRepository.cards(
        member.organizationId,
        member.seesScores ? undefined : member.id,
        set.id,
        counted.map(({ column }, index) => ({ ...column, most: most[index] ?? 0 })),
      )
      const cards = rows.map(cardOf)
      const columns: ReadonlyArray<Column> = counted.map(({ column, count }, index) => ({
        place: column.place,
        stage: stages.find(({ id }) => id === column.stage) ?? null,
        count,
        cards: cards.filter(({ place }) => place === column.place).slice(0, most[index]),
      }))
      return {
        set: {
          id: set.id,
          title: set.title,
          set_type: set.set_type,
          is_archived: standing.archived_at !== null,
        },
        stages,
        columns,
      }
    })

    return { read }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(InterviewSets.layer))
}

export type Board = Effect.Success<ReturnType<Boards["Service"]["read"]>>
