/** What the commands that set up records share: flags, and how they say what came of it. */
import { NodeCrypto } from "@effect/platform-node"
import { Console, Effect, Layer, Schema, SchemaTransformation } from "effect"
import { Flag } from "effect/cli"
import * as App from "../App.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { rule } from "../values/Fields.ts"
import { OrganizationId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { reserved } from "../webhooks/EventName.ts"
import { eventTypes, subscriptions } from "../webhooks/WebhookEvent.ts"
import { CommandFailed, local } from "./Environment.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))

/** A whole number from `least` to `most`. */
export const whole = (name: string, least: number, most: number) => {
  const isWithin = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
  const within = rule(isWithin, "out_of_range", `must be a whole number from ${least} to ${most}`)
  return Flag.String(name).pipe(
    Flag.withMetavar("integer"),
    Flag.withSchema(
      Schema.String.check(within).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString)),
    ),
  )
}

/** Numbers of organizations are Postgres integers. */
export const organization = whole("organization", 1, 2 ** 31 - 1).pipe(
  Flag.withSchema(OrganizationId),
  Flag.withDescription("The organization's number"),
)

export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** Keys and records; nothing of it needs a secret key. */
export const records = App.administration.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ trial: false })),
)

/** The operator of an organization that exists. */
export const operatorOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  yield* (yield* Organizations).require(organization)
  return operator(organization)
})

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }
const escaped = (char: string) => short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Text of other people on one line: what moves a terminal's cursor, or the direction of writing, is escaped. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped)

/** A value for people. */
const readable = (value: unknown): string => {
  if (value === null) return "-"
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(readable).join(", ")
  return onOneLine(typeof value === "string" ? value : JSON.stringify(value))
}

/** A record for people: one line a field. */
export const lines = (record: Record<string, unknown>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name}: ${readable(value)}`)
    .join("\n")

export const print = (asJson: boolean, record: Record<string, unknown>) =>
  Console.log(asJson ? JSON.stringify(record) : lines(record))

/** Rows under the names of their fields, in columns; of no rows, `none`. */
export const table = (rows: ReadonlyArray<Record<string, unknown>>, none: string): string => {
  const [first] = rows
  if (first === undefined) return none
  const cells = [Object.keys(first), ...rows.map((row) => Object.values(row).map(readable))]
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

/** Flags that are not called as the field they set. */
const flags: Record<string, string> = { events: "event", expires_at: "expires", scopes: "scope" }

const flagOf = (pointer: string): string => {
  const field = pointer.split("/")[1] ?? ""
  return `--${flags[field] ?? field.replaceAll("_", "-")}`
}

/** Everything that can be subscribed to. */
export const eventList = [
  "Events, each with its sub-events:",
  ...eventTypes.flatMap((type) => [
    `  ${type}`,
    ...subscriptions
      .filter((name) => name.startsWith(`${type}.`))
      .map((name) => `    ${name}${name === reserved ? "  (reserved, never sent)" : ""}`),
  ]),
].join("\n")

/** What is wrong with a command, in one line that names the flag; names of events are listed below it. */
export const explain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (error instanceof NotFound) return new CommandFailed({ message: `there is no such ${error.record}` })
    if (error instanceof Conflict) return new CommandFailed({ message: error.reason })
    if (!(error instanceof Invalid)) return error
    const faults = error.errors.map(({ message, pointer }) => `${flagOf(pointer)} ${message}`).join("; ")
    const unknown = error.errors.some(({ code }) => code === "unknown_event")
    return new CommandFailed({ message: unknown ? `${faults}\n${eventList}` : faults })
  })

/** Fails when nothing was found. */
export const known = <A>(record: string, found: A | undefined) =>
  found === undefined ? Effect.fail(new NotFound({ record })) : Effect.succeed(found)
