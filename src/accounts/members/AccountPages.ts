/** A member's own account, under /account. */
import { DateTime, Effect, Layer, Redacted } from "effect"
import { type FieldErrors, fieldErrors } from "../../platform/http/FormControls.ts"
import { named, overloadedErrors, readForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Passkeys } from "../sign-in/Passkeys.ts"
import { SecondFactors } from "../sign-in/SecondFactors.ts"
import { Sessions } from "../sign-in/Sessions.ts"
import { SignInAttempts } from "../sign-in/SignInAttempts.ts"
import { makeWorkspace, sessionCookie, type WorkspaceRequest } from "../Workspace.ts"
import { Members } from "./Members.ts"
import { notificationChoices, notifications, readTime } from "./Notification.ts"
import { OwnAccount } from "./OwnAccount.ts"
import { accountHref, accountPage, labels } from "./pages/AccountPage.ts"

const notices: Readonly<Record<string, string>> = {
  name: "Your name was saved.",
  notifications: "Your choice of emails was saved.",
  password: "Your password was changed. All your other sessions have ended.",
  factor: "The second factor was removed. All your other sessions have ended.",
  passkey: "The passkey was added. You can sign in with it.",
  no_passkey: "The passkey was removed. All your other sessions have ended.",
  ended: "The session has ended.",
  others: "All your other sessions have ended.",
}

const toAccount = () => accountHref

interface Shown {
  readonly name?: string
  readonly passkeyName?: string
  readonly errors?: FieldErrors
}

export const makeShowAccount = Effect.gen(function* () {
  const { page } = yield* makeWorkspace
  const members = yield* Members
  const passkeys = yield* Passkeys
  const secondFactors = yield* SecondFactors
  const sessions = yield* Sessions
  const { passwords } = yield* SignInAttempts

  return Effect.fnUntraced(function* (
    { http, member, query, token }: WorkspaceRequest,
    { errors = {}, name = member.name ?? "", passkeyName }: Shown = {},
    status = 200,
  ) {
    const text = status === 200 ? named(notices, query("done")) : undefined
    const entry = yield* members.show(member, member.id)
    const { has_password, linked_at } = entry
    const view = {
      sessions: yield* sessions.list(member, token),
      password: passwords ? (has_password ? "set" : "none") : "off",
      linked_at,
      notifications: notificationChoices((kind) => entry[kind]),
      secondFactor: yield* secondFactors.status(member),
      passkeys: passwords ? yield* passkeys.list(member) : undefined,
      passkeyName,
      agent: http.headers["user-agent"] ?? null,
      now: yield* DateTime.nowAsDate,
      name,
      errors,
      notice: text === undefined ? undefined : { text },
    } as const
    return page(accountPage(member, view), { status })
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get } = yield* makeWorkspace
    const cookie = yield* sessionCookie
    const members = yield* Members
    const ownAccount = yield* OwnAccount
    const render = yield* makeShowAccount
    const sessions = yield* Sessions

    const show = (request: WorkspaceRequest) => render(request)

    const rename = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const name = typed(yield* readForm(request.http), "name")
      return yield* ownAccount.rename(request.member, name).pipe(
        Effect.as(seeOther(`${accountHref}?done=name`)),
        Effect.catchTag("Invalid", ({ errors }) => render(request, { name, errors: fieldErrors(errors, labels) }, 422)),
      )
    })

    const setNotifications = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const before = yield* members.show(member, member.id)
      // the page has no field for emails that the member's role does not get
      const shown = notifications.filter(({ isFor }) => isFor(member)).map(({ column }) => column)
      yield* ownAccount.setNotifications(
        member,
        notificationChoices((column) =>
          shown.includes(column) ? (readTime(valueOf(form, column)) ?? before[column]) : before[column],
        ),
      )
      return seeOther(`${accountHref}?done=notifications`)
    })

    const changePassword = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const change = {
        current: Redacted.make(valueOf(form, "current") ?? ""),
        password: Redacted.make(valueOf(form, "password") ?? ""),
        userAgent: request.http.headers["user-agent"],
        method: request.method,
      }
      return yield* ownAccount.changePassword(request.member, change).pipe(
        Effect.map(({ token }) => cookie.set(token)(seeOther(`${accountHref}?done=password`))),
        Effect.catchTags({
          Invalid: ({ errors }) => render(request, { errors: fieldErrors(errors, labels) }, 422),
          Overloaded: (limit) =>
            Effect.map(render(request, { errors: overloadedErrors(limit) }, 503), (response) =>
              retryLater(response, limit.retryAfter),
            ),
          SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
          TooManyAttempts: () =>
            render(request, { errors: { current: "Too many attempts. Try again in 15 minutes." } }, 429),
        }),
      )
    })

    const endSession = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      yield* sessions.endOne(member, typed(yield* readForm(http), "session"))
      return seeOther(`${accountHref}?done=ended`)
    })

    const endOtherSessions = Effect.fnUntraced(function* ({ member, token }: WorkspaceRequest) {
      yield* sessions.endOthers(member, token)
      return seeOther(`${accountHref}?done=others`)
    })

    yield* get(accountHref, show)
    yield* action(`${accountHref}/name`, rename, toAccount)
    yield* action(`${accountHref}/notifications`, setNotifications, toAccount)
    yield* action(`${accountHref}/password`, changePassword, toAccount)
    yield* action(`${accountHref}/sessions/end`, endSession, toAccount)
    yield* action(`${accountHref}/sessions/end-others`, endOtherSessions, toAccount)
  }),
)
