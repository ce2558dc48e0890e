/** Deletes data after the periods that each organization chooses, and counts what a period would delete (docs/retention.md). */
import { Context, Data, Duration, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { operator } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { Database, isOutage } from "../platform/database/Database.ts"
import { Invalid } from "../values/Problem.ts"
import { DataRetentionRepository, type Deleted, type DueCount, type StoredPeriods } from "./DataRetentionRepository.ts"
import { People } from "./People.ts"
import {
  type RetainedKind,
  type RetentionPeriods,
  readPeriods,
  retainedKinds,
  type TypedPeriods,
} from "./RetentionPeriods.ts"

/** Rows that one step deletes of each kind: its locks are short. */
const batch = { submissions: 200, candidates: 20, events: 2000, entries: 5000 } as const

/** The periods have changed since the form was opened. */
export class RetentionOutdated extends Data.TaggedError("RetentionOutdated")<{ readonly saved: StoredPeriods }> {}

/** The new periods would delete data at once, which the member has not confirmed. Nothing was saved. */
export class RetentionUnconfirmed extends Data.TaggedError("RetentionUnconfirmed")<{ readonly counts: DueCounts }> {}

/** Without kinds that are kept. */
export type DueCounts = ReadonlyMap<RetainedKind, DueCount>

/** What `next` deletes that `before` still keeps. */
const isSooner = (before: RetentionPeriods, next: RetentionPeriods, kind: RetainedKind): boolean => {
  const [was, is] = [before[kind], next[kind]]
  if (is === null) return false
  const isCounted = kind === "cvs" || kind === "answers" || kind === "candidates"
  return was === null || is < was || (isCounted && before.from !== next.from)
}

export class DataRetention extends Context.Service<DataRetention>()("interview-invitations/privacy/DataRetention", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { webhookRetention } = yield* Config
    const { transaction } = yield* Database
    const people = yield* People
    const repository = yield* DataRetentionRepository
    /** After which the events of all organizations are deleted. */
    const eventDays = Math.floor(Duration.toDays(webhookRetention))

    const find = Effect.fn("DataRetention.find")(function* ({ organizationId }: Member) {
      return yield* repository.find(organizationId)
    })

    const read = Effect.fnUntraced(function* (typed: TypedPeriods) {
      const { errors, periods } = readPeriods(typed, eventDays)
      return errors.length > 0 ? yield* new Invalid({ errors }) : periods
    })

    const countPeriods = Effect.fnUntraced(function* ({ organizationId }: Member, periods: RetentionPeriods) {
      const counts = new Map<RetainedKind, DueCount>()
      for (const kind of retainedKinds) {
        const days = periods[kind]
        if (days !== null) counts.set(kind, yield* repository.count(organizationId, kind, days, periods.from))
      }
      return counts satisfies DueCounts
    })

    /**
     * Invalid; RetentionOutdated: the stored version is not `seen`; RetentionUnconfirmed: without `isConfirmed`, a period that is
     * new, shorter or counted from another moment would delete data at once.
     */
    const save = Effect.fn("DataRetention.save")(function* (
      member: Member,
      typed: TypedPeriods,
      seen: number,
      isConfirmed: boolean,
    ) {
      const periods = yield* read(typed)
      const before = yield* repository.find(member.organizationId)
      const changes = changesOf(before, periods, [...retainedKinds, "from"])
      if (changes === undefined) return
      const sooner = retainedKinds.filter((kind) => isSooner(before, periods, kind))
      if (!isConfirmed && sooner.length > 0 && before.version === seen) {
        const counts = yield* countPeriods(member, periods)
        if (sooner.some((kind) => (counts.get(kind)?.due ?? 0) > 0)) return yield* new RetentionUnconfirmed({ counts })
      }
      if (!(yield* repository.save(member.organizationId, periods, seen)))
        return yield* new RetentionOutdated({ saved: yield* repository.find(member.organizationId) })
      yield* auditLog.note(member, "organization", "set_retention", String(member.organizationId), changes)
    }, transaction)

    /** What these periods would delete now. Nothing is changed. */
    const count = Effect.fn("DataRetention.count")(function* (member: Member, typed: TypedPeriods) {
      return yield* countPeriods(member, yield* read(typed))
    })

    const noted = (kind: RetainedKind, deleting: Effect.Effect<Deleted>) =>
      Effect.gen(function* () {
        const deleted = yield* deleting
        yield* Effect.forEach(
          deleted,
          ({ organization, rows }) =>
            auditLog.note(operator(organization), "organization", "delete_old", String(organization), { [kind]: rows }),
          { discard: true },
        )
        return deleted.reduce((sum, { rows }) => sum + rows, 0)
      }).pipe(transaction)

    /**
     * One after the other, because an erasure may be long. A candidate whose data is now on hold, who was invited again
     * meanwhile, or whose erasure fails is skipped.
     */
    const eraseCandidates = Effect.gen(function* () {
      const due = yield* repository.dueCandidates(batch.candidates)
      const erased = yield* Effect.forEach(due, ({ id, organization }) =>
        people.erase(operator(organization), id, repository.isCandidateDue(organization, id)).pipe(
          Effect.as(1),
          Effect.catchTag(["Conflict", "NotFound"], () => Effect.succeed(0)),
          Effect.catchDefect((defect) =>
            isOutage(defect)
              ? Effect.die(defect)
              : Effect.as(Effect.logError("a candidate was not erased after the retention", { id }, defect), 0),
          ),
        ),
      )
      return erased.reduce<number>((sum, one) => sum + one, 0)
    })

    /** Deletes a batch of each kind; recordings are deleted by Recordings.deleteOld. Returns the number of rows. */
    const step = Effect.gen(function* () {
      const cvs = yield* noted("cvs", repository.deleteCvs(batch.submissions))
      const answers = yield* noted("answers", repository.deleteAnswers(batch.submissions))
      const candidates = yield* eraseCandidates
      const events = yield* noted("events", repository.deleteEvents(batch.events))
      const entries = yield* noted("audit", repository.deleteAudit(batch.entries))
      return cvs + answers + candidates + events + entries
    }).pipe(Effect.withSpan("DataRetention.step"))

    return { eventDays, find, save, count, step }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
