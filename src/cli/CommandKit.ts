/** Shared by the commands: services, output and error messages. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Console, Effect, Layer } from "effect"
import { Argument, type Command } from "effect/cli"
import * as App from "../App.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { operator } from "../accounts/Viewer.ts"
import { Config } from "../config/Config.ts"
import { EndpointId, type OrganizationId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { EndpointRepository } from "../webhooks/endpoints/EndpointRepository.ts"
import { reserved } from "../webhooks/events/UnknownEvent.ts"
import { eventTypes, subscriptions } from "../webhooks/events/WebhookEvent.ts"
import { CommandFailed, local } from "./Environment.ts"

export type Input<Config extends Command.Command.Config> = Command.Command.Config.Infer<Config>

/** Services of commands that need no SECRET_KEY. */
export const recordServices = App.administration.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ isDev: false })),
)

/** Fails if there is no such organization. */
export const requireOrganization = (organization: OrganizationId) =>
  Effect.flatMap(Organizations, ({ require }) => require(organization))

export const operatorOf = (organization: OrganizationId) =>
  Effect.as(requireOrganization(organization), operator(organization))

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }
const escaped = (char: string) => short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Escapes control characters and text direction marks, which could manipulate the terminal. */
export const onOneLine = (value: string): string => value.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped)

const display = (value: unknown): string => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "-"
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

/** For the output of a command that replaces a list: what it took away, and what it added. */
export const difference = (name: string, before: ReadonlyArray<string>, after: ReadonlyArray<string>) => ({
  [`${name}_removed`]: before.filter((item) => !after.includes(item)),
  [`${name}_added`]: after.filter((item) => !before.includes(item)),
})

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

/** A page of a list, or a whole one. */
export interface List<Row> {
  readonly results: ReadonlyArray<Row>
  readonly rowOf: (row: Row) => Record<string, unknown>
  /** Printed in place of an empty table. */
  readonly none: string
  /** The flag of the next page, with its value; null: this is the last one. */
  readonly next?: { readonly flag: "after" | "before" | "cursor"; readonly at: string | null }
}

export const listText = <Row>({ next, none, results, rowOf }: List<Row>): string =>
  table(results.map(rowOf), none) + (next === undefined || next.at === null ? "" : `\nmore: --${next.flag} ${next.at}`)

export const printList = <Row>(asJson: boolean, list: List<Row>) => {
  const { next, results } = list
  if (!asJson) return Console.log(listText(list))
  return print(true, { results, ...(next && { [`next_${next.flag}`]: next.at }) })
}

/** Of `limit + 1` rows, those of the page, and the place of its last row if another page follows. */
export const cutPage = <Row>(found: ReadonlyArray<Row>, limit: number, placeOf: (row: Row) => string) => {
  const results = found.slice(0, limit)
  const last = results.at(-1)
  return { results, at: found.length > limit && last !== undefined ? placeOf(last) : null }
}

/** Flags named differently from their field. */
const flagNames: Record<string, string> = { events: "event", expires_at: "expires", scopes: "scope" }

const flagOf = (pointer: string): string => {
  const [, field = "", inner] = pointer.split("/")
  // it has no flag: see TypedPassword.ts
  if (field === "password") return "the password"
  const flag = `--${flagNames[field] ?? field.replaceAll("_", "-")}`
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

const stored = App.repositories.pipe(
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(Config.layer),
  Layer.provideMerge(local({ isDev: false })),
)

/** Needs SECRET_KEY: what these commands read or write is encrypted. */
export const secretAdministration = App.administration.pipe(
  Layer.provideMerge(App.secretServices),
  Layer.provideMerge(stored),
)

/** Also runs when SECRET_KEY lacks a key that encrypted some of it. */
export const uncheckedAdministration = App.administration.pipe(
  Layer.provideMerge(App.uncheckedSecretBox),
  Layer.provideMerge(stored),
)

/** Needs SECRET_KEY: endpoint secrets are encrypted. */
export const webhookServices = App.webhooks.pipe(
  Layer.provideMerge(App.webhookTransport),
  Layer.provideMerge(secretAdministration),
)

export const endpointId = Argument.String("id").pipe(
  Argument.withDescription("The webhook endpoint's id, shown by webhook list"),
  Argument.withSchema(EndpointId),
)

export const operatorOfEndpoint = Effect.fnUntraced(function* (id: EndpointId) {
  const repository = yield* EndpointRepository
  return operator(yield* requireFound("webhook endpoint", yield* repository.organizationOf(id)))
})
