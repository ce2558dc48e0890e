/** Sample data of `npm start` and `npm run demo`: an organization, an API key, an interview set, a webhook endpoint. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiKeys } from "../accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import type { CreateInterviewSet } from "../interview-sets/InterviewSet.ts"
import { InterviewSetRepository as InterviewSetRows } from "../interview-sets/InterviewSetRepository.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import type { InterviewSetId, OrganizationId } from "../values/Ids.ts"
import { EndpointSecrets } from "../webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../webhooks/endpoints/Endpoints.ts"
import { CommandFailed } from "./Environment.ts"

/** Has every kind of question and every weight. */
export const interviewSet: CreateInterviewSet = {
  title: "Backend Engineer",
  position: "Senior Backend Engineer",
  description: "Five short questions about how you work. Answer in your own words.",
  interview_duration: 30,
  cfg_lingual_ids: [1],
  iai_questions: [
    {
      title: "Where are you based?",
      question_mode: "pre_screening",
      question_type: "radio",
      options: [
        { title: "In the European Union" },
        { title: "Elsewhere, and I would relocate" },
        { title: "Elsewhere" },
      ],
    },
    {
      title: "Which of these have you run in production?",
      question_mode: "pre_screening",
      question_type: "checkbox",
      options: [{ title: "PostgreSQL" }, { title: "Kubernetes" }, { title: "RabbitMQ" }, { title: "None of them" }],
    },
    {
      title: "A service you built",
      content: "Tell us about a TypeScript service that you built and ran. What was your part?",
      hint: "What it did, how much load it took, what you decided.",
      question_mode: "interview",
      question_type: "text",
    },
    {
      title: "A database problem",
      content: "Describe a PostgreSQL performance problem that you found and solved.",
      hint: "How did you find it, what did you change, how did you know that it helped?",
      question_mode: "interview",
      question_type: "text",
    },
    {
      title: "Working with others",
      content: "Tell us about a time when you helped a colleague grow.",
      question_mode: "interview",
      question_type: "text",
    },
  ],
  iai_requirements: [
    { title: "TypeScript services in production", cfg_importance_id: 273 },
    { title: "PostgreSQL: query plans and indexes", cfg_importance_id: 273 },
    { title: "Message queues and retries", cfg_importance_id: 272 },
    { title: "Kubernetes deployments", cfg_importance_id: 245 },
    { title: "Mentoring colleagues", cfg_importance_id: 245 },
    { title: "Writes automated tests" },
  ],
}

export interface StartData {
  readonly organizationId: OrganizationId
  readonly apiKey: Redacted.Redacted
  readonly interviewSetId: InterviewSetId
  readonly webhookSecret: Redacted.Redacted
  readonly member: { readonly email: string; readonly password: Redacted.Redacted }
}

const organizationName = "Demo organization"
const endpointName = "Receiver on this machine"
/** Also in HomePage.ts. */
const memberEmail = "demo@example.com"

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
