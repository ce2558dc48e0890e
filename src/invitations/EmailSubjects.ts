/** Members choose the subjects of emails of invitations: for the organization, or for an interview set. */
import { Clock, Context, Data, Duration, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import { sampleCandidate } from "../candidates/Candidate.ts"
import { Config } from "../config/Config.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Database } from "../platform/database/Database.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { Invalid, NotFound } from "../values/Problem.ts"
import { noSubjects, type SavedSubjects, type EmailSubjects as Subjects, subjectErrors } from "./EmailSubject.ts"
import { EmailSubjectRepository } from "./EmailSubjectRepository.ts"
import type { MessageTokens } from "./Invitation.ts"
import { renderSubject, type SubjectView, subjectTokens } from "./InvitationEmailTemplate.ts"
import { InviteRepository } from "./InviteRepository.ts"

/** The subjects have changed since the form was opened. */
export class SubjectsOutdated extends Data.TaggedError("SubjectsOutdated")<{ readonly saved: SavedSubjects }> {}

export interface SubjectPreview extends Subjects {
  /** Of empty fields. */
  readonly inherited: Subjects
  /** What the words in double braces become. */
  readonly samples: MessageTokens
}

/** Undefined: the organization's. */
export type SubjectsOf = InterviewSetId | undefined

const trimmed = ({ invitation, reminder }: Subjects): Subjects => ({
  invitation: invitation.trim(),
  reminder: reminder.trim(),
})

export class EmailSubjects extends Context.Service<EmailSubjects>()("interview-invitations/invitations/EmailSubjects", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { invitationExpires } = yield* Config
    const { transaction } = yield* Database
    const interviewSets = yield* InterviewSets
    const inviteRepository = yield* InviteRepository
    const organizationRepository = yield* OrganizationRepository
    const repository = yield* EmailSubjectRepository

    const stored = ({ organizationId }: Member, of: SubjectsOf) =>
      Effect.map(
        repository.find(organizationId, of ?? null),
        (saved): SavedSubjects => saved ?? { ...noSubjects, version: 0 },
      )

    /** The id of the set, which the member may read. */
    const requireSet = Effect.fnUntraced(function* (member: Member, text: string) {
      const { set } = yield* interviewSets.read(member, text)
      return { id: InterviewSetId.make(set.id), set_type: set.set_type, title: set.title }
    })

    /** Fails with Invalid, and with SubjectsOutdated unless `version` is the saved one. */
    const change = Effect.fn("EmailSubjects.change")(function* (
      member: Member,
      of: SubjectsOf,
      { version, ...typed }: Subjects & { readonly version: number },
    ) {
      const own = trimmed(typed)
      const errors = subjectErrors(own)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const before = yield* stored(member, of)
      const changes = changesOf<keyof Subjects, Subjects>(before, own, ["invitation", "reminder"])
      if (changes === undefined) return
      if (!(yield* repository.store(member.organizationId, of ?? null, { ...own, version })))
        return yield* new SubjectsOutdated({ saved: yield* stored(member, of) })
      const [type, id] =
        of === undefined ? (["organization", String(member.organizationId)] as const) : (["interview_set", of] as const)
      yield* auditLog.note(member, type, "set_subjects", id, changes)
    }, transaction)

    const viewOf = Effect.fnUntraced(function* ({ organizationId }: Member, of: SubjectsOf) {
      if (of !== undefined) return yield* inviteRepository.sender(organizationId, of)
      const organization = yield* organizationRepository.find(organizationId)
      if (organization === undefined) return undefined
      const { language, name, time_zone } = organization
      const languages = [language]
      return {
        organization_name: name,
        time_zone,
        languages,
        interview_name: "Senior Backend Engineer",
        own_subjects: noSubjects,
      }
    })

    /** Both subjects as a sample candidate gets them, also if the fields were empty. Fails with Invalid. */
    const preview = Effect.fn("EmailSubjects.preview")(function* (member: Member, of: SubjectsOf, typed: Subjects) {
      const own = trimmed(typed)
      const errors = subjectErrors(own)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const view = yield* viewOf(member, of)
      if (view === undefined) return yield* new NotFound({ record: "interview set" })
      const now = yield* Clock.currentTimeMillis
      // what the set leaves empty is the organization's
      const inherited = of === undefined ? noSubjects : yield* stored(member, undefined)
      const sample: SubjectView = {
        ...view,
        name: sampleCandidate.name ?? null,
        firstname: sampleCandidate.firstname ?? null,
        lastname: sampleCandidate.lastname ?? null,
        expires_at: new Date(now + Duration.toMillis(invitationExpires)),
        own_subjects: {
          invitation: own.invitation || inherited.invitation,
          reminder: own.reminder || inherited.reminder,
        },
      }
      const rendered = (own_subjects: Subjects): Subjects => ({
        invitation: renderSubject({ ...sample, own_subjects }, "invitation"),
        reminder: renderSubject({ ...sample, own_subjects }, "invitation_reminder"),
      })
      return {
        ...rendered(sample.own_subjects),
        inherited: rendered(inherited),
        samples: subjectTokens(sample),
      } satisfies SubjectPreview
    })

    return { find: stored, requireSet, change, preview }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(InterviewSets.layer))
}
