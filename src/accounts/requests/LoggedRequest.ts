/**
 * A request in the request log (docs/request-log.md), and what of a request is logged: nothing that may name a person. Paths keep
 * ids, queries the values of the parameters below, errors their pointers and codes.
 */
import { Context, Option, Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { text, uuid } from "../../values/Fields.ts"
import { ApiKeyId, type OrganizationId } from "../../values/Ids.ts"
import { likelyField } from "../../values/LikelyField.ts"
import { fieldErrorCodes } from "../../values/Problem.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { warningCodes } from "../../values/Warning.ts"
import { isSimilar, wordsIn } from "../../values/WordSimilarity.ts"

/** Of an organization; the oldest ones beyond it are deleted. */
export const maxKept = 100_000

/**
 * When requests beyond `maxKept` are deleted: at the next step, of an organization with `busy` requests in the time of two steps;
 * of others within `parts` steps. An organization that gets `maxKept` in a week has some steps with more.
 */
export const surplusCheck = { every: 600_000, busy: 100, parts: 144 } as const

/** Of a process, between two writes, and while the database does not answer. About 6 MB. */
export const maxPending = 10_000

/** Milliseconds in which further requests of a key beyond its limit (429) are counted in one entry. */
export const refusalWindow = 60_000

/** Of one problem, and of warnings. */
const maxErrors = 20

/** Characters. */
const maxPath = 300
const maxQuery = 5_000

/** The status of a request whose client disconnected before the response, as nginx has it. */
export const clientGone = 499

/** Of a row. Clients name requests by their `request_id`. */
export const LoggedRequestId = uuid.pipe(Schema.brand("LoggedRequestId"))

/** `failed`: 4xx and 5xx. */
export const StatusFilter = Schema.Literals(["2xx", "4xx", "5xx", "failed"])
export type StatusFilter = typeof StatusFilter.Type

/** An operationId, or the code of a problem. */
export const logWord = text(60)

const LoggedPlace = {
  pointer: Schema.String.annotate({
    description: "Where; a name that the API does not know is `*`, unless it is a misspelt one",
    examples: ["#/candidates/1/email"],
  }),
}

export const LoggedRequest = Schema.Struct({
  request_id: Schema.String.annotate({
    description: "The `X-Request-Id` of its response",
    examples: ["0190b5a2-9d11-7a40-8c55-3f0f6f1c2b7a"],
  }),
  created_at: Timestamp.annotate({ description: "When the request began" }),
  api_key: Schema.Struct({
    id: ApiKeyId,
    name: Schema.NullOr(Schema.String).annotate({ description: "null: it has none, or was deleted" }),
  }),
  method: Schema.String.annotate({ examples: ["POST"] }),
  operation: Schema.String.annotate({
    description: "The operationId of /openapi.json",
    examples: ["inviteCandidates"],
  }),
  path: Schema.String.annotate({
    description: "The path with its ids. What is not an id is replaced by the parameter's name, such as `:id`",
    examples: ["/company/integration/interview/candidate/invite/v1"],
  }),
  query: Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Schema.String))).annotate({
    description:
      "The query parameters; null for values that are not logged, because they may name a person. A misspelt parameter keeps its name; `*`: others that the operation does not know. null: no parameters",
  }),
  status: Schema.Int.annotate({
    description: `The status of the response; ${clientGone}: the client disconnected before it`,
    examples: [422],
  }),
  problem: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotate({
        description: "The `code` of the problem (docs/errors)",
        examples: ["validation_failed"],
      }),
      errors: Schema.Array(
        Schema.Struct({ ...LoggedPlace, code: extensibleEnum(fieldErrorCodes) }).annotate({
          identifier: "LoggedFieldError",
        }),
      ).annotate({ description: `The first ${maxErrors} validation errors` }),
    }).annotate({ identifier: "LoggedProblem" }),
  ).annotate({ description: "The error; null if there was none" }),
  warnings: Schema.Array(
    Schema.Struct({ ...LoggedPlace, code: extensibleEnum(warningCodes) }).annotate({ identifier: "LoggedWarning" }),
  ).annotate({ description: `The first ${maxErrors} warnings of a response to a request with a body` }),
  requests: Schema.Int.annotate({
    description:
      "How many requests the entry is about. More than 1: further requests of the key within a minute that got 429",
    examples: [1],
  }),
  duration_ms: Schema.Int.annotate({ description: "Milliseconds until the response was ready", examples: [12] }),
  idempotency_key: Schema.Boolean.annotate({ description: "The request had an `Idempotency-Key`" }),
  replayed: Schema.Boolean.annotate({
    description: "The response is the stored one of an earlier request with the `Idempotency-Key`",
  }),
  client: Schema.NullOr(Schema.String).annotate({
    description: "The first program of the header User-Agent, with its version",
    examples: ["interview-invitations-sdk/1.0.0"],
  }),
}).annotate({ identifier: "LoggedRequest" })
export type LoggedRequest = typeof LoggedRequest.Type

/** Of a list; undefined: any. `problem`: the code of the problem. */
export interface RequestFilter {
  readonly api_key_id?: ApiKeyId | undefined
  readonly status?: StatusFilter | undefined
  readonly operation?: string | undefined
  readonly problem?: string | undefined
  readonly request_id?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** An error or a warning as the log has it. */
export interface LoggedError {
  readonly pointer: string
  readonly code: string
}

/** A request that ended; `endedAt`, in milliseconds of the monotonic clock, is the end of its `durationMs`. */
export interface EndedRequest {
  readonly organization_id: OrganizationId
  readonly api_key_id: ApiKeyId
  readonly request_id: string
  readonly method: string
  readonly operation: string
  readonly path: string
  readonly query: Readonly<Record<string, string | null>> | null
  readonly status: number
  readonly problem: string | null
  readonly errors: ReadonlyArray<LoggedError> | null
  readonly warnings: ReadonlyArray<LoggedError> | null
  /** More than 1: a count of refused ones (`refusalWindow`), of which this is the last. */
  readonly requests: number
  readonly durationMs: number
  readonly endedAt: number
  readonly has_idempotency_key: boolean
  readonly is_replayed: boolean
  readonly client: string | null
}

/** Not numbers, which may be those of a telephone: all ids of the API are UUIDs. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/
/** What cursors contain in base64url: the list with a hash of its filters, numbers, times and ids. */
const place = /^(?:[a-z.-]+(?:\?[\w-]+)? )?[\w:.-]+(?: [\w:.-]+)*$/

const isCursor = (value: string): boolean =>
  /^[\w-]{1,400}$/.test(value) && place.test(Buffer.from(value, "base64url").toString("latin1"))

const isNumber = (value: string): boolean => /^\d{1,9}$/.test(value)
const isTime = (value: string): boolean => time.test(value)
const isId = (value: string): boolean => id.test(value)

/**
 * Values of these query parameters are logged where they have this form, and of each parameter the words that its schema lists,
 * such as states. Other values, such as those of `email` and `external_id`, may name a person: of those, the name is logged.
 */
const loggedParameters: Readonly<Record<string, (value: string) => boolean>> = {
  api_key_id: isId,
  ats_candidate_id: isId,
  attempt: isNumber,
  candidate_id: isId,
  cursor: isCursor,
  interview_set_id: isId,
  limit: isNumber,
  project_id: isId,
  set_type: isNumber,
  since: isTime,
  stage: isId,
  submission_id: isId,
  tag: isId,
  until: isTime,
  updated_since: isTime,
}

/** What the log needs to know of an operation. */
export interface OperationFacts {
  readonly operation: string
  /** With parameters such as `:id`. */
  readonly path: string
  /** The query parameters, each with the words that its schema lists. */
  readonly parameters: ReadonlyMap<string, ReadonlySet<string>>
  /** All names of fields and parameters. */
  readonly names: ReadonlySet<string>
}

/** The names of fields in a schema, at any depth. */
const addNames = (ast: SchemaAST.AST, names: Set<string>, seen: Set<SchemaAST.AST>): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  switch (ast._tag) {
    case "Objects":
      for (const { name, type } of ast.propertySignatures) {
        names.add(String(name))
        addNames(type, names, seen)
      }
      return
    case "Arrays":
      for (const type of [...ast.elements, ...ast.rest]) addNames(type, names, seen)
      return
    case "Union":
      for (const type of ast.types) addNames(type, names, seen)
      return
    case "Suspend":
      addNames(ast.thunk(), names, seen)
  }
}

const namesOf = (schemas: ReadonlyArray<{ readonly ast: SchemaAST.AST }>): ReadonlySet<string> => {
  const names = new Set<string>()
  const seen = new Set<SchemaAST.AST>()
  for (const { ast } of schemas) addNames(SchemaAST.toType(ast), names, seen)
  return names
}

function* wordsOf(ast: SchemaAST.AST): Generator<string> {
  if (ast._tag === "Literal") yield String(ast.literal)
  if (ast._tag === "Union") for (const type of ast.types) yield* wordsOf(type)
}

const parametersOf = (ast: SchemaAST.AST | undefined): OperationFacts["parameters"] =>
  new Map(
    ast?._tag === "Objects"
      ? ast.propertySignatures.map(({ name, type }) => [String(name), new Set(wordsOf(type))] as const)
      : [],
  )

export const factsOf = ({
  annotations,
  identifier,
  params,
  path,
  payload,
  query,
}: HttpApiEndpoint.Top): OperationFacts => {
  const given = [query, params].filter((schema) => schema !== undefined)
  const bodies = [...payload.values()].flatMap(({ encoding, schemas }) => (encoding._tag === "Stream" ? [] : schemas))
  return {
    operation: Context.getOrUndefined(annotations, OpenApi.Identifier) ?? identifier,
    path,
    parameters: parametersOf(query && SchemaAST.toType(query.ast)),
    names: new Set([...namesOf([...given, ...bodies]), "Idempotency-Key", "Range"]),
  }
}

/** The path with its ids; another value is the parameter's name. */
export const pathOf = (template: string, url: string): string => {
  const query = url.indexOf("?")
  const given = (query < 0 ? url : url.slice(0, query)).split("/")
  return template
    .split("/")
    .map((segment, index) => {
      const value = given[index]
      return segment.startsWith(":") && value !== undefined && id.test(value) ? value : segment
    })
    .join("/")
    .slice(0, maxPath)
}

/** In the place of a name that is not logged. */
export const unknownName = "*"

/** A part of a text that keeps only itself in memory: V8 keeps the whole header or address of a part. */
const copied = (part: string): string => Buffer.from(part).toString()

/** Of a name that the operation does not know: the name if it is a misspelt one, and each of its words similar to a known word. */
const loggedName = (name: string, known: ReadonlyArray<string>): string => {
  const words = known.flatMap(wordsIn)
  const isMisspelt =
    /^[a-z][\w.-]{1,59}$/i.test(name) &&
    likelyField(name, known) !== undefined &&
    wordsIn(name).every((word) => words.some((other) => isSimilar(word, other)))
  return isMisspelt ? name : unknownName
}

/** Also a misspelt form of a word that the schema lists. */
const isLogged = (parameter: string, value: string, words: ReadonlySet<string>): boolean =>
  words.has(value) ||
  loggedParameters[parameter]?.(value) === true ||
  (words.size > 0 && loggedName(value, [...words]) !== unknownName)

/** Null: no parameters. */
export const queryOf = ({ parameters }: OperationFacts, url: string): EndedRequest["query"] => {
  const start = url.indexOf("?")
  if (start < 0) return null
  const logged: Record<string, string | null> = {}
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, start + maxQuery))) {
    const words = parameters.get(name)
    if (words === undefined) logged[copied(loggedName(name, [...parameters.keys()]))] = null
    else logged[name] = isLogged(name, value, words) ? copied(value) : null
  }
  return Object.keys(logged).length === 0 ? null : logged
}

/** Names that the client chose, as keys of `metadata`, become `*`. */
const loggedPointer = (pointer: string, names: ReadonlySet<string>): string =>
  pointer
    .split("/")
    .slice(0, 12)
    .map((part) => (part === "#" || names.has(part) || /^\d{1,6}$/.test(part) ? part : loggedName(part, [...names])))
    .join("/")

const Places = Schema.Array(Schema.Struct({ pointer: Schema.String, code: Schema.String }))

const loggedPlaces = (places: typeof Places.Type, names: ReadonlySet<string>): ReadonlyArray<LoggedError> | null =>
  places.length === 0
    ? null
    : places.slice(0, maxErrors).map(({ code, pointer }) => ({ pointer: loggedPointer(pointer, names), code }))

const Problem = Schema.Struct({ code: Schema.String, errors: Schema.optionalKey(Places) })

const readProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

/** The code and errors of a problem in JSON. */
export const problemOf = ({ names }: OperationFacts, body: string): Pick<EndedRequest, "problem" | "errors"> => {
  const read = readProblem(body)
  if (read._tag === "None") return { problem: null, errors: null }
  const { code, errors = [] } = read.value
  return { problem: code, errors: loggedPlaces(errors, names) }
}

/** At the end of a response, so that the rest of it is not read. In bytes; more are not logged. */
const maxWarnings = 20_000
const warningsKey = Buffer.from(',"warnings":')

const readWarnings = Schema.decodeUnknownOption(Schema.fromJsonString(Places))

/** Of a response in JSON, whose last field they are. */
export const warningsOf = ({ names }: OperationFacts, body: Uint8Array): EndedRequest["warnings"] => {
  const end = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(-maxWarnings)
  const start = end.lastIndexOf(warningsKey)
  if (start < 0) return null
  const read = readWarnings(end.toString("utf8", start + warningsKey.length, end.length - 1))
  return read._tag === "None" ? null : loggedPlaces(read.value, names)
}

const program = /^[A-Za-z][\w.-]{0,39}\/[\w.+-]{1,20}(?![^\s;)])/

/** `python-requests/2.32.3`: programs, unlike comments, name no person. */
export const clientOf = (userAgent: string | undefined): string | null =>
  Option.getOrNull(Option.map(Option.fromNullishOr(program.exec(userAgent ?? "")?.[0]), copied))
