/** A preview of the candidate's pages for members; forms save nothing. */
import { DateTime, Effect, Layer } from "effect"
import type { Appearance } from "../accounts/Appearance.ts"
import { Appearances } from "../accounts/Appearances.ts"
import type { OrganizationRow } from "../accounts/OrganizationRepository.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { askedOrder, positionBeside } from "../interview-sets/InterviewSet.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { setHref } from "../interview-sets/pages/SetLabels.ts"
import { draftOf, emptyDraft, readDraft } from "../interview-sets/SetDraft.ts"
import { previewedSet } from "../interview-sets/SetFormRequest.ts"
import type { Document } from "../platform/http/Document.ts"
import { type Form, isUpload, readForm, readText, valueOf } from "../platform/http/Forms.ts"
import { html } from "../platform/http/Html.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { RecordingConsents } from "../recordings/RecordingConsents.ts"
import { languageOf } from "../texts/Texts.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { maxText } from "./AnswerForm.ts"
import type { InterviewView } from "./InterviewView.ts"
import { previewedView } from "./PreviewView.ts"
import { accommodationPage, emptyAccommodation } from "./pages/AccommodationPage.ts"
import { invitedPage } from "./pages/InvitedPage.ts"
import { questionPage, reviewPage } from "./pages/RunningInterviewPage.ts"

const href = (id: string) => `/i/preview/${id}`

interface PreviewedOrganization extends Pick<OrganizationRow, "contact" | "privacy_contact" | "language"> {
  readonly appearance: Appearance
}

const viewOf = (
  { set }: Pick<SetRecord, "set">,
  { member }: WorkspaceRequest,
  { appearance, contact, language, privacy_contact }: PreviewedOrganization,
  tags: ReadonlyMap<number, string>,
  now: Date,
): InterviewView => {
  const ofSet = set.cfg_lingual_ids.flatMap((id) => tags.get(id) ?? [])
  return {
    ...previewedView,
    retakesLeft: set.number_of_retakes ?? 0,
    organizationName: member.organizationName,
    appearance,
    timeZone: member.timeZone,
    contact,
    privacyContact: privacy_contact,
    interviewName: set.title,
    position: positionBeside(set.title, set.position),
    description: set.description,
    minutes: set.interview_duration,
    expiresAt: new Date(now.getTime() + 30 * 86_400_000),
    secondsLeft: set.interview_duration === null ? null : set.interview_duration * 60,
    language: ofSet[0] ?? null,
    languages: ofSet,
    spoken: languageOf(ofSet.length > 0 ? ofSet : [language]),
    questions: askedOrder(set.iai_questions),
  }
}

/** Omits the script, which would save. */
const previewed = (document: Document, id: string): Document => ({
  ...document,
  title: `Preview: ${document.title}`,
  scripts: ["time.js"],
  main: html`<div class="lead" lang="en"><p class="info">This is a preview: nothing is saved or sent. <a href="${setHref(id)}">Back to the interview set</a></p></div>
<div>${document.main}</div>`,
})

const previewedQuestion = (view: InterviewView, token: string, now: Date, { param, query }: WorkspaceRequest) => {
  const number = Number(param("number"))
  const question = view.questions[number - 1]
  const fromReview = query("review") !== undefined
  return (
    question &&
    questionPage(view, question, { token, number, now, saved: false, fromReview, limit: maxText, takesUsed: 0 })
  )
}

const noSet = InterviewSetId.make("00000000-0000-0000-0000-000000000000")
const draftHref = "/i/preview/draft"
/** Target of the previewed page's links and forms; the query has the rest of their addresses. */
const draftToken = "preview/draft?"

/** In the editor's frame, the page is inert. */
const previewedDraft = (document: Document, isFramed: boolean): Document => ({
  ...document,
  title: `Preview: ${document.title}`,
  scripts: isFramed ? [] : ["time.js"],
  masthead: isFramed ? null : document.masthead,
  main: isFramed
    ? html`<div inert>${document.main}</div>`
    : html`<div class="lead" lang="en"><p class="info">This is a preview of one question: nothing is saved or sent. Close this tab to continue editing.</p></div>
<div>${document.main}</div>`,
})

/** Finds short fields in a multipart form. */
const partOf = (text: string) => (name: string) =>
  new RegExp(`name="${name}"\\r\\n\\r\\n([\\w-]{1,40})`).exec(text)?.[1]

const fieldIn = (form: Form) => (name: string) => valueOf(form, name)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace

    const interviewSets = yield* InterviewSets
    const appearances = yield* Appearances
    const organizations = yield* Organizations
    const recordingConsents = yield* RecordingConsents

    /** Explains that the preview has one question: the other questions of a draft are only in the form. */
    const endDraft = () => {
      const main = html`<div class="notice"><h1>This was a preview of one question</h1><p>Nothing was saved or sent. Close this tab to continue editing.</p></div>`
      return Effect.succeed(page({ title: "Preview", masthead: null, main, scripts: [] }))
    }

    const viewNow = Effect.fnUntraced(function* (record: Pick<SetRecord, "set">, request: WorkspaceRequest) {
      const now = yield* DateTime.nowAsDate
      const tags = new Map((yield* interviewSets.languages).map((one) => [one.id, one.tag]))
      const { organizationId } = request.member
      const organization = yield* organizations.find(organizationId)
      const appearance = yield* appearances.find(organizationId)
      const view = viewOf(record, request, { ...organization, appearance }, tags, now)
      const consent = yield* recordingConsents.find(organizationId, view.spoken)
      return { now, view: { ...view, recordingConsent: consent ?? null } }
    })

    const preview = Effect.fnUntraced(function* (
      request: WorkspaceRequest,
      make: (view: InterviewView, token: string, now: Date, request: WorkspaceRequest) => Document | undefined,
    ) {
      const record = yield* interviewSets.read(request.member, request.param("id"))
      const { id } = record.set
      const { now, view } = yield* viewNow(record, request)
      const document = make(view, `preview/${id}`, now, request)
      return document === undefined ? seeOther(href(id)) : page(previewed(document, id))
    })

    /** A question of the set's form as it is typed. `at`: its number in the form; `set`: the stored set. */
    const showDraft = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const known = valueOf(form, "set")
      const base = known === undefined ? emptyDraft : draftOf((yield* interviewSets.read(request.member, known)).set)
      const numbers = [...new Set(form.flatMap(([name]) => /^q\.(\d{1,4})\.title$/.exec(name)?.[1] ?? []))]
      const set = previewedSet(readDraft(form, base), noSet)
      const { now, view } = yield* viewNow({ set }, request)
      const asked = set.iai_questions[Math.max(0, numbers.indexOf(valueOf(form, "at") ?? ""))]
      const index = view.questions.findIndex(({ id }) => id === asked?.id)
      const question = view.questions[index]
      const options = {
        token: draftToken,
        number: index + 1,
        now,
        saved: false,
        fromReview: false,
        limit: maxText,
        takesUsed: 0,
      }
      const document =
        question === undefined ? reviewPage(view, draftToken, now) : questionPage(view, question, options)
      return page(previewedDraft(document, valueOf(form, "frame") !== undefined))
    })

    const previewDraft = (request: WorkspaceRequest) =>
      request.http.url === draftHref ? showDraft(request) : endDraft()

    const showInvitation = (request: WorkspaceRequest) => preview(request, invitedPage)

    const showQuestion = (request: WorkspaceRequest) => preview(request, previewedQuestion)

    const showReview = (request: WorkspaceRequest) =>
      preview(request, (view, token, now, { query }) => reviewPage(view, token, now, query("confirm") !== undefined))

    const showAccommodation = (request: WorkspaceRequest) =>
      preview(request, (view, token) => accommodationPage(view, token, emptyAccommodation))

    const redirectToNext = Effect.fnUntraced(function* ({ member, param, http }: WorkspaceRequest) {
      const { set } = yield* interviewSets.read(member, param("id"))
      const fieldOf = isUpload(http) ? partOf(yield* readText(http)) : fieldIn(yield* readForm(http))
      const index = askedOrder(set.iai_questions).findIndex(({ id }) => id === fieldOf("question"))
      const go = fieldOf("go")
      const isLast = go === "next" && fieldOf("from") === "review"
      const next = isLast ? Number.POSITIVE_INFINITY : index + (go === "back" ? 0 : go === "next" ? 2 : 1)
      const isReview = next > set.iai_questions.length
      return seeOther(isReview ? `${href(set.id)}/review` : `${href(set.id)}/questions/${Math.max(1, next)}`)
    })

    const redirect =
      (to: (id: string) => string) =>
      ({ param }: WorkspaceRequest) =>
        Effect.succeed(seeOther(to(param("id"))))
    yield* get(draftHref, endDraft)
    yield* post(draftHref, previewDraft)
    yield* get("/i/preview/:id", showInvitation)
    yield* get("/i/preview/:id/questions/:number", showQuestion)
    yield* get("/i/preview/:id/review", showReview)
    const toPreview = ({ param }: WorkspaceRequest) => href(param("id"))
    yield* action(
      "/i/preview/:id/start",
      redirect((id) => `${href(id)}/questions/1`),
      toPreview,
    )
    yield* action("/i/preview/:id/answers", redirectToNext, toPreview)
    yield* action("/i/preview/:id/finish", redirect(setHref), toPreview)
    yield* get("/i/preview/:id/accommodation", showAccommodation)
    yield* post("/i/preview/:id/accommodation", redirect(href))
    yield* get("/i/preview/:id/decline", redirect(href))
  }),
)
