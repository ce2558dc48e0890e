/** Previews of the invitation and of the candidate's first page, with the appearance as it is typed. Nothing is saved. */
import { Clock, Duration, Effect, Layer } from "effect"
import { type LogoFile, logoOf, noAppearance } from "../accounts/Appearance.ts"
import { readAppearance } from "../accounts/AppearancePages.ts"
import { Appearances, checkAppearance } from "../accounts/Appearances.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { appearanceLabels, emailPreviewHref, firstPagePreviewHref } from "../accounts/pages/AppearancePage.ts"
import { unusablePreviewPage } from "../accounts/pages/LivePreview.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { sampleCandidate } from "../candidates/Candidate.ts"
import { Config } from "../config/Config.ts"
import { questionModeIds, questionTypeIds } from "../interview-sets/InterviewSet.ts"
import { EmailSubjects } from "../invitations/EmailSubjects.ts"
import { previewHeaders, previewInvitation } from "../invitations/InvitationPreview.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { mailView } from "../platform/http/Pages.ts"
import { readUploadForm } from "../platform/http/UploadForms.ts"
import { QuestionId } from "../values/Ids.ts"
import type { Invalid } from "../values/Problem.ts"
import type { InterviewView } from "./InterviewView.ts"
import { previewedView } from "./PreviewView.ts"
import { appearancePreviewPage } from "./pages/AppearancePreviewPage.ts"

const exampleQuestion = {
  id: QuestionId.make("00000000-0000-0000-0000-000000000000"),
  title: "Example",
  content: null,
  hint: null,
  details: null,
  cfg_question_mode_id: questionModeIds.interview,
  cfg_question_type_id: questionTypeIds.text,
  priority: null,
  options: [],
  allowed_file_types: null,
  attributes: null,
}

const inlined = ({ bytes, height, mediaType, width }: LogoFile): Logo => ({
  href: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`,
  width,
  height,
})

const interview = { name: "Senior Backend Engineer", minutes: 30 }

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const { appUrl, invitationExpires } = yield* Config
    const appearances = yield* Appearances
    const emailSubjects = yield* EmailSubjects
    const organizations = yield* Organizations

    /** What is shown: the saved appearance, or a form's. Fails with Invalid. */
    const readPreviewed = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const saved = yield* appearances.find(member.organizationId)
      const organization = yield* organizations.find(member.organizationId)
      const now = yield* Clock.currentTimeMillis
      const rest = { organization, expiresAt: new Date(now + Duration.toMillis(invitationExpires)) }
      if (http.method === "GET") return { ...rest, appearance: saved, logo: logoOf(saved) }
      const { logo, ...texts } = yield* checkAppearance(readAppearance(yield* readUploadForm(http)))
      return {
        ...rest,
        appearance: { ...noAppearance, ...texts },
        logo: logo === undefined ? logoOf(saved) : logo === null ? undefined : inlined(logo),
      }
    })

    const showEmail = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { appearance, expiresAt, logo, organization } = yield* readPreviewed(request)
      const { invitation, reminder } = yield* emailSubjects.find(request.member, undefined)
      const preview = previewInvitation({
        sender: {
          organization_name: organization.name,
          organization_contact: organization.contact,
          appearance: { ...appearance, logo: null },
          time_zone: organization.time_zone,
          interview_name: interview.name,
          interview_duration: interview.minutes,
          own_subjects: { invitation, reminder },
          languages: [organization.language],
          spoken_kinds: [],
        },
        candidate: sampleCandidate,
        isSample: true,
        message: null,
        expiresAt,
        appUrl,
        logo,
      })
      return mailView(preview.html, previewHeaders(preview))
    })

    const showFirstPage = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { appearance, expiresAt, logo, organization } = yield* readPreviewed(request)
      const view: InterviewView = {
        ...previewedView,
        retakesLeft: 0,
        organizationName: organization.name,
        appearance,
        timeZone: organization.time_zone,
        contact: organization.contact,
        privacyContact: organization.privacy_contact,
        interviewName: interview.name,
        position: null,
        description: null,
        minutes: interview.minutes,
        expiresAt,
        secondsLeft: null,
        language: null,
        languages: [organization.language],
        spoken: organization.language,
        questions: Array.from({ length: 5 }, () => exampleQuestion),
      }
      return page(appearancePreviewPage(view, logo), { mayBeFramed: true })
    })

    const showReasons = ({ errors }: Invalid) => {
      const reasons = Object.values(fieldErrors(errors, appearanceLabels))
      return Effect.succeed(page(unusablePreviewPage(reasons), { status: 422, mayBeFramed: true }))
    }
    const emailOrReasons = (request: WorkspaceRequest) => Effect.catchTag(showEmail(request), "Invalid", showReasons)
    const pageOrReasons = (request: WorkspaceRequest) => Effect.catchTag(showFirstPage(request), "Invalid", showReasons)

    yield* get(emailPreviewHref, emailOrReasons)
    yield* post(emailPreviewHref, emailOrReasons)
    yield* get(firstPagePreviewHref, pageOrReasons)
    yield* post(firstPagePreviewHref, pageOrReasons)
  }),
)
