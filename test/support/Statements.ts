/**
 * Records the statements of src that tests send, in the form that a pod sends: with now() for the time (Database.ts). Before a
 * test's database is dropped, TestDatabase checks that Citus would accept them (StatementShapes.ts) and that they leave nothing
 * in their session (SessionState.ts). After a run of all test files, globalSetup checks that each template of SQL in src was in
 * one of them, so that no statement is missed.
 */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted, Tracer } from "effect"
import { SqlError, Statement } from "effect/sql"
import { inject } from "vitest"
import { sqlStateOf } from "../../src/platform/database/Connections.ts"
import { Now } from "../../src/platform/database/Database.ts"
import { sessionStateOf } from "./SessionState.ts"
import { isIn, isStatement, isWholeStatement, type SqlTemplate, templates } from "./SqlTemplates.ts"
import { makeRefusals } from "./StatementShapes.ts"

const known = new Set<string>()
/** Statements, with the literals that their templates gave. */
const unchecked = new Map<string, ReadonlyArray<string>>()
const keepsState: Array<string> = []
const times = new WeakSet<object>()

/** Statements take the time from effect's Clock, which TestClock controls. */
const layerNow = Layer.succeed(
  Now,
  Effect.map(Clock.currentTimeMillis, (millis) => {
    const time = new Date(millis)
    times.add(time)
    return time
  }),
)

const isTime = (segment: Statement.Segment): boolean =>
  segment._tag === "Parameter" && segment.value instanceof Date && times.has(segment.value)

const literalsOf = (segments: ReadonlyArray<Statement.Segment>): ReadonlyArray<string> =>
  segments.flatMap((segment) => (segment._tag === "Literal" ? [segment.value] : []))

const layerRecorder = Layer.succeed(Statement.CurrentTransformer, (statement, sql) =>
  Effect.sync(() => {
    const segments = statement.segments.map((segment) => (isTime(segment) ? Statement.literal("now()") : segment))
    const [text] = sql`${Statement.fragment(segments)}`.compile()
    if (!known.has(text)) {
      known.add(text)
      for (const state of sessionStateOf(text)) keepsState.push(`${state}: ${text}`)
      if (isStatement(text)) unchecked.set(text, literalsOf(statement.segments))
    }
    return statement
  }),
)

/** For commands, whose statements take the database's time. */
export const layerOfCommands = layerRecorder

export const layer = Layer.merge(layerNow, layerRecorder)

/** invalid_catalog_name */
const isMissingDatabase = (error: unknown): boolean => SqlError.isSqlError(error) && sqlStateOf(error) === "3D000"

/** Without leading spaces: a template may begin with another one. */
const begin = (text: string): string => text.trimStart()

/**
 * The template that is the whole statement, if it asserts the type of its rows. Compares literals and not their joined text: most
 * texts that begin with "select " also contain those of a template of fragments, as `select ${a} from ${b} where ${c}`.
 */
const rowOf = (
  text: string,
  literals: ReadonlyArray<string>,
  sources: ReadonlyArray<SqlTemplate>,
): ReadonlyArray<string> => {
  const lengthOf = ({ texts }: SqlTemplate) => texts.join("").length
  const [whole] = sources
    .filter((template) => isStatement(template.texts[0] ?? "") && isWholeStatement(template, literals))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return whole?.hasRow === true ? [`${whole.place} ${JSON.stringify(text)}`] : []
}

/** Checks the statements recorded since the last check. `url`: of a database with the schema. */
export const check = Effect.fnUntraced(function* (url: string) {
  const kept = keepsState.splice(0)
  if (kept.length > 0) throw new Error(`a pooler in transaction mode would lose (SessionState.ts):\n${kept.join("\n")}`)
  const found = [...unchecked].flatMap(([text, literals]) => {
    const sources = templates.filter((template) => isIn(template, text))
    return sources.some(
      (template) => isStatement(template.texts[0] ?? "") && begin(text).startsWith(begin(template.texts[0] ?? "")),
    )
      ? [{ text, literals, sources }]
      : []
  })
  unchecked.clear()
  if (found.length === 0) return
  const checked = yield* Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const refusalsOf = yield* makeRefusals(sql)
    return yield* Effect.forEach(found, ({ literals, sources, text }) =>
      Effect.match(refusalsOf(text), {
        // the test changed the schema: the check of another test repeats it
        onFailure: () => {
          unchecked.set(text, literals)
          return { places: [], refused: [] }
        },
        onSuccess: (refusals) => ({
          places: [...sources.map(({ place }) => place), ...rowOf(text, literals, sources)],
          refused: refusals.map((refusal) => `${placesOf(sources)}: ${refusal}\n${text}`),
        }),
      }),
    )
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    // the test dropped its database: the check of another test includes its statements
    Effect.catchIf(isMissingDatabase, () =>
      Effect.sync(() => {
        for (const { literals, text } of found) unchecked.set(text, literals)
        return []
      }),
    ),
    Effect.orDie,
  )
  const refused = checked.flatMap(({ refused }) => refused)
  if (refused.length > 0) throw new Error(`Citus refuses (docs/citus.md):\n${refused.join("\n")}`)
  const places = new Set(checked.flatMap(({ places }) => places))
  appendFileSync(join(inject("statements"), String(process.pid)), [...places, ""].join("\n"))
})

const placesOf = (sources: ReadonlyArray<SqlTemplate>) =>
  sources.flatMap(({ place, texts }) => (isStatement(texts[0] ?? "") ? [place] : [])).join(", ")

/** Counts the statements that an effect sends to the database. */
export const count = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let count = 0
  const native = yield* Effect.tracer
  const span: Tracer.Tracer["span"] = (options) => {
    if (options.kind === "client") count++
    return native.span(options)
  }
  yield* Effect.withTracer(effect, Tracer.make({ ...native, span }))
  return count
})
