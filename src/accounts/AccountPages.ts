/**
 * A member's own account, for every role. GET /account; POST /account/name, /account/password, /account/sessions/end (one),
 * /account/sessions/end-others.
 */
import { Clock, Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { named, overloadedErrors, readForm, retryLater, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Accounts } from "./Accounts.ts"
import { Members } from "./Members.ts"
import { accountHref, accountPage, labels } from "./pages/AccountPage.ts"
import { fieldErrors } from "./pages/SettingsParts.ts"
import { sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { SignIns } from "./SignIns.ts"
import { makeWorkspace, type WorkspaceRequest } from "./Workspace.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  name: "Your name was saved.",
  password: "Your password was changed. Every other session has ended.",
  ended: "The session has ended.",
  others: "Every other session has ended.",
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const accounts = yield* Accounts
    const cookie = yield* sessionCookie
    const members = yield* Members
    const sessions = yield* Sessions
    const { passwords } = yield* SignIns
    const { get, page, post } = yield* makeWorkspace
    const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

    /** The page, with what was typed and what is wrong with it. */
    const show = Effect.fnUntraced(function* (
      { member, query, token }: WorkspaceRequest,
      told: { readonly name?: string; readonly faults?: Record<string, string> } = {},
      status = 200,
    ) {
      const { faults = {}, name = member.name ?? "" } = told
      const text = status === 200 ? named(notices, query("done")) : undefined
      const notice = text === undefined ? undefined : { text }
      const { has_password, linked_at } = yield* members.show(member, member.id)
      const password = passwords ? (has_password ? "set" : "none") : "off"
      const list = yield* sessions.list(member, token)
      const view = { sessions: list, password, linked_at, now: yield* now, name, faults, notice } as const
      return page(accountPage(member, view), { status })
    })

    yield* router.add(
      "GET",
      accountHref,
      get((visit) => show(visit)),
    )

    yield* router.add(
      "POST",
      `${accountHref}/name`,
      post((visit) =>
        Effect.gen(function* () {
          const name = typed(yield* readForm(visit.request), "name")
          return yield* accounts.rename(visit.member, name).pipe(
            Effect.as(seeOther(`${accountHref}?done=name`)),
            Effect.catchTag("Invalid", ({ errors }) => show(visit, { name, faults: fieldErrors(errors, labels) }, 422)),
          )
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${accountHref}/password`,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const secret = (name: string) => Redacted.make(valueOf(form, name) ?? "")
          const change = {
            current: secret("current"),
            password: secret("password"),
            userAgent: visit.request.headers["user-agent"],
          }
          return yield* accounts.changePassword(visit.member, change).pipe(
            Effect.map(({ token }) => cookie.set(token)(seeOther(`${accountHref}?done=password`))),
            Effect.catchTags({
              Invalid: ({ errors }) => show(visit, { faults: fieldErrors(errors, labels) }, 422),
              Overloaded: (limit) =>
                Effect.map(show(visit, { faults: overloadedErrors(limit) }, 503), (page) =>
                  retryLater(page, limit.retryAfter),
                ),
              SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
              TooManyAttempts: () =>
                show(
                  visit,
                  { faults: { current: "That was tried too often. Try again in a quarter of an hour." } },
                  429,
                ),
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${accountHref}/sessions/end`,
      post((visit) =>
        Effect.gen(function* () {
          yield* sessions.endOne(visit.member, typed(yield* readForm(visit.request), "session"))
          return seeOther(`${accountHref}?done=ended`)
        }),
      ),
    )
    yield* router.add(
      "POST",
      `${accountHref}/sessions/end-others`,
      post(({ member, token }) => Effect.as(sessions.endOthers(member, token), seeOther(`${accountHref}?done=others`))),
    )

    // the addresses of the steps show the page, should somebody load them
    for (const step of ["name", "password", "sessions/end", "sessions/end-others"] as const) {
      yield* router.add(
        "GET",
        `${accountHref}/${step}`,
        get(() => Effect.succeed(seeOther(accountHref))),
      )
    }
  }),
)
