/** Routes of Settings → Integrations → Hiring systems. */
import { Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { keyShownFor } from "../accounts/api-keys/ApiKey.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Config } from "../config/Config.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { FormIdempotency, type FormKind } from "../platform/http/FormIdempotency.ts"
import { type Form, named, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { ConnectionId, FormId, parseId, requireId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { callAddresses } from "./CallAddress.ts"
import type { Connection, ConnectionStatus, ExchangeLine } from "./Connection.ts"
import type { CredentialField } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { HiringSystem, systemNames } from "./HiringSystem.ts"
import { HiringSystemConnections } from "./HiringSystemConnections.ts"
import {
  chooseSystemPage,
  connectedPage,
  connectionHref,
  connectionListPage,
  connectionPage,
  connectionsHref,
  connectPage,
  credentialName,
  credentialsPage,
  labelsOf,
  removeConnectionPage,
  replaceKeyPage,
} from "./pages/HiringSystemPage.ts"

const notices: Readonly<Record<string, string>> = {
  repeated: "This form was sent before. If you did not save the key that it showed, replace the key.",
  paused: "The connection was paused. Calls are refused, and reports wait.",
  resumed: "The connection was resumed. Calls are accepted again, and waiting and failed reports are being sent.",
  saved: "The credentials were saved.",
  granted: "The access was granted. Interview sets and waiting reports are being sent.",
  sent: "Failed reports are being sent again.",
  removed: "The connection was removed.",
  gone: "This connection was already removed.",
}

const grantHref = `${connectionsHref}/access` as const

const readSystem = Schema.decodeUnknownOption(HiringSystem)

// Forms that are sent twice

const Issued = Schema.Struct({ id: ConnectionId })
const ShownKey = Schema.Struct({ key: Schema.NullOr(Schema.String) })

const issuedBy = (name: string): FormKind<typeof Issued.Type> => ({
  name: `ats_connection.${name}`,
  answer: Issued,
  kept: Duration.days(1),
})

/** A form that is sent twice, for example by a double click, still shows the key. */
const shownBy = (name: string): FormKind<typeof ShownKey.Type> => ({
  name: `ats_connection.${name} key`,
  answer: ShownKey,
  kept: keyShownFor,
})

/** One form id stores one answer. The key is stored under a second id, because it is deleted earlier. */
const keyFormOf = (form: FormId): FormId =>
  FormId.make(`${form.slice(0, -1)}${(Number.parseInt(form.slice(-1), 16) ^ 1).toString(16)}`)

interface WithKey {
  readonly connection: Connection
  readonly key: Redacted.Redacted | undefined
}

// Connect

const typedCredentials = (form: Form, fields: ReadonlyArray<CredentialField>): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ name }) => [name, typed(form, credentialName(name))]))

const errorsOf = (system: HiringSystem, errors: ReadonlyArray<FieldError>) =>
  fieldErrors(
    errors.map((error) => ({ ...error, pointer: error.pointer.replace("#/credentials/", `#/${credentialName("")}`) })),
    labelsOf(system),
  )

// One connection

const idOf = ({ param }: WorkspaceRequest) => requireId(ConnectionId, param("id"), "connection")

/** The result of the newest test, which the exchanges include. */
const testNotice = (system: HiringSystem, exchanges: ReadonlyArray<ExchangeLine>): Notice | undefined => {
  const result = exchanges.find(({ operation }) => operation === "test")
  if (result === undefined) return undefined
  return result.error === null
    ? { text: `${systemNames[system]} accepted the credentials.` }
    : { text: `The test failed: ${result.error}.`, isError: true }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const { apiUrl, appUrl } = yield* Config
    const redirect = `${appUrl}${grantHref}`
    const formIdempotency = yield* FormIdempotency
    const hiringSystemConnections = yield* HiringSystemConnections
    const ids = yield* Ids

    const fieldsOf = ({ system }: Connection) => hiringSystemConnections.fields(system)

    /** Runs `work` once per form. If the form is sent again after more than 30 seconds, the key is not shown. */
    const issueOnce = Effect.fnUntraced(function* <E, R>(
      { member }: WorkspaceRequest,
      form: FormId,
      name: string,
      work: Effect.Effect<WithKey, E, R>,
    ) {
      const issue = Effect.gen(function* () {
        const { connection, key } = yield* work
        const shown = { key: key === undefined ? null : Redacted.value(key) }
        yield* formIdempotency.once(member, keyFormOf(form), shownBy(name), Effect.succeed(shown))
        return { id: connection.id }
      })
      yield* formIdempotency.once(member, form, issuedBy(name), issue)
      const issued = yield* formIdempotency.find(member, form, issuedBy(name))
      if (issued?._tag !== "Answered") return seeOther(connectionsHref)
      const { id } = issued.answer
      const shown = yield* formIdempotency.find(member, keyFormOf(form), shownBy(name))
      if (shown?._tag !== "Answered") return seeOther(`${connectionHref(id)}?done=repeated`)
      const { connection } = yield* hiringSystemConnections.show(member, id)
      const key = shown.answer.key ?? undefined
      const view = {
        connection,
        key,
        fields: fieldsOf(connection),
        redirect,
        addresses: callAddresses(connection, apiUrl),
      }
      return page(connectedPage(member, view))
    })

    const list = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const connections = yield* hiringSystemConnections.list(member)
      const text = named(notices, query("done"))
      return page(connectionListPage(member, connections, text === undefined ? undefined : { text }))
    })

    const showConnect = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const system = Option.getOrUndefined(readSystem(query("system")))
      if (system === undefined) return page(chooseSystemPage(member))
      const fields = hiringSystemConnections.fields(system)
      const form = { fields, system, name: systemNames[system], typed: {}, errors: {} }
      return page(connectPage(member, { ...form, id: yield* ids.make(FormId) }))
    })

    const connect = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const form = yield* readForm(request.http)
      const id = parseId(FormId, valueOf(form, "id") ?? "")
      const system = Option.getOrUndefined(readSystem(valueOf(form, "system")))
      if (id === undefined || system === undefined) return seeOther(`${connectionsHref}/new`)
      const name = typed(form, "name").trim()
      const fields = hiringSystemConnections.fields(system)
      const credentials = typedCredentials(form, fields)
      const created = hiringSystemConnections.create(member, { system, name, credentials })
      return yield* issueOnce(request, id, "create", created).pipe(
        Effect.catchTag("Invalid", ({ errors }) => {
          const shown = { id, fields, system, name, typed: credentials, errors: errorsOf(system, errors) }
          return Effect.succeed(page(connectPage(member, shown), { status: 422 }))
        }),
      )
    })

    const find = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* hiringSystemConnections.show(request.member, yield* idOf(request))
    })

    const render = Effect.fnUntraced(function* (request: WorkspaceRequest, notice: Notice | undefined, status = 200) {
      const { connection, exchanges } = yield* find(request)
      const view = {
        connection,
        exchanges,
        fields: fieldsOf(connection),
        redirect,
        addresses: callAddresses(connection, apiUrl),
        notice,
      }
      return page(connectionPage(request.member, view), { status })
    })

    const renderConflict = (request: WorkspaceRequest, reason: string) =>
      render(request, { text: `Nothing was done: ${reason}.`, isError: true }, 409)

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const done = request.query("done")
      if (done === "tested") {
        const { connection, exchanges } = yield* find(request)
        return yield* render(request, testNotice(connection.system, exchanges))
      }
      const text = named(notices, done)
      return yield* render(request, text === undefined ? undefined : { text })
    })

    const test = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      return yield* hiringSystemConnections.test(request.member, id).pipe(
        Effect.as(seeOther(`${connectionHref(id)}?done=tested`)),
        Effect.catchTag("Conflict", ({ reason }) => renderConflict(request, reason)),
      )
    })

    // a GET, because `form-action 'self'` forbids a form that leads to the vendor
    const grant = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      return yield* hiringSystemConnections.beginGrant(request.member, id, request.token, redirect).pipe(
        Effect.map(seeOther),
        Effect.catchTag("Conflict", ({ reason }) =>
          render(request, { text: `The access was not granted: ${reason}.`, isError: true }),
        ),
      )
    })

    const granted = Effect.fnUntraced(function* ({ member, query, token }: WorkspaceRequest) {
      const answer = { state: query("state"), code: query("code"), error: query("error") }
      return yield* hiringSystemConnections.endGrant(member, answer, token, redirect).pipe(
        Effect.map(({ id }) => seeOther(`${connectionHref(id)}?done=granted`)),
        Effect.catchTag("Conflict", ({ reason }) =>
          Effect.map(hiringSystemConnections.list(member), (connections) => {
            const text = `The access was not granted: ${reason}.`
            return page(connectionListPage(member, connections, { text, isError: true }))
          }),
        ),
      )
    })

    const setStatus = Effect.fnUntraced(function* (request: WorkspaceRequest, status: ConnectionStatus) {
      const id = yield* idOf(request)
      yield* hiringSystemConnections.setStatus(request.member, id, status)
      return seeOther(`${connectionHref(id)}?done=${status === "paused" ? "paused" : "resumed"}`)
    })

    const sendFailed = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      return yield* hiringSystemConnections.sendFailed(request.member, id).pipe(
        Effect.as(seeOther(`${connectionHref(id)}?done=sent`)),
        Effect.catchTag("Conflict", ({ reason }) => renderConflict(request, reason)),
      )
    })

    const pause = (request: WorkspaceRequest) => setStatus(request, "paused")

    const resume = (request: WorkspaceRequest) => setStatus(request, "active")

    const showReplaceKey = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { connection } = yield* find(request)
      if (connectors[connection.system].authentication._tag === "Signature")
        return seeOther(connectionHref(connection.id))
      return page(replaceKeyPage(request.member, connection, yield* ids.make(FormId)))
    })

    const replaceKey = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { connection } = yield* find(request)
      const form = parseId(FormId, valueOf(yield* readForm(request.http), "id") ?? "")
      if (form === undefined) return seeOther(`${connectionHref(connection.id)}/key`)
      const rotated = hiringSystemConnections.rotateKey(request.member, connection.id)
      return yield* issueOnce(request, form, `rotate ${connection.id}`, rotated).pipe(
        Effect.catchTag("Conflict", ({ reason }) => renderConflict(request, reason)),
      )
    })

    const showCredentials = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { connection, known } = yield* find(request)
      const fields = fieldsOf(connection)
      if (fields.length === 0) return seeOther(connectionHref(connection.id))
      return page(credentialsPage(request.member, connection, { fields, typed: known, errors: {} }))
    })

    const replaceCredentials = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const { connection } = yield* find(request)
      const { id, system } = connection
      const fields = fieldsOf(connection)
      if (fields.length === 0) return seeOther(connectionHref(id))
      const credentials = typedCredentials(yield* readForm(request.http), fields)
      return yield* hiringSystemConnections.setCredentials(member, id, credentials).pipe(
        Effect.as(seeOther(`${connectionHref(id)}?done=saved`)),
        Effect.catchTag("Invalid", ({ errors }) => {
          const shown = { fields, typed: credentials, errors: errorsOf(system, errors) }
          return Effect.succeed(page(credentialsPage(member, connection, shown), { status: 422 }))
        }),
        Effect.catchTag("Conflict", ({ reason }) => renderConflict(request, reason)),
      )
    })

    const showRemove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(removeConnectionPage(request.member, (yield* find(request)).connection))
    })

    const remove = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* hiringSystemConnections.remove(request.member, yield* idOf(request)).pipe(
        Effect.as(seeOther(`${connectionsHref}?done=removed`)),
        Effect.catchTag("NotFound", () => Effect.succeed(seeOther(`${connectionsHref}?done=gone`))),
      )
    })

    const one = `${connectionsHref}/:id` as const
    const steps = { test, "send-failed": sendFailed, pause, resume }
    yield* get(connectionsHref, list)
    yield* post(connectionsHref, connect)
    yield* get(`${connectionsHref}/new`, showConnect)
    yield* get(grantHref, granted)
    yield* get(one, show)
    yield* get(`${one}/grant`, grant)
    yield* get(`${one}/key`, showReplaceKey)
    yield* post(`${one}/key`, replaceKey)
    yield* get(`${one}/credentials`, showCredentials)
    yield* post(`${one}/credentials`, replaceCredentials)
    yield* get(`${one}/delete`, showRemove)
    yield* post(`${one}/delete`, remove)
    for (const [step, perform] of Object.entries(steps)) {
      yield* action(`${one}/${step}`, perform, ({ param }) => connectionHref(param("id")))
    }
  }),
)
