/** Sample data of `npm start` and `npm run demo`: an organization, an API key, an interview set, a webhook endpoint. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiKeys } from "../accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { memberEmail } from "../dev/pages/HomePage.ts"
import { InterviewSetRepository as InterviewSetRows } from "../interview-sets/InterviewSetRepository.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { backendEngineer } from "../interview-sets/SetTemplates.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"
import { EndpointSecrets } from "../webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../webhooks/endpoints/Endpoints.ts"
import { CommandFailed } from "./Environment.ts"

export const interviewSet = backendEngineer.set

export interface StartData {
  readonly organizationId: OrganizationId
  readonly apiKey: Redacted.Redacted
  readonly interviewSetId: InterviewSetId
  readonly webhookSecret: Redacted.Redacted
  readonly member: { readonly email: string; readonly password: Redacted.Redacted }
}

const organizationName = "Demo organization"
const endpointName = "Receiver on this machine"
/** In DATA_DIR with mode 0600: the database stores only hashes. */
const DemoSecrets = Schema.fromJsonString(Schema.Struct({ api_key: Schema.String, password: Schema.String }))

const isLive = Schema.is(Schema.Struct({ status: Schema.Literal("live") }))

/**
 * True: the process at `url` has the database with this API key. Another installation may listen there: the address is stored
 * before the port is opened.
 */
const isServed = (url: string, apiKey: Redacted.Redacted) =>
  Effect.tryPromise(async (signal) => {
    // only this product gets the key
    const live = await fetch(new URL("/health/live", url), { signal })
    if (!isLive(await live.json())) return false
    const headers = { "X-API-Key": Redacted.value(apiKey) }
    const own = await fetch(new URL("/company/integration/me/v1", url), { headers, signal })
    await own.body?.cancel()
    return own.status !== 401
  }).pipe(
    Effect.timeout("1 second"),
    Effect.orElseSucceed(() => false),
  )

/** Creates missing records. Fails with CommandFailed if another process serves this data. */
export const seed = Effect.fn("StartData.seed")(function* (dataDir: string, receiverUrl: string) {
  const endpoints = yield* Endpoints
  const endpointSecrets = yield* EndpointSecrets
  const keys = yield* ApiKeys
  const organizations = yield* Organizations
  const random = yield* SecureRandom.SecureRandom
  const sets = yield* InterviewSets
  const setRows = yield* InterviewSetRows

  const organizationId =
    (yield* organizations.findByName(organizationName)) ?? (yield* organizations.create(organizationName))
  const viewer = operator(organizationId)

  const file = join(dataDir, "demo.json")
  const stored = yield* Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(DemoSecrets)),
    Effect.option,
  )
  const password = Option.isSome(stored)
    ? stored.value.password
    : Buffer.from(yield* random.randomBytes(12)).toString("base64url")
  if (!(yield* organizations.hasMember(memberEmail))) {
    const member = { email: memberEmail, password: Redacted.make(password), role: "owner" as const }
    yield* organizations.addMember(organizationId, member)
  } else if (Option.isNone(stored)) {
    yield* organizations.setPassword(organizationId, memberEmail, Redacted.make(password))
  }
  const storedKey = Option.map(stored, ({ api_key }) => Redacted.make(api_key))
  const isValid = Option.isSome(storedKey) && Option.isSome(yield* Effect.option(keys.authenticate(storedKey.value)))
  const apiKey =
    isValid && Option.isSome(storedKey) ? storedKey.value : (yield* keys.create(viewer, { name: "Demo key" })).value
  const secrets = JSON.stringify({ api_key: Redacted.value(apiKey), password })
  yield* Effect.tryPromise({
    try: () => writeFile(file, `${secrets}\n`, { mode: 0o600 }),
    catch: (error) => new CommandFailed({ message: `DATA_DIR: cannot write ${file}: ${String(error)}` }),
  })

  const interviewSetId =
    (yield* setRows.findByTitle(organizationId, interviewSet.title)) ?? (yield* sets.create(viewer, interviewSet)).id

  const endpoint = yield* endpoints.findByName(viewer, endpointName)
  if (endpoint !== undefined && endpoint.url !== receiverUrl && (yield* isServed(endpoint.url, apiKey))) {
    const { origin } = new URL(endpoint.url)
    return yield* new CommandFailed({
      message: `another process serves this data at ${origin}: stop it, or set DATA_DIR to another directory`,
    })
  }
  if (endpoint !== undefined && endpoint.url !== receiverUrl) {
    yield* endpoints.update(viewer, endpoint.id, { url: receiverUrl })
  }
  const endpointId = endpoint?.id ?? (yield* endpoints.create(viewer, { name: endpointName, url: receiverUrl })).id
  const webhookSecret = yield* endpointSecrets.read(viewer, endpointId)
  const member = { email: memberEmail, password: Redacted.make(password) }
  return { organizationId, apiKey, interviewSetId, webhookSecret, member } satisfies StartData
})
