/** Settings → Integrations → API keys. */
import { Clock, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import { fieldErrors, type Notice } from "../../platform/http/FormControls.ts"
import { FormIdempotency, type FormKind } from "../../platform/http/FormIdempotency.ts"
import { type Form, linesOf, named, numberOf, readForm, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Ids } from "../../platform/NewIds.ts"
import { ApiKeyId, FormId, parseId, requireId } from "../../values/Ids.ts"
import type { FieldError } from "../../values/Problem.ts"
import { sectionHref } from "../pages/WorkspacePage.ts"
import { makeSettings, type WorkspaceRequest } from "../Workspace.ts"
import { type ApiKey, keyShownFor } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import {
  deleteKeyPage,
  keyAlreadyCreatedPage,
  keyCreatedPage,
  keyHref,
  keyListPage,
  keyPage,
  keysHref,
  labels,
  newKeyPage,
} from "./pages/ApiKeyPage.ts"

const notices: Readonly<Record<string, string>> = {
  created: "The key was created and works now.",
  saved: "Your changes were saved. They apply to the next request.",
  activated: "The key is active again.",
  deactivated: "The key was deactivated. Requests with it are rejected.",
  deleted: "The key was deleted. Requests with it are rejected.",
  gone: "This key was already deleted.",
}

const CreatedKey = Schema.Struct({ name: Schema.String, value: Schema.String })

/** After a double click, the value is still shown. */
const creation: FormKind<typeof CreatedKey.Type> = {
  name: "api_key.create",
  answer: CreatedKey,
  kept: keyShownFor,
}

/** An empty list of scopes would be a key that may do everything. */
const noAccess: FieldError = {
  pointer: "#/scopes",
  code: "required",
  message: "must be selected: at least one, or everything",
}

const pastDay: FieldError = { pointer: "#/expires_at", code: "past", message: "has already begun: choose a later day" }

const fieldsOf = (form: Form) => {
  const isUnrestricted = valueOf(form, "access") === "all"
  const chosen = form.flatMap(([field, value]) => (field === "scopes" ? [value] : [])).slice(0, 10)
  const name = typed(form, "name")
  const description = linesOf(typed(form, "description"))
  return {
    key: { name, description, scopes: isUnrestricted ? [] : chosen },
    errors: isUnrestricted || chosen.length > 0 ? [] : [noAccess],
    shown: { name, description, isUnrestricted, scopes: chosen },
  }
}

const formOf = ({ description, name, scopes, status }: ApiKey) => ({
  name: name ?? "",
  description: description ?? "",
  isUnrestricted: scopes.length === 0,
  scopes,
  status,
  errors: {},
})

const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
  const text = named(notices, query("done"))
  return text === undefined ? undefined : { text }
}

const idOf = ({ param }: WorkspaceRequest) => requireId(ApiKeyId, param("id"), "API key")

const toKey = ({ param }: WorkspaceRequest) => keyHref(param("id"))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const apiKeys = yield* ApiKeys
    const { apiUrl } = yield* Config
    const formIdempotency = yield* FormIdempotency
    const ids = yield* Ids

    const keyOf = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* apiKeys.show(request.member, yield* idOf(request))
    })

    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const keys = yield* apiKeys.list(request.member)
      const now = yield* DateTime.nowAsDate
      return page(keyListPage(request.member, keys, numberOf(request.query("page")), now, noticeOf(request)))
    })

    const showCreation = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      const id = yield* ids.make(ApiKeyId)
      const scopes = ["invite_candidates", "create_set"]
      const form = { name: "", description: "", isUnrestricted: false, scopes, expires: "", errors: {} }
      return page(newKeyPage(member, id, form))
    })

    const create = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const id = parseId(ApiKeyId, valueOf(form, "id") ?? "")
      if (id === undefined) return seeOther(`${keysHref}/new`)
      const fields = fieldsOf(form)
      const expires = typed(form, "expires_at").trim()
      const refuse = (errors: ReadonlyArray<FieldError>) =>
        page(newKeyPage(member, id, { ...fields.shown, expires, errors: fieldErrors(errors, labels) }), { status: 422 })
      const isPast = Date.parse(expires) <= (yield* Clock.currentTimeMillis)
      const refused = [...fields.errors, ...(isPast ? [pastDay] : [])]
      if (refused.length > 0) return refuse(refused)
      const newKey = { ...fields.key, expires_at: expires === "" ? null : expires }
      const created = Effect.map(apiKeys.create(member, newKey, id), ({ value }) => ({
        name: newKey.name.trim() || "this key",
        value: Redacted.value(value),
      }))
      const alreadyCreated = page(keyAlreadyCreatedPage(member, id), { status: 409 })
      return yield* formIdempotency.once(member, FormId.make(id), creation, created).pipe(
        Effect.andThen(formIdempotency.find(member, id, creation)),
        Effect.map((sent) =>
          sent?._tag === "Answered" ? page(keyCreatedPage(member, { ...sent.answer, apiUrl })) : alreadyCreated,
        ),
        Effect.catchTag("Invalid", ({ errors }) =>
          Effect.succeed(errors.some(({ code }) => code === "already_made") ? alreadyCreated : refuse(errors)),
        ),
      )
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const key = yield* keyOf(request)
      const now = yield* DateTime.nowAsDate
      return page(keyPage(request.member, { key, form: formOf(key), now, notice: noticeOf(request) }))
    })

    const save = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const key = yield* keyOf(request)
      const form = yield* readForm(request.http)
      const fields = fieldsOf(form)
      const status = typed(form, "status")
      const now = yield* DateTime.nowAsDate
      const refuse = (errors: ReadonlyArray<FieldError>) => {
        const refused = { ...fields.shown, status, errors: fieldErrors(errors, labels) }
        return page(keyPage(member, { key, form: refused, now, notice: undefined }), { status: 422 })
      }
      if (fields.errors.length > 0) return refuse(fields.errors)
      return yield* apiKeys.update(member, key.id, { ...fields.key, status }).pipe(
        Effect.as(seeOther(`${keyHref(key.id)}?done=saved`)),
        Effect.catchTag("Invalid", ({ errors }) => Effect.succeed(refuse(errors))),
      )
    })

    const setStatus = Effect.fnUntraced(function* (request: WorkspaceRequest, status: ApiKey["status"]) {
      const id = yield* idOf(request)
      yield* Effect.catchTag(apiKeys.update(request.member, id, { status }), "Invalid", Effect.die)
      return id
    })

    const activate = (request: WorkspaceRequest) =>
      Effect.map(setStatus(request, "active"), (id) => seeOther(`${keyHref(id)}?done=activated`))

    const deactivate = (request: WorkspaceRequest) =>
      Effect.map(setStatus(request, "inactive"), (id) => seeOther(`${keyHref(id)}?done=deactivated`))

    const showDeletion = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(deleteKeyPage(request.member, yield* keyOf(request), yield* DateTime.nowAsDate))
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* apiKeys.remove(request.member, yield* idOf(request)).pipe(
        Effect.as(seeOther(`${keysHref}?done=deleted`)),
        Effect.catchTag("NotFound", () => Effect.succeed(seeOther(`${keysHref}?done=gone`))),
      )
    })

    const one = `${keysHref}/:id` as const
    for (const path of ["/settings", "/settings/integrations"] as const) {
      yield* get(path, ({ query }) => Effect.succeed(seeOther(sectionHref(query("section")))))
    }
    yield* get(keysHref, list)
    yield* get(`${keysHref}/new`, showCreation)
    yield* post(keysHref, create)
    yield* get(one, show)
    yield* post(one, save)
    yield* action(`${one}/activate`, activate, toKey)
    yield* action(`${one}/deactivate`, deactivate, toKey)
    yield* get(`${one}/delete`, showDeletion)
    yield* post(`${one}/delete`, remove)
  }),
)
