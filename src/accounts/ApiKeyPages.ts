/**
 * Settings → Integrations → API Keys. GET /settings, /settings/integrations/api-keys, …/new, …/:id, …/:id/delete; POST
 * /settings/integrations/api-keys (makes one, and answers with its value), …/:id, …/:id/deactivate, …/:id/activate,
 * …/:id/delete.
 */
import { Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { type FormKind, FormSubmissions } from "../platform/http/FormSubmissions.ts"
import { type Form, linesOf, named, numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { ApiKeyId, FormId } from "../values/Ids.ts"
import { type FieldError, Invalid, NotFound } from "../values/Problem.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeys, type KeyChange } from "./ApiKeys.ts"
import { deleteKeyPage, keyHref, keyListPage, keyPage, keysHref, labels, newKeyPage } from "./pages/ApiKeyPage.ts"
import { keyKnownPage, keyMadePage } from "./pages/NewKeyPages.ts"
import { fieldErrors, firstSection, type Notice } from "./pages/SettingsParts.ts"
import { makeSettings } from "./SettingsFrame.ts"
import type { WorkspaceRequest } from "./Workspace.ts"

/** What a step says on the page that it leads to. */
const notices: Readonly<Record<string, string>> = {
  created: "The key was created. It works from now on.",
  saved: "What you changed was saved. It counts from the next request on.",
  activated: "The key is active again.",
  deactivated: "The key was deactivated: it opens nothing from now on.",
  deleted: "The key was deleted: whatever presents it is refused.",
  gone: "There is no such key: it was deleted before.",
}

const readId = Schema.decodeOption(ApiKeyId)
const unknown = new NotFound({ record: "API key" })

const MadeKey = Schema.Struct({ name: Schema.String, value: Schema.String })

/**
 * The value is shown once (spec, API key): to whoever sends the form twice with one double click, or has the answer cut
 * off, it is the same showing. Loading the answer later is not.
 */
const creation: FormKind<typeof MadeKey.Type> = {
  name: "api_key.create",
  answer: MadeKey,
  kept: Duration.seconds(30),
}

/** The scopes that a form asks for, and whether it says which at all. */
const scopesOf = (form: Form) => {
  const isUnrestricted = valueOf(form, "access") === "all"
  const chosen = form.flatMap(([name, value]) => (name === "scopes" ? [value] : []))
  return { isUnrestricted, chosen: chosen.slice(0, 10) }
}

const noScope: FieldError = { pointer: "#/scopes", code: "required", message: "is not chosen yet: choose at least one" }

/** What the form says of a key, new or not. */
const commonOf = (form: Form) => {
  const { chosen, isUnrestricted } = scopesOf(form)
  const name = typed(form, "name")
  const description = linesOf(typed(form, "description"))
  return {
    own: !isUnrestricted && chosen.length === 0 ? [noScope] : [],
    key: { name, description, scopes: isUnrestricted ? [] : chosen },
    form: { name, description, isUnrestricted, scopes: chosen },
  }
}

const formOf = ({ description, name, scopes, status }: ApiKey) => ({
  name: name ?? "",
  description: description ?? "",
  isUnrestricted: scopes.length === 0,
  scopes,
  status,
  faults: {},
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { apiUrl } = yield* Config
    const forms = yield* FormSubmissions
    const keys = yield* ApiKeys
    const newId = yield* ids
    const { get, page, post } = yield* makeSettings
    const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

    const noticeOf = ({ query }: WorkspaceRequest): Notice | undefined => {
      const text = named(notices, query("done"))
      return text === undefined ? undefined : { text }
    }
    /** The id of the key that a path names. */
    const idOf = ({ param }: WorkspaceRequest) => Effect.mapError(Effect.fromOption(readId(param("id"))), () => unknown)
    const find = (visit: WorkspaceRequest) =>
      Effect.flatMap(idOf(visit), (id) => keys.show(visit.member.organizationId, id))

    yield* router.add(
      "GET",
      "/settings",
      get(() => Effect.succeed(seeOther(firstSection))),
    )
    yield* router.add(
      "GET",
      "/settings/integrations",
      get(() => Effect.succeed(seeOther(firstSection))),
    )

    yield* router.add(
      "GET",
      keysHref,
      get((visit) =>
        Effect.zipWith(keys.list(visit.member.organizationId), now, (all, now) =>
          page(keyListPage(visit.member, all, numberOf(visit.query("page")), now, noticeOf(visit))),
        ),
      ),
    )

    yield* router.add(
      "GET",
      `${keysHref}/new`,
      get(({ member }) =>
        Effect.map(newId(ApiKeyId), (id) => {
          const scopes = ["invite_candidates", "create_set"]
          const empty = { name: "", description: "", isUnrestricted: false, scopes, expires: "", faults: {} }
          return page(newKeyPage(member, id, empty))
        }),
      ),
    )

    yield* router.add(
      "POST",
      keysHref,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const form = yield* readForm(request)
          const id = Option.getOrUndefined(readId(valueOf(form, "id") ?? ""))
          if (id === undefined) return seeOther(`${keysHref}/new`)
          const { form: shown, key, own } = commonOf(form)
          const expires = typed(form, "expires_at").trim()
          const again = (errors: ReadonlyArray<FieldError>) => {
            const faults = fieldErrors(errors, labels)
            return page(newKeyPage(member, id, { ...shown, expires, faults }), { status: 422 })
          }
          const past: FieldError = {
            pointer: "#/expires_at",
            code: "past",
            message: "has begun already: take a later one",
          }
          const isPast = Date.parse(expires) <= (yield* Clock.currentTimeMillis)
          const mine = [...own, ...(isPast ? [past] : [])]
          if (mine.length > 0) return again(mine)
          const asked = { ...key, expires_at: expires === "" ? null : expires }
          const create = Effect.map(keys.create(member.organizationId, asked, { by: member.id, id }), ({ value }) => ({
            name: key.name.trim() || "this key",
            value: Redacted.value(value),
          }))
          const known = page(keyKnownPage(member, id), { status: 409 })
          return yield* forms.once(member, FormId.make(id), creation, create).pipe(
            Effect.andThen(forms.find(member, id, creation)),
            Effect.map((made) =>
              made?._tag === "Answered" ? page(keyMadePage(member, { ...made.answer, apiUrl })) : known,
            ),
            Effect.catchTag("Invalid", ({ errors }) =>
              Effect.succeed(errors.some(({ code }) => code === "already_made") ? known : again(errors)),
            ),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${keysHref}/:id`,
      get((visit) =>
        Effect.zipWith(find(visit), now, (key, now) =>
          page(keyPage(visit.member, { key, form: formOf(key), now, notice: noticeOf(visit) })),
        ),
      ),
    )

    yield* router.add(
      "POST",
      `${keysHref}/:id`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const before = yield* find(visit)
          const form = yield* readForm(request)
          const { form: shown, key, own } = commonOf(form)
          const status = typed(form, "status")
          const at = yield* now
          const change: Effect.Effect<ApiKey, Invalid | NotFound> =
            own.length > 0
              ? Effect.fail(new Invalid({ errors: own }))
              : keys.update(member.organizationId, before.id, { ...key, status }, member.id)
          return yield* change.pipe(
            Effect.as(seeOther(`${keyHref(before.id)}?done=saved`)),
            Effect.catchTag("Invalid", ({ errors }) => {
              const faults = fieldErrors(errors, labels)
              const view = { key: before, form: { ...shown, status, faults }, now: at, notice: undefined }
              return Effect.succeed(page(keyPage(member, view), { status: 422 }))
            }),
          )
        }),
      ),
    )

    /** Sets the status alone. */
    const set = (step: string, change: KeyChange & { readonly status: ApiKey["status"] }) =>
      router.add(
        "POST",
        `${keysHref}/:id/${step}`,
        post((visit) =>
          Effect.gen(function* () {
            const id = yield* idOf(visit)
            // nothing but the status was sent: it is what it says
            yield* Effect.catchTag(
              keys.update(visit.member.organizationId, id, change, visit.member.id),
              "Invalid",
              Effect.die,
            )
            return seeOther(`${keyHref(id)}?done=${step}d`)
          }),
        ),
      )
    yield* set("activate", { status: "active" })
    yield* set("deactivate", { status: "inactive" })

    yield* router.add(
      "GET",
      `${keysHref}/:id/delete`,
      get((visit) => Effect.zipWith(find(visit), now, (key, now) => page(deleteKeyPage(visit.member, key, now)))),
    )

    yield* router.add(
      "POST",
      `${keysHref}/:id/delete`,
      post((visit) =>
        idOf(visit).pipe(
          Effect.flatMap((id) => keys.remove(visit.member.organizationId, id, visit.member.id)),
          Effect.as(seeOther(`${keysHref}?done=deleted`)),
          Effect.catchTag("NotFound", () => Effect.succeed(seeOther(`${keysHref}?done=gone`))),
        ),
      ),
    )

    // the addresses of the steps show the key, should somebody load them
    for (const step of ["activate", "deactivate"]) {
      yield* router.add(
        "GET",
        `${keysHref}/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(keyHref(param("id"))))),
      )
    }
  }),
)
