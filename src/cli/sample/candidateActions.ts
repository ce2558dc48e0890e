/** What happens to a candidate of the sample, by the candidate's course. */
import { Duration, Effect } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import { Config } from "../../config/Config.ts"
import { EmailLinks } from "../../emails/EmailLinks.ts"
import { askedOrder, type InterviewSet, type Question, questionModeIds } from "../../interview-sets/InterviewSet.ts"
import { rulesOf } from "../../interview-sets/QuestionRules.ts"
import { Accommodations } from "../../interviews/Accommodations.ts"
import type { AnswerRow } from "../../interviews/AnswerRepository.ts"
import { Interviews } from "../../interviews/Interviews.ts"
import { InvitationReports } from "../../invitations/InvitationReports.ts"
import { Invitations } from "../../invitations/Invitations.ts"
import { Invite } from "../../invitations/Invite.ts"
import { Ids } from "../../platform/NewIds.ts"
import { Recordings } from "../../recordings/Recordings.ts"
import { Assignments } from "../../reviews/Assignments.ts"
import { Decisions } from "../../reviews/Decisions.ts"
import { GuestLinks } from "../../reviews/GuestLinks.ts"
import { Overrides } from "../../reviews/Overrides.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { StageMoves } from "../../reviews/StageMoves.ts"
import { SampleRepository } from "../../sample/SampleRepository.ts"
import { sampleSound } from "../../test-mode/SampleSound.ts"
import {
  GuestLinkId,
  type HiringStageId,
  type InvitationId,
  type OrganizationId,
  type SubmissionId,
} from "../../values/Ids.ts"
import type { MemberKey, SampleAnswers, SampleCandidate, SampleReview, SetKey, StageKey } from "./SampleCandidate.ts"
import { atWork, day, invitedAt, later, pace } from "./sampleTime.ts"

const message =
  "Hello {{name}}, thank you for your application. We would like to know how you work, and have a few questions for you. Answer when it suits you."

/** The link of the candidate's CV. The host does not exist; the file is made when it is read. */
export const cvLink = ({ name }: Pick<SampleCandidate, "name">): string => {
  const file = name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z]+/g, "-")
  return `https://cv.lindhaven.test/${file}.pdf`
}

/** The questions of the set: those with choices, and those with texts. */
const asked = (set: InterviewSet) => {
  const { choices = [], texts = [] } = Object.groupBy(askedOrder(set.iai_questions), ({ cfg_question_mode_id }) =>
    cfg_question_mode_id === questionModeIds.pre_screening ? "choices" : "texts",
  )
  return { choices, texts }
}

/** The answers that were typed or chosen. */
export const answerRows = (
  set: InterviewSet,
  { chosen, spoken = [], written }: SampleAnswers,
): ReadonlyArray<AnswerRow> => {
  const { choices, texts } = asked(set)
  return [
    ...choices.map(({ id, options }, i) => ({
      question_id: id,
      content: null,
      option_ids: (chosen[i] ?? []).flatMap((place) => options[place]?.id ?? []).map(String),
    })),
    ...texts.flatMap(({ id }, i) =>
      written[i] && !spoken.includes(i) ? [{ question_id: id, content: written[i] ?? null, option_ids: [] }] : [],
    ),
  ]
}

const ratingsOf = ({ iai_requirements }: InterviewSet, { ratings }: SampleReview) =>
  Object.fromEntries(
    iai_requirements.flatMap(({ id }, i) => {
      const rating = ratings[i]
      return rating == null ? [] : [[id, rating] as const]
    }),
  )

/** Errors are defects: the actions of a candidate are chosen so that none is refused. */
export interface SampleAction {
  readonly moment: Date
  readonly action: Effect.Effect<unknown>
}

export interface SampleOffice {
  readonly organization: OrganizationId
  readonly team: Readonly<Record<MemberKey, Member>>
  readonly sets: Readonly<Record<SetKey, InterviewSet>>
  readonly stages: Readonly<Record<StageKey, HiringStageId>>
  readonly now: Date
}

export const makeCandidateActions = Effect.fnUntraced(function* ({
  now,
  organization,
  sets,
  stages,
  team,
}: SampleOffice) {
  const accommodations = yield* Accommodations
  const assignments = yield* Assignments
  const { invitationExpires, recordingMaxSize } = yield* Config
  const decisions = yield* Decisions
  const emailLinks = yield* EmailLinks
  const guestLinks = yield* GuestLinks
  const ids = yield* Ids
  const interviews = yield* Interviews
  const invitationReports = yield* InvitationReports
  const invitations = yield* Invitations
  const invite = yield* Invite
  const overrides = yield* Overrides
  const recordings = yield* Recordings
  const reviews = yield* Reviews
  const sampleRepository = yield* SampleRepository
  const stageMoves = yield* StageMoves
  const expires = Duration.toMillis(invitationExpires)

  return (candidate: SampleCandidate, index: number) => {
    const { answers, course, cv, daysAgo, email, isWaiting = false, name } = candidate
    const set = sets[candidate.set]
    // of the invitation; later actions need them
    let submissionId: SubmissionId | undefined
    let invitationId: InvitationId | undefined
    const submission = Effect.orDie(Effect.suspend(() => Effect.fromNullishOr(submissionId)))
    const invitation = Effect.orDie(Effect.suspend(() => Effect.fromNullishOr(invitationId)))
    const token = Effect.map(
      invitation,
      (id) => emailLinks.interview({ _tag: "Invitation", id }).split("/").at(-1) ?? "",
    )
    const invitedDaysAgo = course === "expired" ? Math.max(daysAgo, expires / day + 3) : daysAgo
    const invitedOn = invitedAt(now, index, invitedDaysAgo)
    const steps = pace(index, expires)
    const after = <E>(millis: number, action: Effect.Effect<unknown, E>): SampleAction => ({
      moment: later(invitedOn, millis),
      action: Effect.orDie(action),
    })

    const sendInvitation = Effect.gen(function* () {
      const { results } = yield* invite.invite(candidate.set === "nurse" ? team.maya : team.priya, {
        com_interview_set_id: set.id,
        invitation_message: message,
        candidates: [{ name, email, cv_link: cv === undefined ? null : cvLink(candidate) }],
      })
      submissionId = results[0]?.submission?.id
      invitationId = results[0]?.invitation?.id
      if (cv?.isWaiting) yield* sampleRepository.hold("cv", yield* submission)
    })

    const reported = (signal: "opened" | "clicked") =>
      Effect.flatMap(invitation, (id) => invitationReports.report(signal, [{ id, organization_id: organization }]))

    const speak = (text: string, question: Question) =>
      Effect.gen(function* () {
        const attempt = { organization, submission: yield* submission, attempt: 1 }
        const id = yield* recordings.begin(attempt, question.id, "audio", rulesOf(question), "en", null)
        const piece = { ordinal: 0, bytes: sampleSound(text) }
        yield* recordings.addPiece(attempt, id, piece, [question], Number(recordingMaxSize))
        yield* recordings.end(attempt, id, 1)
      })

    const finish = Effect.gen(function* () {
      yield* interviews.finish(yield* token, answers === undefined ? [] : answerRows(set, answers))
      if (isWaiting) yield* sampleRepository.hold("evaluation", yield* submission)
    })

    const save = Effect.gen(function* () {
      if (answers === undefined) return
      yield* interviews.save(yield* interviews.open(yield* token), answerRows(set, answers))
    })

    const review = (one: SampleReview) =>
      Effect.flatMap(submission, (id) =>
        reviews.save(team[one.by], id, {
          ratings: ratingsOf(set, one),
          note: one.note,
          mentioned: one.mentions === undefined ? [] : [team[one.mentions].id],
          changes: 0,
          isSent: true,
        }),
      )

    const ask = (reviewer: MemberKey) =>
      Effect.flatMap(submission, (id) => assignments.assign(team.priya, [id], [team[reviewer].id]))

    const share = Effect.gen(function* () {
      const options = { days: 30, may_review: true, shows_scores: false } as const
      yield* guestLinks.create(team.priya, yield* submission, yield* ids.make(GuestLinkId), options)
    })

    const override = ({ by, reason, score }: NonNullable<SampleCandidate["override"]>) =>
      Effect.flatMap(submission, (id) =>
        overrides.override(team[by], {
          submission: id,
          evaluation_type: cv === undefined ? "interview" : "holistic",
          score,
          reason,
        }),
      )

    const decide = ({ by, decision, reason }: NonNullable<SampleCandidate["decision"]>) =>
      Effect.flatMap(submission, (id) =>
        decisions.decide(team[by], id, 0, { decision, reason, knowsWarnings: true, isBesideAnswers: true }),
      )

    const move = ({ by, stage }: NonNullable<SampleCandidate["stage"]>) =>
      Effect.flatMap(submission, (id) =>
        stageMoves.move(
          team[by],
          id,
          { changes: 0, decisionChanges: candidate.decision === undefined ? 0 : 1 },
          { _tag: "Stage", id: stages[stage] },
          { knowsWarnings: true, isBesideAnswers: true },
        ),
      )

    const recorded = (answers?.spoken ?? []).flatMap((place) => {
      const [text, question] = [answers?.written[place], asked(set).texts[place]]
      return text === undefined || question === undefined
        ? []
        : [after((steps.started + steps.finished) / 2, speak(text, question))]
    })
    const moreTime =
      candidate.moreTime === undefined
        ? []
        : [
            after(
              steps.initiated,
              Effect.flatMap(token, (one) =>
                accommodations.ask(one, { needs: ["time"], text: candidate.moreTime ?? "" }),
              ),
            ),
          ]
    const opened = after(steps.opened, reported("opened"))
    const clicked = after(steps.clicked, reported("clicked"))
    const initiated = after(steps.initiated, Effect.flatMap(token, interviews.initiate))
    const started = after(steps.started, Effect.flatMap(token, interviews.start))
    const byMember = (millis: number, action: Effect.Effect<unknown, unknown>): SampleAction => {
      const { moment, ...rest } = after(millis, action)
      return { ...rest, moment: atWork(moment) }
    }
    const judging = [
      ...(candidate.asked === undefined ? [] : [byMember(steps.reviewed(0), ask(candidate.asked))]),
      ...(candidate.isShared === true ? [byMember(steps.reviewed(0), share)] : []),
      ...(candidate.reviews ?? []).map((one, number) => byMember(steps.reviewed(number), review(one))),
      ...(candidate.override === undefined ? [] : [byMember(steps.overridden, override(candidate.override))]),
      ...(candidate.decision === undefined ? [] : [byMember(steps.decided, decide(candidate.decision))]),
      ...(candidate.stage === undefined ? [] : [byMember(steps.moved, move(candidate.stage))]),
    ]
    const byCourse = {
      delivered: [],
      cv: [],
      opened: [opened],
      clicked: [opened, clicked, ...moreTime],
      initiated: [opened, clicked, initiated],
      started: [opened, clicked, initiated, started, after(steps.finished, save)],
      declined: [opened, clicked, after(steps.declined, Effect.flatMap(token, interviews.decline))],
      expired: [opened, after(expires + 30_000, interviews.expireUnstarted)],
      withdrawn: [
        byMember(
          steps.withdrawn,
          Effect.flatMap(invitation, (id) => invitations.cancel(team.maya, id)),
        ),
      ],
      failed: [],
      answered: [opened, clicked, initiated, started, ...recorded, after(steps.finished, finish), ...judging],
    }
    return [after(0, sendInvitation), ...byCourse[course]]
  }
})
