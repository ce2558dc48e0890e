/**
 * Trying webhooks out, and their secrets. GET and POST /settings/webhooks/check, …/:id/test; GET …/:id/test/:form (what came
 * of a test), …/:id/secret, POST …/:id/secret/regenerate and …/:id/secret/remove-old.
 */
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeSettings } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import type { FieldErrors } from "../platform/http/FormControls.ts"
import { type FormKind, FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { formIds, linesOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { durationText } from "../values/DurationText.ts"
import { EndpointId, FormId } from "../values/Ids.ts"
import { makeVisited, noticeOf } from "./EndpointRequest.ts"
import { Endpoints } from "./Endpoints.ts"
import { excerpt } from "./pages/DeliveryParts.ts"
import { endpointHref, webhooksHref } from "./pages/EndpointParts.ts"
import { secretPage } from "./pages/EndpointStepPages.ts"
import { checkPage, testPage } from "./pages/TestPages.ts"
import { SignatureChecks } from "./SignatureChecks.ts"
import { TestDeliveries, TestDelivery } from "./TestDeliveries.ts"
import { sampleNames } from "./WebhookSample.ts"

/** Bytes that a pasted body takes on the page: no delivery is nearly as long. */
const mostBody = 24_000

const readId = Schema.decodeOption(EndpointId)

/** What came of a test can be looked at for a while. */
const testOf = (endpoint: EndpointId): FormKind<TestDelivery> => ({
  name: `webhook.test ${endpoint}`,
  answer: TestDelivery,
  kept: Duration.hours(1),
})

/** What a test of this endpoint sends unless another one is chosen. */
const suggested = (events: ReadonlyArray<string>): string =>
  sampleNames.find((name) => events.some((event) => name === event || name.startsWith(`${event}.`))) ?? ""

/** A header is pasted with its name as often as without. */
const headerOf = (text: string): string => text.trim().replace(/^x-webhook-signature\s*:\s*/i, "")

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { webhookSecretOverlap } = yield* Config
    const checks = yield* SignatureChecks
    const endpoints = yield* Endpoints
    const formIdOf = yield* formIds
    const forms = yield* FormSubmissions
    const newId = yield* ids
    const tests = yield* TestDeliveries
    const { get, page, post } = yield* makeSettings
    const { find, now } = yield* makeVisited

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/secret`,
      get((visit) =>
        Effect.gen(function* () {
          const endpoint = yield* find(visit)
          const secret = Redacted.value(yield* endpoints.secret(visit.member.organizationId, endpoint.id))
          const overlap = durationText(webhookSecretOverlap)
          const view = { secret, now: yield* now, overlap, notice: noticeOf(visit) }
          return page(secretPage(visit.member, endpoint, view))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/secret/regenerate`,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const { id, secret_since } = yield* find(visit)
          const done = seeOther(`${endpointHref(id)}/secret?done=regenerated`)
          // sent twice: what was asked for is done
          if (valueOf(form, "seen") !== secret_since.toISOString()) return done
          return yield* endpoints.regenerateSecret(visit.member.organizationId, id, visit.member.id).pipe(
            Effect.as(done),
            Effect.catchTag("Conflict", () => Effect.succeed(seeOther(`${endpointHref(id)}/secret`))),
          )
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/secret/remove-old`,
      post((visit) =>
        Effect.gen(function* () {
          const { id } = yield* find(visit)
          yield* endpoints.removePreviousSecret(visit.member.organizationId, id, visit.member.id)
          return seeOther(`${endpointHref(id)}/secret?done=removed`)
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/test`,
      get((visit) =>
        Effect.gen(function* () {
          const endpoint = yield* find(visit)
          const form = { id: yield* newId(FormId), event: suggested(endpoint.events) }
          return page(testPage(visit.member, endpoint, form))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/test`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const endpoint = yield* find(visit)
          const form = yield* readForm(request)
          const event = typed(form, "event")
          const id = yield* formIdOf(form)
          const test = tests.send(member.organizationId, endpoint.id, event)
          return yield* forms.run(member, id, testOf(endpoint.id), test).pipe(
            Effect.as(seeOther(`${endpointHref(endpoint.id)}/test/${id}#answer`)),
            Effect.catchTag("Invalid", () =>
              Effect.succeed(
                page(testPage(member, endpoint, { id, event, fault: "Nothing was sent: choose an event." }), {
                  status: 422,
                }),
              ),
            ),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/test/:form`,
      get((visit) =>
        Effect.gen(function* () {
          const endpoint = yield* find(visit)
          const sent = yield* forms.find(visit.member, visit.param("form"), testOf(endpoint.id))
          if (sent === undefined) return seeOther(`${endpointHref(endpoint.id)}/test`)
          const event = sent._tag === "Answered" ? sent.answer.event : suggested(endpoint.events)
          const form = { id: yield* newId(FormId), event, sent }
          return page(testPage(visit.member, endpoint, form))
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/check`,
      get(({ member, query }) =>
        Effect.map(endpoints.list(member.organizationId), (all) => {
          const form = { endpoint: query("endpoint") ?? "", header: "", body: "", faults: {} }
          return page(checkPage(member, all, form, undefined))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/check`,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const sent = yield* readForm(request)
          const all = yield* endpoints.list(member.organizationId)
          const header = typed(sent, "header")
          const { isAll, shown: body } = excerpt(linesOf(valueOf(sent, "body") ?? "").toWellFormed(), mostBody)
          const endpoint = typed(sent, "endpoint")
          const faults: FieldErrors = {
            ...(isAll ? {} : { body: "The body is longer than that of any delivery." }),
            ...(body === "" ? { body: "The body is missing." } : {}),
          }
          const form = { endpoint, header: header.slice(0, 1000), body, faults }
          const id = Option.getOrUndefined(readId(endpoint))
          if (id === undefined) return seeOther(`${webhooksHref}/check`)
          if (Object.keys(faults).length > 0) return page(checkPage(member, all, form, undefined), { status: 422 })
          const check = yield* checks.check(member.organizationId, id, { header: headerOf(header), body })
          return page(checkPage(member, all, form, check))
        }),
      ),
    )

    // the addresses of the steps show the secret, should somebody load them
    for (const step of ["regenerate", "remove-old"]) {
      yield* router.add(
        "GET",
        `${webhooksHref}/:id/secret/${step}`,
        get(({ param }) => Effect.succeed(seeOther(`${endpointHref(param("id"))}/secret`))),
      )
    }
  }),
)
