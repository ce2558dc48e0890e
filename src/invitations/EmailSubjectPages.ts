/** The subjects of emails of invitations: of the organization, and of an interview set. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { type Difference, versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { emailSubjectsHref } from "../interview-sets/pages/SetLabels.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { SetFigures } from "../submissions/SetFigures.ts"
import { maxSubject, type EmailSubjects as Subjects } from "./EmailSubject.ts"
import { EmailSubjects, type SubjectsOutdated } from "./EmailSubjects.ts"
import {
  emailSubjectPage,
  organizationSubjectsHref,
  type SubjectForm,
  type SubjectOwner,
  subjectLabels,
  subjectNames,
} from "./pages/EmailSubjectPage.ts"

const differencesOf = (saved: Subjects, own: Subjects): ReadonlyArray<Difference> =>
  subjectNames
    .map(([field, name]) => ({ name, saved: saved[field], own: own[field] }))
    .filter((one) => one.saved !== one.own)

/** Empty: never saved. */
const versionNumber = (text: string): number => (text === "" ? 0 : numberOf(text))

const read = (text: string | undefined): string => (text ?? "").slice(0, 4 * maxSubject).toWellFormed()

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const emailSubjects = yield* EmailSubjects
    const setFigures = yield* SetFigures
    const settings = yield* makeSettings
    const workspace = yield* makeWorkspace

    const render = Effect.fnUntraced(function* (member: Member, owner: SubjectOwner, form: SubjectForm, status = 200) {
      // undefined while the form has errors
      const preview = yield* emailSubjects
        .preview(member, owner.set?.id, form)
        .pipe(Effect.catchTag("Invalid", () => Effect.undefined))
      return workspace.page(emailSubjectPage(member, owner, form, preview), { status })
    })

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest, owner: SubjectOwner) {
      const saved = yield* emailSubjects.find(member, owner.set?.id)
      const notice = query("done") === "saved" ? { text: "The subjects were saved." } : undefined
      return yield* render(member, owner, { ...saved, errors: {}, notice })
    })

    const save = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest, owner: SubjectOwner) {
      const sent = yield* readForm(http)
      const own = {
        invitation: read(valueOf(sent, "invitation")),
        reminder: read(valueOf(sent, "reminder")),
        version: versionNumber(versionOf(sent)),
      }
      const invalid = (errors: SubjectForm["errors"]) => render(member, owner, { ...own, errors }, 422)
      if (valueOf(sent, "do") === "preview") {
        return yield* emailSubjects.preview(member, owner.set?.id, own).pipe(
          Effect.andThen(render(member, owner, { ...own, errors: {} })),
          Effect.catchTag("Invalid", ({ errors }) => invalid(fieldErrors(errors, subjectLabels))),
        )
      }
      return yield* emailSubjects.change(member, owner.set?.id, own).pipe(
        Effect.as(seeOther(`${owner.href}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => invalid(fieldErrors(errors, subjectLabels)),
          SubjectsOutdated: Effect.fnUntraced(function* ({ saved }: SubjectsOutdated) {
            const [type, id] =
              owner.set === undefined
                ? (["organization", String(member.organizationId)] as const)
                : (["interview_set", owner.set.id] as const)
            const last = yield* auditLog.last(member, type, id)
            const outdated = { version: String(saved.version), last, differences: differencesOf(saved, own) }
            return yield* render(member, owner, { ...own, errors: {}, outdated }, 409)
          }),
        }),
      )
    })

    const organization: SubjectOwner = { href: organizationSubjectsHref, set: undefined }
    const ofSet = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const set = yield* emailSubjects.requireSet(member, param("id"))
      const count = yield* setFigures.count(member, set.id)
      return { href: emailSubjectsHref(set.id), set: { ...set, count } } satisfies SubjectOwner
    })

    yield* settings.get(organizationSubjectsHref, (request) => show(request, organization))
    yield* settings.post(organizationSubjectsHref, (request) => save(request, organization))
    yield* workspace.get(emailSubjectsHref(":id"), (request) =>
      Effect.flatMap(ofSet(request), (owner) => show(request, owner)),
    )
    yield* workspace.post(emailSubjectsHref(":id"), (request) =>
      Effect.flatMap(ofSet(request), (owner) => save(request, owner)),
    )
  }),
)
