/** Settings → Organization → Members. */
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { type FieldErrors, fieldErrors, type Notice } from "../../platform/http/FormControls.ts"
import { FormIdempotency } from "../../platform/http/FormIdempotency.ts"
import { named, numberOf, readForm, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Ids } from "../../platform/NewIds.ts"
import { FormId, MemberId, parseId, requireId } from "../../values/Ids.ts"
import { SignInAttempts } from "../sign-in/SignInAttempts.ts"
import { makeSettings, type WorkspaceRequest } from "../Workspace.ts"
import { Members } from "./Members.ts"
import {
  inviteMemberPage,
  labels,
  type MemberView,
  memberHref,
  memberListPage,
  memberPage,
  membersHref,
  removeMemberPage,
} from "./pages/MemberPage.ts"

const notices: Readonly<Record<string, string>> = {
  invited: "The invitation is on its way. The link in it works for a week.",
  saved: "The role was saved. It applies to the next page that the member opens.",
  link: "An email with a link to set a password is on its way.",
  unlinked: "The account at the provider was unlinked.",
  factor: "The second factor was removed, and the member is signed out everywhere.",
  removed: "The member was removed and is signed out everywhere.",
  gone: "This member was already removed.",
}

const linkForm = (id: MemberId) => ({ name: `member.link ${id}`, answer: Schema.Null, kept: Duration.hours(1) })

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const idOf = ({ param }: WorkspaceRequest) => requireId(MemberId, param("id"), "member")

type Shown = Pick<MemberView, "entry" | "role" | "errors" | "notice">

const toMember = ({ param }: WorkspaceRequest) => memberHref(param("id"))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const formIdempotency = yield* FormIdempotency
    const ids = yield* Ids
    const members = yield* Members
    const { passwords } = yield* SignInAttempts

    const entryOf = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* members.show(request.member, yield* idOf(request))
    })

    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const entries = yield* members.list(request.member)
      const now = yield* DateTime.nowAsDate
      const view = { number: numberOf(request.query("page")), now, notice: noticeOf(request) }
      return page(memberListPage(request.member, entries, view))
    })

    const showInvitation = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      const id = yield* ids.make(MemberId)
      return page(inviteMemberPage(member, id, { email: "", name: "", role: "recruiter", errors: {} }))
    })

    const invite = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const id = parseId(MemberId, valueOf(form, "id") ?? "")
      if (id === undefined) return seeOther(`${membersHref}/new`)
      const invitee = { email: typed(form, "email"), name: typed(form, "name"), role: typed(form, "role") }
      return yield* members.invite(member, id, invitee).pipe(
        Effect.as(seeOther(`${membersHref}?done=invited`)),
        Effect.catchTag("Invalid", (invalid) => {
          const errors = fieldErrors(invalid.errors, labels)
          return Effect.succeed(page(inviteMemberPage(member, id, { ...invitee, errors }), { status: 422 }))
        }),
      )
    })

    const render = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, shown: Shown, status = 200) {
      const now = yield* DateTime.nowAsDate
      return page(memberPage(member, { ...shown, passwords, now, form: yield* ids.make(FormId) }), { status })
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const entry = yield* entryOf(request)
      return yield* render(request, { entry, role: entry.role, errors: {}, notice: noticeOf(request) })
    })

    const setRole = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const entry = yield* entryOf(request)
      const role = typed(yield* readForm(request.http), "role")
      const refuse = (errors: FieldErrors, status: number) =>
        render(request, { entry, role, errors, notice: undefined }, status)
      return yield* members.setRole(member, entry.id, role).pipe(
        // after a change of their own role, members may not see this page
        Effect.as(seeOther(`${entry.id === member.id ? membersHref : memberHref(entry.id)}?done=saved`)),
        Effect.catchTags({
          Invalid: ({ errors }) => refuse(fieldErrors(errors, labels), 422),
          Conflict: ({ reason }) => refuse({ role: reason }, 409),
        }),
      )
    })

    const sendLink = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const id = yield* idOf(request)
      const form = parseId(FormId, valueOf(yield* readForm(request.http), "id") ?? "")
      yield* formIdempotency.once(
        member,
        form ?? (yield* ids.make(FormId)),
        linkForm(id),
        Effect.as(members.sendLink(member, id), null),
      )
      return seeOther(`${memberHref(id)}?done=link`)
    })

    const unlink = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const entry = yield* entryOf(request)
      return yield* members.unlink(request.member, entry.id).pipe(
        Effect.as(seeOther(`${memberHref(entry.id)}?done=unlinked`)),
        Effect.catchTag("Conflict", ({ reason }) =>
          render(request, { entry, role: entry.role, errors: {}, notice: { text: reason, isError: true } }, 409),
        ),
      )
    })

    const resetSecondFactor = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const id = yield* requireId(MemberId, param("id"), "member")
      yield* members.resetSecondFactor(member, id)
      return seeOther(`${memberHref(id)}?done=factor`)
    })

    const showRemoval = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(removeMemberPage(request.member, yield* entryOf(request), undefined))
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* members.remove(request.member, yield* idOf(request)).pipe(
        Effect.as(seeOther(`${membersHref}?done=removed`)),
        Effect.catchTags({
          NotFound: () => Effect.succeed(seeOther(`${membersHref}?done=gone`)),
          Conflict: ({ reason }) =>
            Effect.map(entryOf(request), (entry) =>
              page(removeMemberPage(request.member, entry, reason), { status: 409 }),
            ),
        }),
      )
    })

    const one = `${membersHref}/:id` as const
    yield* get(membersHref, list)
    yield* get(`${membersHref}/new`, showInvitation)
    yield* post(membersHref, invite)
    yield* get(one, show)
    yield* post(one, setRole)
    yield* action(`${one}/link`, sendLink, toMember)
    yield* action(`${one}/unlink`, unlink, toMember)
    yield* action(`${one}/second-factor`, resetSecondFactor, toMember)
    yield* get(`${one}/remove`, showRemoval)
    yield* post(`${one}/remove`, remove)
  }),
)
