/** A member's second factor, at /account/second-factor. */
import { Effect, Layer, Redacted } from "effect"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { type FieldErrors, fieldErrors } from "../../platform/http/FormControls.ts"
import { type Form, overloadedErrors, readForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import type { Invalid, Overloaded } from "../../values/Problem.ts"
import { makeWorkspace, secondFactorHref, sessionCookie, type WorkspaceRequest } from "../Workspace.ts"
import { codeLabels, factorPage, recoveryPage, setUpPage, tooManyCodes } from "./pages/SecondFactorPage.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import type { TooManyAttempts } from "./TooManyAttempts.ts"

const toFactor = () => secondFactorHref

const callerOf = ({ http }: WorkspaceRequest) => ({
  client: clientAddress(http),
  userAgent: http.headers["user-agent"],
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace
    const cookie = yield* sessionCookie
    const secondFactors = yield* SecondFactors
    const { passwords: hasPasswords } = yield* SignInAttempts

    const renderSetUp = Effect.fnUntraced(function* (
      { isLimited, member }: WorkspaceRequest,
      kept: string | undefined,
      errors: FieldErrors,
      status = 200,
    ) {
      const secret = kept === undefined ? undefined : yield* secondFactors.recallPending(member, kept)
      const form =
        secret === undefined || kept === undefined ? yield* secondFactors.begin(member) : { secret, pending: kept }
      return page(
        setUpPage(
          { member, hasPasswords },
          { ...form, isRequired: isLimited, needsPassword: yield* secondFactors.hasPassword(member), errors },
        ),
        { status },
      )
    })

    const render = Effect.fnUntraced(function* (
      request: WorkspaceRequest,
      sent: "codes" | "remove" | undefined,
      errors: FieldErrors,
      status = 200,
    ) {
      const { member } = request
      const current = yield* secondFactors.status(member)
      return current === undefined
        ? yield* renderSetUp(request, undefined, {})
        : page(factorPage({ member, hasPasswords }, { status: current, errors, notice: undefined, sent }), { status })
    })

    const show = (request: WorkspaceRequest) => render(request, undefined, {})

    const proofOf = (form: Form, name: string) => Redacted.make(valueOf(form, name) ?? "")

    const setUp = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, token } = request
      const form = yield* readForm(http)
      const pending = valueOf(form, "pending") ?? ""
      const refuse = (errors: FieldErrors, status: number) => renderSetUp(request, pending, errors, status)
      const proven = { ...callerOf(request), proof: proofOf(form, "proof"), token }
      return yield* secondFactors.setUp(member, pending, typed(form, "code"), proven).pipe(
        Effect.map(({ codes, started }) =>
          cookie.set(started.token)(page(recoveryPage({ member, hasPasswords }, codes))),
        ),
        Effect.catchTags({
          Conflict: () => Effect.succeed(seeOther(secondFactorHref)),
          Invalid: ({ errors }) => refuse(fieldErrors(errors, codeLabels), 422),
          Overloaded: (limit) =>
            Effect.map(refuse(overloadedErrors(limit), 503), (response) => retryLater(response, limit.retryAfter)),
          SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
          TooManyAttempts: ({ seconds }) =>
            Effect.map(refuse({ code: tooManyCodes(seconds) }, 429), (response) => retryLater(response, seconds)),
        }),
      )
    })

    const refused = (request: WorkspaceRequest, sent: "codes" | "remove") => ({
      Invalid: ({ errors }: Invalid) => render(request, sent, fieldErrors(errors, codeLabels), 422),
      Overloaded: (limit: Overloaded) =>
        Effect.map(render(request, sent, { proof: overloadedErrors(limit)[""] }, 503), (response) =>
          retryLater(response, limit.retryAfter),
        ),
      TooManyAttempts: ({ seconds }: TooManyAttempts) =>
        Effect.map(render(request, sent, { proof: tooManyCodes(seconds) }, 429), (response) =>
          retryLater(response, seconds),
        ),
    })

    const replaceCodes = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      if ((yield* secondFactors.status(request.member)) === undefined) return seeOther(secondFactorHref)
      return yield* secondFactors.replaceCodes(request.member, proofOf(form, "proof"), callerOf(request).client).pipe(
        Effect.map((codes) => page(recoveryPage({ member: request.member, hasPasswords }, codes))),
        Effect.catchTags(refused(request, "codes")),
      )
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      if ((yield* secondFactors.status(request.member)) === undefined) return seeOther(secondFactorHref)
      return yield* secondFactors.remove(request.member, proofOf(form, "removal_proof"), callerOf(request)).pipe(
        Effect.map(({ token }) => cookie.set(token)(seeOther("/account?done=factor"))),
        Effect.catchTags({
          ...refused(request, "remove"),
          SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
        }),
      )
    })

    yield* get(secondFactorHref, show)
    yield* post(secondFactorHref, setUp)
    yield* action(`${secondFactorHref}/codes`, replaceCodes, toFactor)
    yield* action(`${secondFactorHref}/remove`, remove, toFactor)
  }),
)
