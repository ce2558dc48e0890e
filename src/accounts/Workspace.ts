/** Requests for workspace pages: cookies, sign-in, settings, unknown addresses. */
import { Duration, Effect, Redacted } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import type { UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { Database } from "../platform/database/Database.ts"
import { Assets } from "../platform/http/Assets.ts"
import { type Document, modeParameter, testMode } from "../platform/http/Document.ts"
import type { FormTooLarge } from "../platform/http/Forms.ts"
import { html } from "../platform/http/Html.ts"
import { onlyFromOwnPage, type PageOptions, pages, seeOther, wantsPage } from "../platform/http/Pages.ts"
import { type NotAllowed, NotFound } from "../values/Problem.ts"
import type { Member } from "./members/Member.ts"
import { type Action, actionOfPage, may } from "./Permissions.ts"
import {
  firstPlace,
  formOfOtherModePage,
  formTooLargePage,
  notAllowedPage,
  type OnlyLive,
  onlyLivePage,
  otherModePage,
  ownersOnlyPage,
  refusedRolePage,
  testModeHref,
  trialStrip,
  unknownRecordPage,
  unreadableSecretPage,
} from "./pages/WorkspacePage.ts"
import { maxPasskeyTime } from "./sign-in/Passkey.ts"
import { unknownPathPage } from "./sign-in/pages/SignInPage.ts"
import { maxCodeTime } from "./sign-in/SecondFactors.ts"
import type { SignInMethod } from "./sign-in/SessionRepository.ts"
import { lifetime, Sessions } from "./sign-in/Sessions.ts"
import { TrialPlaces } from "./TrialPlaces.ts"

/** Shows the scores of submissions that the member has not reviewed. */
export const showScoresHref = "/account/show-scores"

/** Members who need a second factor and have none can open only this page. */
export const secondFactorHref = "/account/second-factor"

const staysInside = (name: string) => `Test mode has no ${name}, so that nothing of a test reaches other people.`

/**
 * In test mode, these show a page that says why: members are those of the organization, and nothing of a test space reaches
 * hiring systems or channels.
 */
const onlyLive: ReadonlyArray<OnlyLive & { readonly prefix: string }> = [
  {
    prefix: "/settings/members",
    name: "Members",
    section: "Members",
    why: "Your organization has the same members in both modes. They are added and changed in live mode.",
  },
  {
    prefix: "/settings/integrations/hiring-systems",
    name: "Hiring systems",
    section: "Hiring systems",
    why: staysInside("connections to hiring systems"),
  },
  {
    prefix: "/settings/webhooks/channels",
    name: "Slack and Teams",
    section: "Webhooks",
    why: staysInside("channels of Slack or Teams"),
  },
]

const onlyLivePart = (path: string) => onlyLive.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))

/** Of the account, which is the member's in both modes. */
const isOfAccount = (path: string): boolean => /^\/account(\/|$)/.test(path) && path !== showScoresHref

/** Forms that mean the same in both modes: of the account, the switches, and previews, which store nothing. */
const isOfBothModes = (path: string): boolean =>
  isOfAccount(path) ||
  path.startsWith("/i/preview/") ||
  path === `${testModeHref}/enter` ||
  path === `${testModeHref}/leave`

/** The form is of a page in one mode, but its session is in the other, where it would change other records. */
const isOfOtherMode = (path: string, { method }: Request, query: URLSearchParams, isTest: boolean): boolean =>
  method === "POST" && (query.get(modeParameter) === testMode) !== isTest && !isOfBothModes(path)

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * __Host- keeps other hosts of the domain from setting the cookie, and needs https (RFC 6265bis, 4.1.3.2). With
 * SameSite=Lax, links from emails work.
 */
export const makeCookie = (name: string, maxAge: Duration.Duration) =>
  Effect.map(Config, ({ appUrl }) => {
    const secure = new URL(appUrl).protocol === "https:"
    const fullName = secure ? `__Host-${name}` : name
    const options = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const
    return {
      read: ({ cookies }: Request): Redacted.Redacted | undefined => {
        const value = cookies[fullName]
        return value === undefined ? undefined : Redacted.make(value)
      },
      set:
        (value: Redacted.Redacted) =>
        (response: Response): Response =>
          HttpServerResponse.setCookieUnsafe(response, fullName, Redacted.value(value), { ...options, maxAge }),
      clear: (response: Response): Response =>
        HttpServerResponse.setCookieUnsafe(response, fullName, "", { ...options, maxAge: Duration.zero }),
    }
  })

export const sessionCookie = makeCookie("session", lifetime.max)

/** The state of a sign-in that waits for a code. */
export const codeCookie = makeCookie("code", maxCodeTime)

/** The challenge for a passkey. */
export const passkeyCookie = makeCookie("passkey", maxPasskeyTime)

export const codeHref = "/sign-in/code"

export const makeEndSession = Effect.gen(function* () {
  const cookie = yield* sessionCookie
  const sessions = yield* Sessions
  return (request: Request) => {
    const token = cookie.read(request)
    return token === undefined ? Effect.void : sessions.end(token)
  }
})

export interface WorkspaceRequest {
  readonly member: Member
  readonly token: Redacted.Redacted
  /** How the member signed in. */
  readonly method: SignInMethod
  /** To the page of the second factor, which the organization requires. */
  readonly isLimited: boolean
  readonly http: Request
  readonly param: (name: string) => string
  readonly query: (name: string) => string | undefined
}

type WorkspaceError = NotFound | NotAllowed | FormTooLarge | HttpServerError.HttpServerError
type Handler<E = WorkspaceError> = (request: WorkspaceRequest) => Effect.Effect<Response, E>

const parameterFormat = /^[\w-]{1,64}$/

const base = "http://workspace"

/** Undefined if it could name another host: browsers read a backslash as a slash, and skip tabs and line breaks. */
export const localPath = (text: string | undefined): string | undefined => {
  if (text === undefined || text.length > 2000 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith("//") && !url.pathname.startsWith("/sign-")
    ? `${url.pathname}${url.search}`
    : undefined
}

export const queryOf = ({ url }: Request): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/** The page to open after signing in. */
const returnPath = (request: Request): string | undefined => {
  const isPage = request.method === "GET" || request.method === "HEAD"
  const url = isPage ? request.url : request.headers["referer"]
  if (url === undefined || !URL.canParse(url, base)) return undefined
  const { pathname, search } = new URL(url, base)
  return localPath(`${pathname}${search}`)
}

const inTrial = (document: Document, places: TrialPlaces): Document =>
  document.isTest === true
    ? document
    : {
        ...document,
        strip: document.strip === undefined ? trialStrip(places) : html`${document.strip} ${trialStrip(places)}`,
      }

export const renderer = Effect.gen(function* () {
  const { href } = yield* Assets
  const trial = yield* TrialPlaces
  const page = pages(href)
  return (document: Document, options?: PageOptions): Response =>
    page(trial !== undefined && document.isFramed ? inTrial(document, trial) : document, options)
})
type RenderPage = Effect.Success<typeof renderer>

/** Not a file or a redirect. */
const isShownPage = ({ headers, status }: Response): boolean =>
  status === 200 && (headers["content-type"] ?? "").startsWith("text/html")

const isWellFormed = (params: Readonly<Record<string, string | undefined>>) =>
  Object.values(params).every((value = "") => parameterFormat.test(value))

type Path = HttpRouter.PathInput
type Added = Effect.Effect<void, never, HttpRouter.Request<"Error", HttpServerError.HttpServerError>>
type Add<E> = (method: "GET" | "POST", path: Path, handler: Handler<E>) => Added

const registration = <E>(page: RenderPage, add: Add<E>) => {
  const get = (path: Path, handler: Handler<E>) => add("GET", path, handler)
  const post = (path: Path, handler: Handler<E>) => add("POST", path, handler)
  /** A form without a page of its own: a GET, which a reload or a sign-in can send, goes to `pageOf`. */
  const action = (path: Path, handler: Handler<E>, pageOf: (request: WorkspaceRequest) => string) =>
    Effect.andThen(
      get(path, (request) => Effect.succeed(seeOther(pageOf(request)))),
      post(path, handler),
    )
  return { page, get, post, action }
}

/** Adds pages and forms for signed-in members to the router. */
export const makeWorkspace = Effect.gen(function* () {
  const { appUrl } = yield* Config
  const page = yield* renderer
  const router = yield* HttpRouter.HttpRouter
  const session = yield* sessionCookie
  const sessions = yield* Sessions
  const { transaction } = yield* Database

  /**
   * Whether the page shows its record to the member in the other mode. It is made there and rolled back, so that each page decides
   * by its own rules, and a page that notes its reader notes nothing.
   */
  const isInOtherMode = Effect.fnUntraced(function* (
    action: Action,
    path: Path,
    handler: Handler,
    request: WorkspaceRequest,
  ) {
    if (request.http.method !== "GET" || !may(request.member, "enterTestMode")) return false
    const member = yield* sessions.inOtherMode(request.member)
    if (member === undefined || !may(member, action) || (member.isTest === true && onlyLivePart(path) !== undefined))
      return false
    const shown = yield* handler({ ...request, member }).pipe(
      Effect.flatMap((response) => Effect.fail(isShownPage(response))),
      transaction,
      Effect.flip,
    )
    return shown === true
  })

  const answer = Effect.fnUntraced(function* (action: Action, path: Path, handler: Handler) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const params = yield* HttpRouter.params
    const token = session.read(request)
    const found = token === undefined ? undefined : yield* sessions.find(token, isOfAccount(path))
    if (token === undefined || found === undefined) {
      const next = returnPath(request)
      return seeOther(next === undefined ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`)
    }
    const { lacksSecondFactor, method, ...member } = found
    if (lacksSecondFactor && !path.startsWith(secondFactorHref)) return seeOther(secondFactorHref)
    const query = queryOf(request)
    const asked: WorkspaceRequest = {
      member,
      token,
      method,
      isLimited: lacksSecondFactor,
      http: request,
      param: (name) => params[name] ?? "",
      query: (name) => query.get(name) ?? undefined,
    }
    const here = localPath(request.url) ?? firstPlace
    const respond = () => {
      if (!isWellFormed(params)) return Effect.fail(new NotFound({ record: "record" }))
      if (!may(member, action)) return Effect.succeed(page(refusedRolePage(member, action), { status: 403 }))
      if (isOfOtherMode(path, request, query, member.isTest)) {
        return Effect.succeed(page(formOfOtherModePage(member), { status: 409 }))
      }
      const part = member.isTest ? onlyLivePart(path) : undefined
      if (part !== undefined) {
        const next = request.method === "GET" ? here : part.prefix
        return Effect.succeed(page(onlyLivePage(member, part, next), { status: 403 }))
      }
      return handler(asked)
    }
    const missing = Effect.fnUntraced(function* ({ record }: NotFound) {
      const isThere = isWellFormed(params) && (yield* isInOtherMode(action, path, handler, asked))
      return page(isThere ? otherModePage(member, record, here) : unknownRecordPage(member, record, path), {
        status: 404,
      })
    })
    return yield* respond().pipe(
      Effect.catchTags({
        NotFound: missing,
        NotAllowed: ({ record }) => Effect.succeed(page(notAllowedPage(member, record), { status: 403 })),
        FormTooLarge: () => Effect.succeed(page(formTooLargePage(member), { status: 413 })),
      }),
    )
  })

  return registration<WorkspaceError>(page, (method, path, handler) => {
    const action = actionOfPage(method, path)
    if (action === undefined) return Effect.die(`Permissions.ts has no action for ${method} ${path}`)
    const answered = answer(action, path, handler)
    return router.add(method, path, method === "GET" ? answered : onlyFromOwnPage(appUrl)(answered))
  })
})

type SettingsError = WorkspaceError | UnreadableSecret

const answersSettings = (page: RenderPage, handler: Handler<SettingsError>) => (request: WorkspaceRequest) =>
  Effect.catchTags(handler(request), {
    NotAllowed: () => Effect.succeed(page(ownersOnlyPage(request.member), { status: 403 })),
    UnreadableSecret: ({ message }) =>
      Effect.as(Effect.logWarning(message), page(unreadableSecretPage(request.member), { status: 503 })),
  })

/** Adds pages and forms of settings, whose errors have pages of their own. */
export const makeSettings = Effect.map(makeWorkspace, ({ get, page, post }) =>
  registration<SettingsError>(page, (method, path, handler) =>
    (method === "GET" ? get : post)(path, answersSettings(page, handler)),
  ),
)

/** "/*" would also match "/". */
export const unknownPath = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const page = (yield* renderer)(unknownPathPage, { status: 404 })
    yield* router.add("GET", "*", (request) =>
      Effect.succeed(wantsPage(request) ? page : HttpServerResponse.empty({ status: 404 })),
    )
  }),
)
