/** A preview of the candidate's first page, and of the sender of emails, with the appearance as it is typed. Nothing is saved. */
import { DateTime, Effect, Layer } from "effect"
import { type LogoFile, logoOf, noAppearance } from "../accounts/Appearance.ts"
import { readAppearance } from "../accounts/AppearancePages.ts"
import { Appearances, checkAppearance } from "../accounts/Appearances.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { appearanceHref, appearanceLabels, appearancePreviewHref } from "../accounts/pages/AppearancePage.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { sampleCandidate } from "../candidates/Candidate.ts"
import { questionModeIds, questionTypeIds } from "../interview-sets/InterviewSet.ts"
import { senderOf } from "../invitations/InvitationEmailTemplate.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { readUploadForm } from "../platform/http/UploadForms.ts"
import { QuestionId, SubmissionId } from "../values/Ids.ts"
import type { InterviewView } from "./InterviewView.ts"
import { appearancePreviewPage, unusableAppearancePage } from "./pages/AppearancePreviewPage.ts"

const noId = "00000000-0000-0000-0000-000000000000"
const minutes = 30
const day = 86_400_000

const exampleQuestion = {
  id: QuestionId.make(noId),
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

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, page } = yield* makeSettings
    const appearances = yield* Appearances
    const organizations = yield* Organizations

    const show = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const saved = yield* appearances.find(member.organizationId)
      const organization = yield* organizations.find(member.organizationId)
      const { logo: typedLogo, ...texts } = yield* checkAppearance(readAppearance(yield* readUploadForm(http)))
      const logo = typedLogo === undefined ? logoOf(saved) : typedLogo === null ? undefined : inlined(typedLogo)
      const appearance = { ...noAppearance, ...texts }
      const now = (yield* DateTime.nowAsDate).getTime()
      const expiresAt = new Date(now + 14 * day)
      const view: InterviewView = {
        state: "open",
        submissionId: SubmissionId.make(noId),
        attempt: 1,
        retakesLeft: 0,
        improvableUntil: null,
        organizationName: organization.name,
        appearance,
        timeZone: organization.time_zone,
        contact: organization.contact,
        privacyContact: organization.privacy_contact,
        interviewName: "Example interview",
        position: null,
        description: null,
        declineReasons: [],
        candidateName: sampleCandidate.name,
        minutes,
        expiresAt,
        secondsLeft: null,
        completedAt: null,
        ranOut: false,
        language: null,
        languages: [organization.language],
        spoken: organization.language,
        questions: [exampleQuestion],
        answers: new Map(),
      }
      const { fromName, replyTo, senderName } = senderOf({
        appearance,
        organization_contact: organization.contact,
        organization_name: organization.name,
      })
      return page(appearancePreviewPage(view, { logo, replyTo, sender: senderName ?? fromName }))
    })

    const showOrRefuse = (request: WorkspaceRequest) =>
      show(request).pipe(
        Effect.catchTag("Invalid", ({ errors }) =>
          Effect.succeed(
            page(unusableAppearancePage(Object.values(fieldErrors(errors, appearanceLabels))), { status: 422 }),
          ),
        ),
      )

    yield* action(appearancePreviewHref, showOrRefuse, () => appearanceHref)
  }),
)
