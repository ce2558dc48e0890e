/** Signing in and out. GET /sign-in, POST /sign-in, GET /sign-in/continue and /sign-in/callback, POST /sign-out. */
import { Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import { Config } from "../Config.ts"
import type { Answer } from "../port/SignIn.ts"
import { passwordLength } from "../service/Passwords.ts"
import { Sessions } from "../service/Sessions.ts"
import { Setup } from "../service/Setup.ts"
import { type Caller, SignIns } from "../service/SignIns.ts"
import { Assets } from "./Assets.ts"
import { onlyFromOwnPage, pages, seeOther } from "./Html.ts"
import { readForm, valueOf } from "./InterviewForm.ts"
import { signInPage } from "./pages/SignInPage.ts"
import { cookie, sessionCookie } from "./SessionCookie.ts"
import { localPath, queryOf } from "./Workspace.ts"

/** Where somebody goes who signed in and asked for nothing in particular. */
const home = "/submissions"

/** Longer fields are no address and no password that somebody has: a code point is at most two of UTF-16. */
const longestField = 2 * passwordLength.most

/** What the browser keeps while it is elsewhere: what it must bring back, and where it wanted to go. */
const Away = Schema.fromJsonString(Schema.Struct({ kept: Schema.String, next: Schema.String }))

/** The address that attempts are counted by: of IPv6 the network of one customer, who has all of its addresses. */
export const clientOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string => {
  const text = Option.getOrElse(remoteAddress, () => "")
  const parsed = NetAddress.ipFromString(text)
  if (Result.isFailure(parsed)) return text
  const address = NetAddress.toCanonical(parsed.success)
  return NetAddress.isIpv6Address(address)
    ? IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))
    : NetAddress.formatIp(address)
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl, trustedProxies } = yield* Config
    const { href } = yield* Assets
    const away = yield* cookie("sign_in", Duration.minutes(15))
    const device = yield* cookie("device", Duration.days(365))
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const setup = yield* Setup
    const signIns = yield* SignIns
    const page = pages(href)
    const callback = `${appUrl}/sign-in/callback`
    const behindProxies = HttpMiddleware.xForwardedHeaders({
      trustedProxies: trustedProxies.map(({ cidr }) => IpNetwork.fromStringUnsafe(cidr)),
    })

    /** Tries what came back, and goes on; the session that this browser had is over. */
    const finish = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      answer: Answer,
      next: string | undefined,
      isForm: boolean,
    ) {
      const email = Redacted.value(answer.fields).get("email") ?? ""
      const form = { email, next, isForm }
      const caller: Caller = {
        client: clientOf(request),
        userAgent: request.headers["user-agent"],
        device: device.read(request),
      }
      return yield* signIns.signIn(answer, caller).pipe(
        Effect.tap(() => Effect.forEach(Option.toArray(Option.fromUndefinedOr(session.read(request))), sessions.end)),
        Effect.map((started) => device.set(started.device)(session.set(started.token)(seeOther(next ?? home)))),
        Effect.catchTags({
          SignInRefused: () => Effect.succeed(page(signInPage({ ...form, fault: "refused" }), { status: 422 })),
          TooManyAttempts: ({ seconds }) =>
            Effect.succeed(
              HttpServerResponse.setHeader(
                page(signInPage({ ...form, fault: "too_often", seconds }), { status: 429 }),
                "retry-after",
                String(seconds),
              ),
            ),
          SignInUnavailable: ({ reason }) =>
            Effect.as(
              Effect.logWarning("signing in is not possible", reason),
              page(signInPage({ ...form, fault: "unavailable" }), { status: 503 }),
            ),
        }),
      )
    })

    yield* router.add("GET", "/sign-in", (request) =>
      Effect.gen(function* () {
        const next = localPath(queryOf(request).get("next") ?? undefined)
        const token = session.read(request)
        if (token !== undefined && (yield* sessions.find(token)) !== undefined) return seeOther(next ?? home)
        if (yield* setup.isOpen) return seeOther("/setup")
        const isForm = yield* signIns.begin(callback).pipe(
          Effect.map(({ _tag }) => _tag === "Form"),
          Effect.catchTag("SignInUnavailable", () => Effect.succeed(false)),
        )
        return page(signInPage({ email: "", next, isForm }))
      }),
    )

    yield* router.add(
      "POST",
      "/sign-in",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const form = yield* readForm(request)
        const fields = new Map(["email", "password"].map((name) => [name, valueOf(form, name) ?? ""]))
        const isLong = [...fields.values()].some(({ length }) => length > longestField)
        const next = localPath(valueOf(form, "next"))
        if (isLong) return page(signInPage({ email: "", next, isForm: true, fault: "refused" }), { status: 422 })
        return yield* finish(request, { fields: Redacted.make(fields), kept: undefined }, next, true)
      }).pipe(
        Effect.catchTag("FormTooLarge", () =>
          Effect.succeed(
            page(signInPage({ email: "", next: undefined, isForm: true, fault: "refused" }), { status: 413 }),
          ),
        ),
        onlyFromOwnPage(appUrl),
        behindProxies,
      ),
    )

    yield* router.add("GET", "/sign-in/continue", (request) =>
      Effect.gen(function* () {
        const next = localPath(queryOf(request).get("next") ?? undefined)
        const begun = yield* signIns.begin(callback)
        if (begun._tag === "Form") return seeOther("/sign-in")
        const kept = Redacted.make(JSON.stringify({ kept: Redacted.value(begun.kept), next: next ?? home }))
        return away.set(kept)(seeOther(begun.url))
      }).pipe(
        Effect.catchTag("SignInUnavailable", ({ reason }) =>
          Effect.as(
            Effect.logWarning("signing in is not possible", reason),
            page(signInPage({ email: "", next: undefined, isForm: false, fault: "unavailable" }), { status: 503 }),
          ),
        ),
      ),
    )

    yield* router.add(
      "GET",
      "/sign-in/callback",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const brought = away.read(request)
        const memory = Option.flatMap(Option.fromUndefinedOr(brought), (text) =>
          Schema.decodeUnknownOption(Away)(Redacted.value(text)),
        )
        const kept = Option.map(memory, ({ kept }) => Redacted.make(kept))
        const next = localPath(Option.getOrUndefined(memory)?.next)
        const answer = { fields: Redacted.make(new Map(queryOf(request))), kept: Option.getOrUndefined(kept) }
        return away.clear(yield* finish(request, answer, next, false))
      }).pipe(behindProxies),
    )

    yield* router.add(
      "POST",
      "/sign-out",
      Effect.gen(function* () {
        const token = session.read(yield* HttpServerRequest.HttpServerRequest)
        if (token !== undefined) yield* sessions.end(token)
        return session.clear(seeOther("/sign-in"))
      }).pipe(onlyFromOwnPage(appUrl)),
    )
    // the address of the step, should somebody load it
    yield* router.add("GET", "/sign-out", Effect.succeed(seeOther("/sign-in")))
  }),
)
