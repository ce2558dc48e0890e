/**
 * The frame of the workspace's pages: each is asked by a member who is signed in, or leads to the sign-in page and back.
 * A page is made with `get`, a step with `post`; both are given the member, and answer a record that is not there, or not
 * for this member, with a page.
 */
import { Effect, type Redacted } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import type { FormTooLarge } from "../platform/http/Forms.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { type NotAllowed, NotFound } from "../values/Problem.ts"
import type { Member } from "./Member.ts"
import { notAllowedPage, tooMuchPage, unknownRecordPage } from "./pages/WorkspaceNotices.ts"
import { sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"

/** A request of a member. */
export interface WorkspaceRequest {
  readonly member: Member
  /** Of the session. */
  readonly token: Redacted.Redacted
  readonly request: HttpServerRequest.HttpServerRequest
  /** The part of the path with this name; empty where the route has none. */
  readonly param: (name: string) => string
  /** A parameter of the query. */
  readonly query: (name: string) => string | undefined
}

type Response = HttpServerResponse.HttpServerResponse
type Handler = (
  visit: WorkspaceRequest,
) => Effect.Effect<Response, NotFound | NotAllowed | FormTooLarge | HttpServerError.HttpServerError>

/** The form of ids, numbers and words in routes. A parameter with another form names no record. */
const parameterForm = /^[\w-]{1,64}$/

const base = "http://workspace"

/**
 * A path of this service, or undefined: whatever a browser would read as another host is none. Browsers take a backslash
 * for a slash, and leave out tabs and line breaks.
 */
export const localPath = (text: string | undefined): string | undefined => {
  if (text === undefined || text.length > 2000 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith("//") && !url.pathname.startsWith("/sign-")
    ? `${url.pathname}${url.search}`
    : undefined
}

/** The parameters of a request's query. */
export const queryOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "")

/** Where somebody goes on who has to sign in first: the page that was asked, or the one that held the form. */
const wayBack = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const asked = request.method === "GET" || request.method === "HEAD" ? request.url : request.headers["referer"]
  if (asked === undefined || !URL.canParse(asked, base)) return undefined
  const { pathname, search } = new URL(asked, base)
  return localPath(`${pathname}${search}`)
}

/** Gives the makers of pages and steps. */
export const makeWorkspace = Effect.gen(function* () {
  const { appUrl } = yield* Config
  const { href } = yield* Assets
  const cookie = yield* sessionCookie
  const sessions = yield* Sessions
  const page = pages(href)

  const get = (handler: Handler) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const params = yield* HttpRouter.params
      const token = cookie.read(request)
      const member = token === undefined ? undefined : yield* sessions.find(token)
      if (token === undefined || member === undefined) {
        const next = wayBack(request)
        return seeOther(next === undefined ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`)
      }
      const query = queryOf(request)
      const isWellFormed = Object.values(params).every((value = "") => parameterForm.test(value))
      const answer = isWellFormed
        ? handler({
            member,
            token,
            request,
            param: (name) => params[name] ?? "",
            query: (name) => query.get(name) ?? undefined,
          })
        : Effect.fail(new NotFound({ record: "record" }))
      return yield* answer.pipe(
        Effect.catchTags({
          NotFound: ({ record }) => Effect.succeed(page(unknownRecordPage(member, record), { status: 404 })),
          NotAllowed: ({ record }) => Effect.succeed(page(notAllowedPage(member, record), { status: 403 })),
          FormTooLarge: () => Effect.succeed(page(tooMuchPage(member), { status: 413 })),
        }),
      )
    })

  return { page, get, post: (handler: Handler) => get(handler).pipe(onlyFromOwnPage(appUrl)) }
})
