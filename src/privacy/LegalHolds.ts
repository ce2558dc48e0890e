/** Legal holds: data of a candidate, or of all candidates of an interview set, that is neither deleted nor erased. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { displayName } from "../candidates/Candidate.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { type CandidateId, LegalHoldId } from "../values/Ids.ts"
import { Conflict, fieldError, Invalid, NotFound } from "../values/Problem.ts"
import { type HeldSubject, type HoldSubject, type LegalHold, LegalHoldRepository } from "./LegalHoldRepository.ts"

export const reasonLength = { min: 10, max: 500 } as const

/** Holds of an organization on one page. */
export const maxHolds = 200

export const heldName = ({ title, ...candidate }: HeldSubject): string =>
  title?.trim() || displayName(candidate) || (title === null ? "Candidate without a name" : "Set without a title")

const reasonErrors = (reason: string) =>
  reason.length < reasonLength.min || reason.length > reasonLength.max
    ? [fieldError("#/reason", "out_of_range", `must have ${reasonLength.min} to ${reasonLength.max} characters`)]
    : []

const recordOf = (hold: Pick<LegalHold, "candidate_id" | "interview_set_id">) =>
  hold.candidate_id === null
    ? (["interview_set", hold.interview_set_id ?? ""] as const)
    : (["candidate", hold.candidate_id] as const)

export class LegalHolds extends Context.Service<LegalHolds>()("interview-invitations/privacy/LegalHolds", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const repository = yield* LegalHoldRepository

    const list = Effect.fn("LegalHolds.list")(function* ({ organizationId }: Member) {
      return yield* repository.list(organizationId, maxHolds)
    })

    /** NotFound: it was released, or there is none. */
    const get = Effect.fn("LegalHolds.get")(function* ({ organizationId }: Member, id: LegalHoldId) {
      return (yield* repository.find(organizationId, id)) ?? (yield* new NotFound({ record: "legal hold" }))
    })

    const ofCandidate = Effect.fn("LegalHolds.ofCandidate")(function* ({ organizationId }: Viewer, id: CandidateId) {
      return yield* repository.ofCandidate(organizationId, id)
    })

    const subject = Effect.fn("LegalHolds.subject")(function* ({ organizationId }: Member, of: HoldSubject) {
      const record = of._tag === "Candidate" ? "candidate" : "interview set"
      return (yield* repository.subjectOf(organizationId, of)) ?? (yield* new NotFound({ record }))
    })

    /** Invalid, NotFound; Conflict: the subject is on hold already. */
    const place = Effect.fn("LegalHolds.place")(function* (member: Member, of: HoldSubject, typed: string) {
      const reason = typed.replaceAll("\0", "").trim()
      const errors = reasonErrors(reason)
      if (errors.length > 0) return yield* new Invalid({ errors })
      yield* repository.lock(member.organizationId)
      yield* subject(member, of)
      const id = yield* ids.make(LegalHoldId)
      if (!(yield* repository.place(member.organizationId, id, of, reason, member.id)))
        return yield* new Conflict({ reason: "a legal hold is in force already" })
      yield* auditLog.note(member, of._tag === "Candidate" ? "candidate" : "interview_set", "hold", of.id)
    }, transaction)

    /** NotFound: it was released already. */
    const release = Effect.fn("LegalHolds.release")(function* (member: Member, id: LegalHoldId) {
      const released =
        (yield* repository.release(member.organizationId, id, member.id)) ??
        (yield* new NotFound({ record: "legal hold" }))
      const [record, recordId] = recordOf(released)
      yield* auditLog.note(member, record, "release_hold", recordId)
    }, transaction)

    return { list, get, ofCandidate, subject, place, release }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
