/** `requests`: the log of API requests (docs/request-log.md). */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type LoggedRequest, logWord, StatusFilter } from "../accounts/requests/LoggedRequest.ts"
import { resultOf } from "../accounts/requests/RequestLog.ts"
import { RequestLogRepository } from "../accounts/requests/RequestLogRepository.ts"
import { pageOf, positionOf } from "../values/Cursor.ts"
import { ApiKeyId } from "../values/Ids.ts"
import {
  explain,
  type Input,
  lines,
  print,
  printList,
  recordServices,
  requireFound,
  requireOrganization,
} from "./CommandKit.ts"
import { CommandFailed } from "./Environment.ts"
import * as Flags from "./Flags.ts"

const queryText = ({ query }: LoggedRequest): string =>
  query === null
    ? ""
    : `?${Object.entries(query)
        .map(([name, value]) => (value === null ? name : `${name}=${value}`))
        .join("&")}`

const placeText = ({ code, pointer }: { readonly code: string; readonly pointer: string }) => `${pointer} ${code}`

const rowOf = (request: LoggedRequest) => ({
  began: new Date(request.created_at),
  status: request.status,
  method: request.method,
  path: request.path,
  problem: request.problem?.code ?? null,
  requests: request.requests,
  ms: request.duration_ms,
  key: request.api_key.name ?? request.api_key.id,
  "request id": request.request_id,
})

const requestText = (request: LoggedRequest): string =>
  lines({
    "request id": request.request_id,
    began: new Date(request.created_at),
    milliseconds: request.duration_ms,
    key: request.api_key.id,
    "key's name": request.api_key.name,
    operation: request.operation,
    request: `${request.method} ${request.path}${queryText(request)}`,
    requests: request.requests,
    status: request.status,
    problem: request.problem?.code ?? null,
    errors: request.problem?.errors.map(placeText).join(", ") || null,
    warnings: request.warnings.map(placeText).join(", ") || null,
    "Idempotency-Key": request.idempotency_key ? (request.replayed ? "sent, the response is replayed" : "sent") : null,
    client: request.client,
  })

const listInput = {
  organization: Flags.organization,
  status: Flag.Literals("status", StatusFilter.literals).pipe(
    Flag.withDescription("Show only responses of this class; failed: 4xx and 5xx; default all"),
    Flag.optional,
  ),
  operation: Flags.text("operation", "Show only requests to this operation, by its operationId; default all").pipe(
    Flag.withSchema(logWord),
    Flag.optional,
  ),
  problem: Flags.text("problem", "Show only requests that failed with this code; default all").pipe(
    Flag.withSchema(logWord),
    Flag.optional,
  ),
  key: Flags.text("key", "Show only requests with the API key with this id; default all").pipe(
    Flag.withSchema(ApiKeyId),
    Flag.optional,
  ),
  since: Flags.since.pipe(
    Flag.withDescription(`Show only requests that began since ${Flags.timeFormats}; default all`),
    Flag.optional,
  ),
  until: Flags.moment("until").pipe(
    Flag.withDescription(`Show only requests that began before ${Flags.timeFormats}; default all`),
    Flag.optional,
  ),
  cursor: Flags.text("cursor", "The next page, as the list before it says").pipe(Flag.optional),
  limit: Flags.limit,
  json: Flags.json,
}

const listRequests = Effect.fn("RequestCommand.listRequests")(
  function* ({ json, limit, organization, ...options }: Input<typeof listInput>) {
    const { cursor, key, since, until, ...words } = Flags.given(options)
    const after = cursor === undefined ? undefined : positionOf("requests", cursor)
    if (cursor !== undefined && after === undefined)
      return yield* new CommandFailed({ message: "--cursor is not one that requests list has printed" })
    const filter = { ...words, api_key_id: key, since: since?.toISOString(), until: until?.toISOString() }
    yield* requireOrganization(organization)
    const rows = yield* (yield* RequestLogRepository).list(organization, filter, { limit, after })
    const { next_cursor, results } = pageOf("requests", rows, { limit, after }, resultOf)
    yield* printList(json, { results, rowOf, none: "no requests", next: { flag: "cursor", at: next_cursor } })
  },
  explain,
  Effect.provide(recordServices),
)

const list = Command.make("list", listInput, listRequests).pipe(
  Command.withDescription("List the API requests of an organization, newest first"),
)

const requestId = Argument.String("request-id").pipe(
  Argument.withDescription("The X-Request-Id of the response, shown by requests list"),
)

const show = Command.make(
  "show",
  { organization: Flags.organization, id: requestId, json: Flags.json },
  ({ id, json, organization }) =>
    Effect.gen(function* () {
      yield* requireOrganization(organization)
      const page = { limit: 0, after: undefined }
      const [row] = yield* (yield* RequestLogRepository).list(organization, { request_id: id }, page)
      const request = resultOf(yield* requireFound("request", row))
      yield* json ? print(true, { ...request }) : Console.log(requestText(request))
    }).pipe(explain, Effect.provide(recordServices)),
).pipe(Command.withDescription("Show an API request: its error, warnings, key and program; of several, the newest"))

export const requestCommand = Command.make("requests").pipe(
  Command.withDescription("List and show logged API requests"),
  Command.withSubcommands([list, show]),
)
