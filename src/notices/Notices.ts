/** Owners and admins publish notices to candidates; anyone reads a published one without a link of their own. */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { AuditLog, changesOf } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { UsedEvaluator } from "../evaluations/UsedEvaluator.ts"
import { InterviewSetRepository } from "../interview-sets/InterviewSetRepository.ts"
import { placeText } from "../interview-sets/JobLocation.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { InterviewSetId, NoticeId, type OrganizationId, parseId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { applies, type NoticeTerms, noticeLimits, readNotice, type TypedNotice } from "./Notice.ts"
import { contentHash, contentOf, type NoticeContent } from "./NoticeContent.ts"
import { factsOf } from "./NoticeGifts.ts"
import { type Notice, type NoticeIssuer, NoticeRepository, type SentVersion } from "./NoticeRepository.ts"

/** The notice has changed since its form was opened. */
export class NoticeOutdated extends Data.TaggedError("NoticeOutdated")<{ readonly saved: Notice }> {}

/** What a public page shows. */
export interface PublicNotice {
  readonly issuer: NoticeIssuer
  /** Without the facts of a set if the notice is for all sets and the address names none. */
  readonly content: Omit<NoticeContent, "interview" | "requirements" | "is_cv_only" | "is_spoken"> &
    Partial<Pick<NoticeContent, "interview" | "requirements" | "is_cv_only" | "is_spoken">>
  /** The version that is shown; undefined: the present one, and no candidate got it. */
  readonly version: SentVersion | undefined
  /** The shown version is not the present one. */
  readonly isEarlier: boolean
  /** Versions that candidates of the set got before the present one, newest first. */
  readonly earlier: ReadonlyArray<SentVersion>
}

/** In the choice of a form. */
const maxSets = 500

const unknown = new NotFound({ record: "notice" })

/** As texts, which can be compared. */
const audited = ({
  alternative,
  contact,
  days,
  interview_set_id,
  meanwhile,
  place,
  posted_on,
  words,
}: NoticeTerms) => ({
  set: interview_set_id,
  place: place === null ? "" : placeText(place),
  words,
  contact,
  alternative,
  days,
  meanwhile,
  posted_on,
})

const fields = ["set", "place", "words", "contact", "alternative", "days", "meanwhile", "posted_on"] as const

export class Notices extends Context.Service<Notices>()("interview-invitations/notices/Notices", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const evaluator = yield* UsedEvaluator
    const { transaction } = yield* Database
    const ids = yield* Ids
    const interviewSetRepository = yield* InterviewSetRepository
    const repository = yield* NoticeRepository

    const list = Effect.fn("Notices.list")(function* ({ organizationId }: Member) {
      return yield* repository.list(organizationId)
    })

    /** NotFound: it was withdrawn, or there is none. */
    const find = Effect.fn("Notices.find")(function* ({ organizationId }: Member, text: string) {
      const id = parseId(NoticeId, text)
      const found = id === undefined ? undefined : yield* repository.find(organizationId, id)
      return found ?? (yield* unknown)
    })

    /** The notice is for a set without a location in its place, so its candidates do not get it. */
    const missesSet = Effect.fn("Notices.missesSet")(function* ({ organizationId }: Member, notice: Notice) {
      if (notice.interview_set_id === null) return false
      const set = yield* repository.subject(organizationId, notice.interview_set_id)
      return set !== undefined && !applies(notice, set)
    })

    /** Sets for which a notice can be, newest first. */
    const sets = Effect.fn("Notices.sets")(function* ({ organizationId }: Member) {
      return yield* interviewSetRepository.choices(organizationId, undefined, maxSets)
    })

    const read = Effect.fnUntraced(function* (organization: OrganizationId, typed: TypedNotice) {
      const id = parseId(InterviewSetId, typed.set)
      const set = id === undefined ? undefined : yield* repository.subject(organization, id)
      const today = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
      const { errors, terms } = readNotice(typed, set?.id, today)
      return errors.length > 0 ? yield* new Invalid({ errors }) : terms
    })

    /** Invalid; Conflict: the organization has as many as it can. */
    const publish = Effect.fn("Notices.publish")(function* (member: Member, typed: TypedNotice) {
      const terms = yield* read(member.organizationId, typed)
      if ((yield* repository.list(member.organizationId)).length >= noticeLimits.notices)
        return yield* new Conflict({ reason: `there are ${noticeLimits.notices} notices: withdraw one first` })
      const id = yield* ids.make(NoticeId)
      yield* repository.insert(member.organizationId, [{ id, terms }])
      yield* auditLog.note(member, "notice", "create", id, audited(terms))
      return id
    }, transaction)

    /** Notices of one set also hold for a copy of it, so that its candidates get them. Without effect when called again. */
    const followCopy = Effect.fn("Notices.followCopy")(function* (
      member: Member,
      set: InterviewSetId,
      copy: InterviewSetId,
    ) {
      const all = yield* repository.list(member.organizationId)
      const own = all.filter(({ interview_set_id }) => interview_set_id === set)
      if (own.length === 0 || all.some(({ interview_set_id }) => interview_set_id === copy)) return
      const added = yield* Effect.forEach(own, (terms) =>
        Effect.map(ids.make(NoticeId), (id) => ({ id, terms: { ...terms, interview_set_id: copy } })),
      )
      yield* repository.insert(member.organizationId, added)
      yield* auditLog.noteAll(
        member,
        "notice",
        "create",
        added.map(({ id, terms }) => [id, audited(terms)]),
      )
    }, transaction)

    /** `seen`: the version that the member saw. Fails with Invalid, NotFound and NoticeOutdated. */
    const change = Effect.fn("Notices.change")(function* (
      member: Member,
      text: string,
      typed: TypedNotice,
      seen: number,
    ) {
      const before = yield* find(member, text)
      const terms = yield* read(member.organizationId, typed)
      const changes = changesOf(audited(before), audited(terms), fields)
      if (changes === undefined) return
      if (before.version !== seen) return yield* new NoticeOutdated({ saved: before })
      if (!(yield* repository.update(member.organizationId, before.id, terms, seen)))
        return yield* new NoticeOutdated({ saved: yield* find(member, text) })
      yield* auditLog.note(member, "notice", "update", before.id, changes)
    }, transaction)

    /** Candidates who got it keep their version. NotFound: it was withdrawn already. */
    const withdraw = Effect.fn("Notices.withdraw")(function* (member: Member, text: string) {
      const { id } = yield* find(member, text)
      if (!(yield* repository.withdraw(member.organizationId, id))) return yield* unknown
      yield* auditLog.note(member, "notice", "withdraw", id)
    }, transaction)

    /**
     * `set`: of the address; without effect for a notice of one set, and where the notice is not for the set. `wanted`: the hash
     * of a version that a candidate got, of any set, because those who know the hash know the version; undefined: the present one. NotFound: withdrawn, or no such version.
     */
    const show = Effect.fn("Notices.show")(function* (
      text: string,
      set: string | undefined,
      wanted: string | undefined,
    ) {
      const id = parseId(NoticeId, text)
      const issuer = id === undefined ? undefined : yield* repository.issuer(id)
      if (id === undefined || issuer === undefined) return yield* unknown
      const { organization_id: organization } = issuer
      const notice = (yield* repository.find(organization, id)) ?? (yield* unknown)
      const chosen = notice.interview_set_id ?? parseId(InterviewSetId, set ?? "")
      const subject = chosen === undefined ? undefined : yield* repository.subject(organization, chosen)
      const found = yield* repository.sent(organization, id, chosen, wanted)
      const chosenVersion = found.find(({ hash }) => hash === wanted)
      if (wanted !== undefined && chosenVersion === undefined) return yield* unknown
      const sent = found.filter(({ interview_set_id }) => interview_set_id === chosen)
      if (subject !== undefined && (notice.interview_set_id !== null || applies(notice, subject))) {
        const present = contentOf(notice, factsOf(subject), evaluator)
        const hash = contentHash(present).toString("hex")
        const version = chosenVersion ?? sent.find((one) => one.hash === hash)
        return {
          issuer,
          content: chosenVersion?.content ?? present,
          version,
          isEarlier: version !== undefined && version.hash !== hash,
          earlier: sent.filter((one) => one.hash !== hash),
        } satisfies PublicNotice
      }
      // the set was deleted, or the notice is not for it any more
      if (chosenVersion !== undefined)
        return {
          issuer,
          content: chosenVersion.content,
          version: chosenVersion,
          isEarlier: true,
          earlier: sent,
        } satisfies PublicNotice
      const kept = yield* repository.kept(organization)
      if (kept === undefined) return yield* unknown
      const {
        interview: _,
        is_cv_only: _cv,
        is_spoken: _spoken,
        requirements: _rated,
        ...content
      } = contentOf(notice, { interview: "", is_cv_only: false, is_spoken: false, requirements: [], kept }, evaluator)
      return { issuer, content, version: undefined, isEarlier: false, earlier: sent } satisfies PublicNotice
    })

    return { list, find, missesSet, sets, publish, followCopy, change, withdraw, show }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
