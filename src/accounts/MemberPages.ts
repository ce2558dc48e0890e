/**
 * Settings → Organization → Members. GET /settings/members, …/new, …/:id, …/:id/remove; POST /settings/members (invites),
 * …/:id (role), …/:id/link, …/:id/unlink, …/:id/remove.
 */
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { formIds, named, numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { FormId, MemberId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
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
import { fieldErrors, type Notice } from "./pages/SettingsParts.ts"
import { makeSettings } from "./SettingsFrame.ts"
import { SignIns } from "./SignIns.ts"
import type { WorkspaceRequest } from "./Workspace.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  invited: "The invitation is on its way. The link in it works for a week.",
  saved: "The role was saved. It counts from the next page on.",
  link: "A mail with a link to set a password is on its way.",
  unlinked: "The account at the provider was forgotten.",
  removed: "The member was removed and is signed out everywhere.",
  gone: "There is no such member: they were removed before.",
}

const readId = Schema.decodeOption(MemberId)
const unknown = new NotFound({ record: "member" })

/** A form that is sent twice mails one link. */
const linked = (id: MemberId) => ({ name: `member.link ${id}`, answer: Schema.Null, kept: Duration.hours(1) })

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const formIdOf = yield* formIds
    const forms = yield* FormSubmissions
    const members = yield* Members
    const newId = yield* ids
    const { passwords } = yield* SignIns
    const { get, page, post } = yield* makeSettings
    const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

    const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
      const text = named(notices, query("done"))
      return text === undefined ? undefined : { text }
    }
    const idOf = ({ param }: WorkspaceRequest) => Effect.mapError(Effect.fromOption(readId(param("id"))), () => unknown)
    const find = (visit: WorkspaceRequest) => Effect.flatMap(idOf(visit), (id) => members.show(visit.member, id))

    yield* router.add(
      "GET",
      membersHref,
      get((visit) =>
        Effect.zipWith(members.list(visit.member), now, (all, now) =>
          page(
            memberListPage(visit.member, all, { number: numberOf(visit.query("page")), now, notice: noticeOf(visit) }),
          ),
        ),
      ),
    )

    yield* router.add(
      "GET",
      `${membersHref}/new`,
      get(({ member }) =>
        Effect.map(newId(MemberId), (id) =>
          page(inviteMemberPage(member, id, { email: "", name: "", role: "recruiter", faults: {} })),
        ),
      ),
    )

    yield* router.add(
      "POST",
      membersHref,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const form = yield* readForm(request)
          const id = Option.getOrUndefined(readId(valueOf(form, "id") ?? ""))
          if (id === undefined) return seeOther(`${membersHref}/new`)
          const shown = { email: typed(form, "email"), name: typed(form, "name"), role: typed(form, "role") }
          return yield* members.invite(member, id, shown).pipe(
            Effect.as(seeOther(`${membersHref}?done=invited`)),
            Effect.catchTag("Invalid", ({ errors }) =>
              Effect.succeed(
                page(inviteMemberPage(member, id, { ...shown, faults: fieldErrors(errors, labels) }), { status: 422 }),
              ),
            ),
          )
        }),
      ),
    )

    type Shown = Pick<MemberView, "entry" | "role" | "faults" | "notice">
    const show = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, shown: Shown, status = 200) {
      return page(memberPage(member, { ...shown, passwords, now: yield* now, form: yield* newId(FormId) }), { status })
    })

    yield* router.add(
      "GET",
      `${membersHref}/:id`,
      get((visit) =>
        Effect.flatMap(find(visit), (entry) =>
          show(visit, { entry, role: entry.role, faults: {}, notice: noticeOf(visit) }),
        ),
      ),
    )

    yield* router.add(
      "POST",
      `${membersHref}/:id`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const entry = yield* find(visit)
          const role = typed(yield* readForm(request), "role")
          const again = (faults: Record<string, string>, status: number) =>
            show(visit, { entry, role, faults, notice: undefined }, status)
          return yield* members.setRole(member, entry.id, role).pipe(
            // whoever gave their own role away may not see this page any more
            Effect.as(seeOther(`${entry.id === member.id ? membersHref : memberHref(entry.id)}?done=saved`)),
            Effect.catchTags({
              Invalid: ({ errors }) => again(fieldErrors(errors, labels), 422),
              Conflict: ({ reason }) => again({ role: reason }, 409),
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${membersHref}/:id/link`,
      post((visit) =>
        Effect.gen(function* () {
          const id = yield* idOf(visit)
          const form = yield* formIdOf(yield* readForm(visit.request))
          yield* forms.once(visit.member, form, linked(id), Effect.as(members.sendLink(visit.member, id), null))
          return seeOther(`${memberHref(id)}?done=link`)
        }),
      ),
    )
    yield* router.add(
      "GET",
      `${membersHref}/:id/link`,
      get(({ param }) => Effect.succeed(seeOther(memberHref(param("id"))))),
    )

    yield* router.add(
      "POST",
      `${membersHref}/:id/unlink`,
      post((visit) =>
        Effect.gen(function* () {
          const entry = yield* find(visit)
          return yield* members.unlink(visit.member, entry.id).pipe(
            Effect.as(seeOther(`${memberHref(entry.id)}?done=unlinked`)),
            Effect.catchTag("Conflict", ({ reason }) =>
              show(visit, { entry, role: entry.role, faults: {}, notice: { text: reason, isFault: true } }, 409),
            ),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${membersHref}/:id/remove`,
      get((visit) => Effect.map(find(visit), (entry) => page(removeMemberPage(visit.member, entry, undefined)))),
    )

    yield* router.add(
      "POST",
      `${membersHref}/:id/remove`,
      post((visit) =>
        idOf(visit).pipe(
          Effect.flatMap((id) => members.remove(visit.member, id)),
          Effect.as(seeOther(`${membersHref}?done=removed`)),
          Effect.catchTags({
            NotFound: () => Effect.succeed(seeOther(`${membersHref}?done=gone`)),
            Conflict: ({ reason }) =>
              Effect.map(find(visit), (entry) => page(removeMemberPage(visit.member, entry, reason), { status: 409 })),
          }),
        ),
      ),
    )
  }),
)
