/** A member's passkeys, under /account/passkeys. The account page shows them. */
import { Effect, Layer, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { fieldErrors } from "../../platform/http/FormControls.ts"
import { overloadedErrors, readForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { makeShowAccount } from "../members/AccountPages.ts"
import { accountHref, labels } from "../members/pages/AccountPage.ts"
import { makeWorkspace, passkeyCookie, type WorkspaceRequest } from "../Workspace.ts"
import { Passkeys } from "./Passkeys.ts"
import { newPasskeyHref, passkeysHref, removalField } from "./pages/PasskeySection.ts"
import { codeLabels, tooManyCodes } from "./pages/SecondFactorPage.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const cookie = yield* passkeyCookie
    const passkeys = yield* Passkeys
    const show = yield* makeShowAccount
    // without them, members sign in at the provider only, which may end their access
    const { passwords: areUsed } = yield* SignInAttempts

    const toAccount = () => accountHref

    /** What passkey.js shows instead of asking the browser. */
    const refuse = (error: string, status: number) => HttpServerResponse.jsonUnsafe({ error }, { status })

    const begin = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const proof = Redacted.make(valueOf(form, "proof") ?? "")
      return yield* passkeys.begin(member, proof, clientAddress(http)).pipe(
        Effect.map(({ options, state }) => cookie.set(state)(HttpServerResponse.jsonUnsafe(options))),
        Effect.catchTags({
          Invalid: ({ errors }) => Effect.succeed(refuse(fieldErrors(errors, codeLabels)["proof"] ?? "", 422)),
          Overloaded: (limit) => Effect.succeed(retryLater(refuse(overloadedErrors(limit)[""], 503), limit.retryAfter)),
          TooManyAttempts: ({ seconds }) => Effect.succeed(retryLater(refuse(tooManyCodes(seconds), 429), seconds)),
        }),
      )
    })

    const add = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const form = yield* readForm(http)
      const name = typed(form, "passkey_name")
      return yield* passkeys.add(member, cookie.read(http), valueOf(form, "passkey_answer") ?? "", name).pipe(
        Effect.as(seeOther(`${accountHref}?done=passkey`)),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            show(request, { passkeyName: name, errors: { passkey_name: `Not added: ${reason}.` } }, 409),
          Invalid: ({ errors }) => show(request, { passkeyName: name, errors: fieldErrors(errors, labels) }, 422),
        }),
        Effect.map(cookie.clear),
      )
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, token } = request
      const form = yield* readForm(http)
      const passkey = typed(form, "passkey")
      const field = removalField(passkey)
      const proof = Redacted.make(valueOf(form, field) ?? "")
      const refused = (error: string | undefined, status: number) =>
        show(request, { errors: { [field]: error ?? "" } }, status)
      return yield* passkeys.remove(member, passkey, { client: clientAddress(http), proof, token }).pipe(
        Effect.as(seeOther(`${accountHref}?done=no_passkey`)),
        Effect.catchTags({
          Invalid: ({ errors }) => refused(fieldErrors(errors, codeLabels)["proof"], 422),
          Overloaded: (limit) =>
            Effect.map(refused(overloadedErrors(limit)[""], 503), (response) => retryLater(response, limit.retryAfter)),
          TooManyAttempts: ({ seconds }) =>
            Effect.map(refused(tooManyCodes(seconds), 429), (response) => retryLater(response, seconds)),
        }),
      )
    })

    if (areUsed) {
      yield* action(newPasskeyHref, begin, toAccount)
      yield* action(passkeysHref, add, toAccount)
    }
    yield* action(`${passkeysHref}/remove`, remove, toAccount)
  }),
)
