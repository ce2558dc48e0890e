/**
 * An interview as candidates see it, page by page, for members who may see its set. GET /i/preview/:id,
 * /i/preview/:id/questions/:number, /i/preview/:id/review; the forms lead on and keep nothing.
 */
import { Clock, Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Contacts } from "../accounts/OrganizationRepository.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { askedOrder } from "../interview-sets/InterviewSet.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { setHref } from "../interview-sets/pages/SetWords.ts"
import type { Document } from "../platform/http/Document.ts"
import { type Form, isUpload, readForm, readText, valueOf } from "../platform/http/Forms.ts"
import { html } from "../platform/http/Html.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { languageOf } from "../texts/Texts.ts"
import { SubmissionId } from "../values/Ids.ts"
import { maxText } from "./AnswerForm.ts"
import type { InterviewView } from "./InterviewView.ts"
import { invitedPage } from "./pages/InterviewInvited.ts"
import { questionPage } from "./pages/InterviewQuestions.ts"
import { reviewPage } from "./pages/InterviewReview.ts"

const nobody = SubmissionId.make("00000000-0000-0000-0000-000000000000")

/** Finds short fields in a multipart form. */
const partOf = (text: string) => (name: string) =>
  new RegExp(`name="${name}"\\r\\n\\r\\n([\\w-]{1,40})`).exec(text)?.[1]

const fieldIn = (form: Form) => (name: string) => valueOf(form, name)

/** The candidate's page in a frame that says what it is; without its script, which would save. */
const previewed = (document: Document, id: string): Document => ({
  ...document,
  title: `Preview: ${document.title}`,
  scripts: ["time.js"],
  main: html`<div class="lead" lang="en"><p class="info">This is a preview: nothing is saved or sent. <a href="${setHref(id)}">Back to the interview set</a></p></div>
<div>${document.main}</div>`,
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const organizations = yield* Organizations
    const sets = yield* InterviewSets
    const { get, page, post } = yield* makeWorkspace
    const at = (id: string) => `/i/preview/${id}`

    const viewOf = (
      { set }: SetRecord,
      { member }: WorkspaceRequest,
      { contact, privacy_contact }: Contacts,
      tags: ReadonlyMap<number, string>,
      now: Date,
    ): InterviewView => {
      const languages = set.cfg_lingual_ids.flatMap((id) => tags.get(id) ?? [])
      return {
        state: "open",
        submissionId: nobody,
        attempt: 1,
        retakesLeft: set.number_of_retakes ?? 0,
        improvableUntil: null,
        organizationName: member.organizationName,
        contact,
        privacyContact: privacy_contact,
        interviewName: set.title,
        position: set.position,
        description: set.description,
        candidateName: member.name ?? member.email,
        minutes: set.interview_duration,
        expiresAt: new Date(now.getTime() + 30 * 86_400_000),
        secondsLeft: set.interview_duration === null ? null : set.interview_duration * 60,
        completedAt: null,
        ranOut: false,
        language: languages[0] ?? null,
        languages,
        spoken: languageOf(languages),
        questions: askedOrder(set.iai_questions),
        answers: new Map(),
      }
    }

    /** A page of the preview; where there is none, its first one. */
    const shown = (
      make: (view: InterviewView, token: string, now: Date, visit: WorkspaceRequest) => Document | undefined,
    ) =>
      get((visit) =>
        Effect.gen(function* () {
          const record = yield* sets.read(visit.member, visit.param("id"))
          const { id } = record.set
          const now = new Date(yield* Clock.currentTimeMillis)
          const tags = new Map((yield* sets.languages).map((one) => [one.id, one.tag]))
          const contacts = yield* organizations.find(visit.member.organizationId)
          const document = make(viewOf(record, visit, contacts, tags, now), `preview/${id}`, now, visit)
          return document === undefined ? seeOther(at(id)) : page(previewed(document, id))
        }),
      )

    yield* router.add("GET", "/i/preview/:id", shown(invitedPage))
    yield* router.add(
      "GET",
      "/i/preview/:id/questions/:number",
      shown((view, token, now, { param, query }) => {
        const number = Number(param("number"))
        const question = view.questions[number - 1]
        const fromReview = query("review") !== undefined
        return (
          question && questionPage(view, question, { token, number, now, saved: false, fromReview, limit: maxText })
        )
      }),
    )
    yield* router.add("GET", "/i/preview/:id/review", shown(reviewPage))

    yield* router.add(
      "POST",
      "/i/preview/:id/start",
      post(({ param }) => Effect.succeed(seeOther(`${at(param("id"))}/questions/1`))),
    )
    yield* router.add(
      "POST",
      "/i/preview/:id/answers",
      post(({ member, param, request }) =>
        Effect.gen(function* () {
          const { set } = yield* sets.read(member, param("id"))
          // a form with a file is sent in parts; neither is kept
          const fieldOf = isUpload(request) ? partOf(yield* readText(request)) : fieldIn(yield* readForm(request))
          const index = askedOrder(set.iai_questions).findIndex(({ id }) => id === fieldOf("question"))
          const go = fieldOf("go")
          const isLast = go === "next" && fieldOf("from") === "review"
          const next = isLast ? Number.POSITIVE_INFINITY : index + (go === "back" ? 0 : go === "next" ? 2 : 1)
          return seeOther(
            next > set.iai_questions.length ? `${at(set.id)}/review` : `${at(set.id)}/questions/${Math.max(1, next)}`,
          )
        }),
      ),
    )
    // where the candidate's way ends, the set's page is
    yield* router.add(
      "POST",
      "/i/preview/:id/finish",
      post(({ param }) => Effect.succeed(seeOther(setHref(param("id"))))),
    )
    for (const step of ["start", "answers", "finish", "decline"]) {
      yield* router.add(
        "GET",
        `/i/preview/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(at(param("id"))))),
      )
    }
  }),
)
