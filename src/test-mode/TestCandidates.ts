/**
 * The scripted candidate of test mode: what candidates and their mail servers do, by one call each, through the services that
 * candidates use. So each call has the events and effects that it has in earnest.
 */
import { Context, Effect, Layer, Stream } from "effect"
import { OrganizationRepository } from "../accounts/OrganizationRepository.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { ImmediateEmails } from "../emails/ImmediateEmails.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import type { Question } from "../interview-sets/InterviewSet.ts"
import { InterviewSetRepository } from "../interview-sets/InterviewSetRepository.ts"
import { rulesOf } from "../interview-sets/QuestionRules.ts"
import { Interviews } from "../interviews/Interviews.ts"
import type { InterviewNotOpen, InterviewState, LinkUnknown } from "../interviews/InterviewView.ts"
import { Uploads } from "../interviews/Uploads.ts"
import { InvitationReports } from "../invitations/InvitationReports.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { Database } from "../platform/database/Database.ts"
import { RecordingConsents } from "../recordings/RecordingConsents.ts"
import type { RecordedAttempt } from "../recordings/RecordingRepository.ts"
import { Recordings } from "../recordings/Recordings.ts"
import type { Language } from "../texts/Texts.ts"
import { Conflict } from "../values/Problem.ts"
import { sampleSound } from "./SampleSound.ts"
import { answerLanguage, scriptedAnswers } from "./ScriptedAnswers.ts"
import type { TestActName, TestActRequests } from "./TestActs.ts"
import { type AnswerQuality, NotInTestMode } from "./TestMode.ts"

/** Why the candidate cannot go on, by the state of the interview. */
const reasons: Readonly<Record<InterviewState, string>> = {
  open: "the interview has not begun: open its interview_url to begin",
  running: "the interview has begun: complete it, or invite another candidate",
  time_over: "the interview's time is over: invite another candidate",
  completed: "the interview is completed: invite another candidate",
  expired: "the invitation has expired: invite the candidate again",
  cancelled: "the invitation was cancelled: invite the candidate again",
  declined: "the interview was declined: invite another candidate",
  withdrawn: "the submission was withdrawn: invite another candidate",
}

const refused = ({ state }: { readonly state: InterviewState }) => Effect.fail(new Conflict({ reason: reasons[state] }))

/** Its submission has no interview: the set is a CV set. */
const withoutInterview = () =>
  Effect.fail(new Conflict({ reason: "the candidates of a CV set have no interview: invite to a set with set_type 1" }))

const unfinished =
  "a required question can only be answered by video, which the scripted candidate cannot do: open interview_url and answer it, or let the set of the test allow audio or typing for it"

export class TestCandidates extends Context.Service<TestCandidates>()(
  "interview-invitations/test-mode/TestCandidates",
  {
    make: Effect.gen(function* () {
      const { recordingMaxSize } = yield* Config
      const { transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const immediateEmails = yield* ImmediateEmails
      const interviewSetRepository = yield* InterviewSetRepository
      const interviews = yield* Interviews
      const invitationReports = yield* InvitationReports
      const invitations = yield* Invitations
      const organizationRepository = yield* OrganizationRepository
      const recordingConsents = yield* RecordingConsents
      const recordings = yield* Recordings
      const suppressionRepository = yield* SuppressionRepository
      const uploads = yield* Uploads

      /** Fails with NotInTestMode outside a test space, before it reads anything of the invitation. */
      const begin = Effect.fnUntraced(function* (viewer: Viewer, id: string) {
        if ((yield* organizationRepository.liveOf(viewer.organizationId)) === undefined)
          return yield* new NotInTestMode()
        const { detail } = yield* invitations.read(viewer, id)
        const ref = { id: detail.id, organization_id: viewer.organizationId }
        const link = emailLinks.interview({ _tag: "Invitation", id: detail.id })
        return { detail, ref, token: link.slice(link.lastIndexOf("/") + 1) }
      })
      type Begun = Effect.Success<ReturnType<typeof begin>>

      /** A candidate answers a delivered email, so the events come in that order. */
      const deliver = Effect.fnUntraced(function* ({ ref }: Begun) {
        yield* immediateEmails.sendNow(ref.organization_id, ref.id)
        // another process may be about to settle the email: a second report of delivery has no effect
        yield* invitationReports.sent([ref], [ref])
      })

      const visit = Effect.fnUntraced(function* (begun: Begun) {
        yield* deliver(begun)
        yield* invitationReports.report("opened", [begun.ref])
        yield* invitationReports.report("clicked", [begun.ref])
        yield* interviews.initiate(begun.token)
      })

      const speak = Effect.fnUntraced(
        function* (attempt: RecordedAttempt, question: Question, text: string, language: Language) {
          const consent = yield* recordingConsents.find(attempt.organization, language)
          const shown = consent?.id ?? null
          const id = yield* recordings.begin(attempt, question.id, "audio", rulesOf(question), language, shown)
          const piece = { ordinal: 0, bytes: sampleSound(text) }
          yield* recordings.addPiece(attempt, id, piece, [question], Number(recordingMaxSize))
          yield* recordings.end(attempt, id, 1)
        },
        Effect.catchTags({
          RecordingRefused: () => Effect.fail(new Conflict({ reason: "a spoken answer was refused" })),
          PiecesMissing: Effect.die,
          RecordingUnknown: Effect.die,
        }),
      )

      const answer = Effect.fnUntraced(function* ({ token }: Begun, quality: AnswerQuality) {
        const { row } = yield* interviews.open(token)
        const { attempt, interview_set_id, organization_id: organization, submission_id: submission } = row
        const set = yield* interviewSetRepository.find(organization, interview_set_id)
        if (set === undefined) return yield* new Conflict({ reason: "the interview set was deleted" })
        const language = answerLanguage(row.languages)
        const { files, rows, spoken } = scriptedAnswers(set, quality, { language, mayType: row.typed_answers_allowed })
        for (const { bytes, name, question } of files) {
          const allowed = question.allowed_file_types
          const target = { token, question: question.id, attempt, allowed }
          yield* Effect.orDie(uploads.attach(target, name, Stream.succeed(bytes)))
        }
        for (const { question, text } of spoken)
          yield* speak({ organization, submission, attempt }, question, text, language)
        const { isIncomplete } = yield* interviews.finish(token, rows, attempt)
        if (isIncomplete) return yield* new Conflict({ reason: unfinished })
      })

      const acts: {
        readonly [Name in TestActName]: (
          begun: Begun,
          request: TestActRequests[Name],
        ) => Effect.Effect<void, Conflict | InterviewNotOpen | LinkUnknown>
      } = {
        /** Opens the link, starts, answers every question and submits. */
        complete: (begun, { answers }) =>
          Effect.gen(function* () {
            yield* visit(begun)
            yield* interviews.start(begun.token)
            yield* answer(begun, answers ?? "good")
          }),

        /** Reads the email and opens the link. */
        open: visit,

        /** Opens the link and declines. */
        decline: (begun, { reason }) => Effect.andThen(visit(begun), interviews.decline(begun.token, reason ?? "")),

        /** The deadline to start has passed. */
        expire: (begun) => Effect.andThen(deliver(begun), interviews.expireNow(begun.token)),

        /** The recipient's mail server returns the email. */
        bounce: ({ ref }) =>
          Effect.andThen(
            immediateEmails.sendNow(ref.organization_id, ref.id),
            invitationReports.report("bounce", [ref]),
          ),

        /** The candidate marks the email as spam: the address gets no more emails. */
        complain: (begun) =>
          Effect.gen(function* () {
            yield* deliver(begun)
            const { detail, ref } = begun
            yield* invitationReports.report("spam", [ref])
            const { email } = detail
            yield* suppressionRepository.add([{ organization_id: ref.organization_id, email, reason: "spam" }])
          }).pipe(transaction),
      }

      /** Returns the invitation after the act. */
      const act = <Name extends TestActName>(viewer: Viewer, id: string, name: Name, request: TestActRequests[Name]) =>
        Effect.gen(function* () {
          const begun = yield* begin(viewer, id)
          yield* acts[name](begun, request)
          return yield* invitations.find(viewer, begun.ref.id)
        }).pipe(
          Effect.catchTags({ InterviewNotOpen: refused, LinkUnknown: withoutInterview }),
          Effect.withSpan(`TestCandidates.${name}`),
        )

      return { act }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
