/** Shared by the commands: flags, services, output and error messages. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Clock, Console, Duration, Effect, Layer, Option, Schema, SchemaTransformation } from "effect"
import { Argument, CliError, type Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { rule } from "../values/Fields.ts"
import { EndpointId, OrganizationId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { Moment } from "../values/Timestamp.ts"
import { EndpointRepository } from "../webhooks/endpoints/EndpointRepository.ts"
import { reserved } from "../webhooks/events/UnknownEvent.ts"
import { eventTypes, subscriptions } from "../webhooks/events/WebhookEvent.ts"
import { CommandFailed, local } from "./Environment.ts"

export type Input<Config extends Command.Command.Config> = Command.Command.Config.Infer<Config>

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object instead of text; default off"),
  Flag.withDefault(false),
)

export const integer = (name: string, min: number, max: number) => {
  const isWithin = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max
  const within = rule(isWithin, "out_of_range", `must be a whole number from ${min} to ${max}`)
  return Flag.String(name).pipe(
    Flag.withMetavar("integer"),
    Flag.withSchema(
      Schema.String.check(within).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString)),
    ),
  )
}

export const organization = integer("organization", 1, 2 ** 31 - 1).pipe(
  Flag.withSchema(OrganizationId),
  Flag.withDescription("The organization's number, printed by organization create"),
)

export const limit = integer("limit", 1, 1000).pipe(
  Flag.withDescription("Maximum number of results, 1 to 1000; default 50"),
  Flag.withDefault(50),
)

export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** Services of commands that need no SECRET_KEY. */
export const recordServices = App.administration.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ isDev: false })),
)

export const operatorOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  yield* (yield* Organizations).require(organization)
  return operator(organization)
})

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }
const escaped = (char: string) => short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Escapes control characters and text direction marks, which could manipulate the terminal. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped)

const display = (value: unknown): string => {
  if (value === null) return "-"
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(display).join(", ")
  return onOneLine(typeof value === "string" ? value : JSON.stringify(value))
}

export const lines = (record: Record<string, unknown>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}: ${display(value)}`)
    .join("\n")

export const print = (asJson: boolean, record: Record<string, unknown>) =>
  Console.log(asJson ? JSON.stringify(record) : lines(record))

export const table = (rows: ReadonlyArray<Record<string, unknown>>, none: string): string => {
  const [first] = rows
  if (first === undefined) return none
  const cells = [Object.keys(first), ...rows.map((row) => Object.values(row).map(display))]
  const widths = Object.keys(first).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** Flags named differently from their field. */
const flags: Record<string, string> = { events: "event", expires_at: "expires", scopes: "scope" }

const flagOf = (pointer: string): string => {
  const [, field = "", inner] = pointer.split("/")
  const flag = `--${flags[field] ?? field.replaceAll("_", "-")}`
  return inner === undefined || /^\d+$/.test(inner) ? flag : `${flag} (${inner})`
}

export const eventList = [
  "Events and their sub-events:",
  ...eventTypes.flatMap((type) => [
    `  ${type}`,
    ...subscriptions
      .filter((name) => name.startsWith(`${type}.`))
      .map((name) => `    ${name}${name === reserved ? "  (reserved, never sent)" : ""}`),
  ]),
].join("\n")

/** Names the flags in errors; lists all events after an unknown one. */
export const explain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (error instanceof NotFound) return new CommandFailed({ message: `there is no such ${error.record}` })
    if (error instanceof Conflict) return new CommandFailed({ message: error.reason })
    if (!(error instanceof Invalid)) return error
    const errors = error.errors.map(({ message, pointer }) => `${flagOf(pointer)} ${message}`).join("; ")
    const unknown = error.errors.some(({ code }) => code === "unknown_event")
    return new CommandFailed({ message: unknown ? `${errors}\n${eventList}` : errors })
  })

export const requireFound = <A>(record: string, found: A | undefined) =>
  found === undefined ? Effect.fail(new NotFound({ record })) : Effect.succeed(found)

/** Needs SECRET_KEY: endpoint secrets are encrypted. */
export const webhookServices = Layer.merge(App.administration, App.webhooks).pipe(
  Layer.provideMerge(App.secretServices),
  Layer.provideMerge(App.webhookTransport),
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

export const endpointId = Argument.String("id").pipe(
  Argument.withDescription("The webhook endpoint's id, shown by webhook list"),
  Argument.withSchema(EndpointId),
)

export const ofEndpoint = <A, E, R>(id: EndpointId, step: (organization: OrganizationId) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const organization = yield* requireFound("webhook endpoint", yield* (yield* EndpointRepository).organizationOf(id))
    return yield* step(organization)
  })

const units = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks" } as const
const ago = /^(\d{1,9}) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?)(?: ago)?$/
const expected =
  "must be a date or a time with its zone, such as 2030-01-31 or 2030-01-31T18:00:00Z, or an age, such as 2h or 1 day"

const unitOf = (text: string) => Object.entries(units).find(([letter]) => text.startsWith(letter))?.[1]

/** Parses a moment, or an age such as "2h" before `now` (Unix ms). Undefined if malformed. Never before 1970. */
export const sinceOf = (text: string, now: number): Date | undefined => {
  const [, count, unit] = ago.exec(text.trim()) ?? []
  const name = unit === undefined ? undefined : unitOf(unit)
  const at =
    name === undefined
      ? Option.map(Schema.decodeOption(Moment)(text.trim()), (moment) => moment.getTime())
      : Option.map(Duration.fromInput(`${Number(count)} ${name}`), (past) => now - Duration.toMillis(past))
  return Option.isSome(at) ? new Date(Math.max(0, at.value)) : undefined
}

export const since = Flag.String("since").pipe(
  Flag.withMetavar("moment"),
  Flag.mapEffect((text) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const at = sinceOf(text, now)
      const wrong = { option: "since", value: text, expected: `Schema validation failed: ${expected}`, kind: "flag" }
      return at === undefined ? Effect.fail(new CliError.InvalidValue({ ...wrong, kind: "flag" })) : Effect.succeed(at)
    }),
  ),
)

export const timeFormats = "a date, time or age (2030-01-31, 2030-01-31T18:00:00Z, 2h, 1 day)"
