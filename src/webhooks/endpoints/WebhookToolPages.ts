/** Routes of a webhook's secret, test and "Check a signature". */
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import type { WorkspaceRequest } from "../../accounts/Workspace.ts"
import { makeSettings } from "../../accounts/Workspace.ts"
import { Config } from "../../config/Config.ts"
import type { FieldErrors } from "../../platform/http/FormControls.ts"
import { FormIdempotency, type FormKind } from "../../platform/http/FormIdempotency.ts"
import { linesOf, readForm, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Ids } from "../../platform/NewIds.ts"
import { durationText } from "../../values/DurationText.ts"
import { EndpointId, FormId, parseId } from "../../values/Ids.ts"
import { isChat } from "../chat/ChatMessage.ts"
import { TestDelivery } from "../deliveries/Delivery.ts"
import { excerpt } from "../deliveries/pages/DeliveryStatus.ts"
import { sampleNames } from "../events/WebhookSample.ts"
import { makeEndpointRequests, noticeOf } from "./EndpointPageRequest.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { Endpoints } from "./Endpoints.ts"
import { secretPage } from "./pages/EndpointFormPage.ts"
import { endpointHref, webhooksHref } from "./pages/EndpointPage.ts"
import { checkPage, testPage } from "./pages/TestPage.ts"
import { SignatureChecks } from "./SignatureChecks.ts"
import { TestDeliveries } from "./TestDeliveries.ts"

// Test

const testOf = (endpoint: EndpointId): FormKind<TestDelivery> => ({
  name: `webhook.test ${endpoint}`,
  answer: TestDelivery,
  kept: Duration.hours(1),
})

const suggested = (events: ReadonlyArray<string>): string =>
  sampleNames.find((name) => events.some((event) => name === event || name.startsWith(`${event}.`))) ?? ""

// Check a signature

/** Longer than any delivery. */
const maxBody = 24_000

const headerOf = (text: string): string => text.trim().replace(/^x-webhook-signature\s*:\s*/i, "")

const toSecret = ({ param }: WorkspaceRequest) => `${endpointHref(param("id"))}/secret`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const { findEndpoint } = yield* makeEndpointRequests

    const config = yield* Config
    const endpoints = yield* Endpoints
    const endpointSecrets = yield* EndpointSecrets
    const formIdempotency = yield* FormIdempotency
    const ids = yield* Ids
    const signatureChecks = yield* SignatureChecks
    const testDeliveries = yield* TestDeliveries

    // Secret

    const showSecret = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const endpoint = yield* findEndpoint(request)
      const secret = Redacted.value(yield* endpointSecrets.read(member, endpoint.id))
      const overlap = durationText(config.webhookSecretOverlap)
      const now = yield* DateTime.nowAsDate
      return page(secretPage(member, endpoint, { secret, now, overlap, notice: noticeOf(request) }))
    })

    const regenerateSecret = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const { id, secret_since } = yield* findEndpoint(request)
      const done = seeOther(`${endpointHref(id)}/secret?done=regenerated`)
      // a form sent twice creates one secret
      if (valueOf(form, "seen") !== secret_since.toISOString()) return done
      const endsOld = valueOf(form, "end") === "yes"
      return yield* endpointSecrets.regenerate(request.member, id, { endsOld }).pipe(
        Effect.as(done),
        Effect.catchTag("Conflict", () => Effect.succeed(seeOther(`${endpointHref(id)}/secret`))),
      )
    })

    const removeOldSecret = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { id } = yield* findEndpoint(request)
      yield* endpointSecrets.removePrevious(request.member, id)
      return seeOther(`${endpointHref(id)}/secret?done=removed`)
    })

    const showTest = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const form = { id: yield* ids.make(FormId), event: suggested(endpoint.events) }
      return page(testPage(request.member, endpoint, form))
    })

    const sendTest = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const endpoint = yield* findEndpoint(request)
      const form = yield* readForm(request.http)
      const event = typed(form, "event")
      const id = parseId(FormId, valueOf(form, "id") ?? "") ?? (yield* ids.make(FormId))
      const test = testDeliveries.send(member, endpoint.id, event)
      return yield* formIdempotency.run(member, id, testOf(endpoint.id), test).pipe(
        Effect.as(seeOther(`${endpointHref(endpoint.id)}/test/${id}#answer`)),
        Effect.catchTag("Invalid", () =>
          Effect.succeed(
            page(testPage(member, endpoint, { id, event, error: "No test was sent: choose an event." }), {
              status: 422,
            }),
          ),
        ),
      )
    })

    const showTestResult = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const endpoint = yield* findEndpoint(request)
      const sent = yield* formIdempotency.find(member, param("form"), testOf(endpoint.id))
      if (sent === undefined) return seeOther(`${endpointHref(endpoint.id)}/test`)
      const event = sent._tag === "Answered" ? sent.answer.event : suggested(endpoint.events)
      return page(testPage(member, endpoint, { id: yield* ids.make(FormId), event, sent }))
    })

    const signed = (member: Member) =>
      Effect.map(endpoints.list(member), (all) => all.filter(({ format }) => !isChat(format)))

    const showCheck = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const all = yield* signed(member)
      const form = { endpoint: query("endpoint") ?? "", header: "", body: "", errors: {} }
      return page(checkPage(member, all, form, undefined))
    })

    const check = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const all = yield* signed(member)
      const header = typed(sent, "header")
      const { isAll, shown: body } = excerpt(linesOf(valueOf(sent, "body") ?? "").toWellFormed(), maxBody)
      const endpoint = typed(sent, "endpoint")
      const errors: FieldErrors = {
        ...(isAll ? {} : { body: "The body is longer than that of any delivery." }),
        ...(body === "" ? { body: "The body is missing." } : {}),
      }
      const form = { endpoint, header: header.slice(0, 1000), body, errors }
      const id = parseId(EndpointId, endpoint)
      if (id === undefined) return seeOther(`${webhooksHref}/check`)
      if (Object.keys(errors).length > 0) return page(checkPage(member, all, form, undefined), { status: 422 })
      const result = yield* signatureChecks.check(member, id, { header: headerOf(header), body })
      return page(checkPage(member, all, form, result))
    })

    const endpoint = `${webhooksHref}/:id` as const
    yield* get(`${endpoint}/secret`, showSecret)
    yield* action(`${endpoint}/secret/regenerate`, regenerateSecret, toSecret)
    yield* action(`${endpoint}/secret/remove-old`, removeOldSecret, toSecret)
    yield* get(`${endpoint}/test`, showTest)
    yield* post(`${endpoint}/test`, sendTest)
    yield* get(`${endpoint}/test/:form`, showTestResult)
    yield* get(`${webhooksHref}/check`, showCheck)
    yield* post(`${webhooksHref}/check`, check)
  }),
)
