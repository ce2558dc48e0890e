/** Owners and admins choose what candidates see of their result, and the days to answer them. */
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { Invalid } from "../values/Problem.ts"
import { type CandidateRights, candidateRightsErrors } from "./CandidateRights.ts"
import { CandidateRightsRepository, type SavedRights } from "./CandidateRightsRepository.ts"

/** The settings have changed since the form was opened. */
export class RightsOutdated extends Data.TaggedError("RightsOutdated")<{ readonly saved: SavedRights }> {}

export class CandidateRightsSettings extends Context.Service<CandidateRightsSettings>()(
  "interview-invitations/person-reviews/CandidateRightsSettings",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const repository = yield* CandidateRightsRepository

      const find = ({ organizationId }: Pick<Member, "organizationId">) => repository.find(organizationId)

      /** `seen`: the version that the member saw. Open requests keep their deadlines. Fails with Invalid and RightsOutdated. */
      const change = Effect.fn("CandidateRightsSettings.change")(function* (
        member: Member,
        next: CandidateRights,
        seen: number,
      ) {
        const organization = member.organizationId
        const errors = candidateRightsErrors(next)
        if (errors.length > 0) return yield* new Invalid({ errors })
        const { version, ...before } = yield* repository.find(organization)
        const fields = ["person_review_days", "result_page", "result_shows_score"] as const
        const changes = changesOf<(typeof fields)[number], CandidateRights>(before, next, fields)
        if (changes === undefined) return
        if (version !== seen || !(yield* repository.save(organization, next, seen)))
          return yield* new RightsOutdated({ saved: yield* repository.find(organization) })
        yield* auditLog.note(member, "organization", "set_candidate_rights", String(organization), changes)
      }, transaction)

      return { find, change }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
