/** Compares the rows of an organization in both cells by their hashes. */
import { Effect, Pull, Stream } from "effect"
import type { OrganizationId } from "../values/Ids.ts"
import { MoveDatabases, MoveRefused } from "./MoveDatabases.ts"
import * as Rows from "./MoveRowsSql.ts"
import * as Tables from "./MoveTablesSql.ts"

/** Keys of rows, by table. */
export type Keys = ReadonlyMap<string, ReadonlyArray<string>>

/** Rows of a table. If more differ, replication has failed: changes of the last seconds are fewer. */
const maxDiffering = 100_000

/** Compares all rows of both cells. */
export const compare = Effect.fn("MoveComparison.compare")(function* (organization: OrganizationId) {
  const { source, target } = yield* MoveDatabases
  const differing = new Map<string, ReadonlyArray<string>>()
  let rows = 0
  for (const table of yield* Tables.tables(source)) {
    const compared = yield* compareStreams(
      Rows.hashes(source, table, organization),
      Rows.hashes(target, table, organization),
    )
    rows += compared.rows
    differing.set(table.name, compared.differing)
    if (compared.differing.length > maxDiffering) {
      return yield* new MoveRefused({
        message: `rows of ${table.name} differ in the target: ${compared.differing.length}. Undo the move with --undo, and start again`,
      })
    }
  }
  yield* Effect.logInfo("compared", { rows })
  return { rows, differing: differing as Keys }
})

/** Pulls the arrays of a stream, and empty arrays after its end. */
const arraysOf = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.toPull(stream), (pull) =>
    Pull.catchDone(pull as Pull.Pull<ReadonlyArray<A>, E, unknown, R>, () => Effect.succeed<ReadonlyArray<A>>([])),
  )

const isBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0

/** Merges two streams in the order of keys; returns the number of rows in the first and the keys of rows that differ. */
const compareStreams = Effect.fnUntraced(function* <E, R>(
  left: Stream.Stream<Rows.RowHash, E, R>,
  right: Stream.Stream<Rows.RowHash, E, R>,
) {
  const pulls = [yield* arraysOf(left), yield* arraysOf(right)] as const
  const read = (side: 0 | 1) => Effect.map(pulls[side], (next) => ({ rows: next, at: 0 }))
  let [a, b] = [yield* read(0), yield* read(1)]
  let rows = 0
  const differing: Array<string> = []
  for (;;) {
    if (a.at === a.rows.length && a.rows.length > 0) a = yield* read(0)
    if (b.at === b.rows.length && b.rows.length > 0) b = yield* read(1)
    const [one, other] = [a.rows[a.at], b.rows[b.at]]
    if (one === undefined && other === undefined) return { rows, differing }
    const isLeft = one !== undefined && (other === undefined || one.key === other.key || isBefore(one.key, other.key))
    const isRight = other !== undefined && (one === undefined || one.key === other.key || !isLeft)
    if (isLeft) {
      a.at += 1
      rows += 1
    }
    if (isRight) b.at += 1
    if (one !== undefined && other !== undefined && isLeft && isRight && one.hash === other.hash) continue
    differing.push(isLeft ? one.key : (other?.key ?? ""))
  }
}, Effect.scoped)

/** Keys compared in one statement. */
const batch = 10_000

/** Compares the rows with these keys again. Returns their number and those that differ, such as "submission 0198…". */
export const differences = Effect.fnUntraced(function* (organization: OrganizationId, suspects: ReadonlyArray<Keys>) {
  const { source, target } = yield* MoveDatabases
  const found: Array<string> = []
  let compared = 0
  for (const table of yield* Tables.tables(source)) {
    const keys = [...new Set(suspects.flatMap((of) => of.get(table.name) ?? []))]
    compared += keys.length
    for (let i = 0; i < keys.length; i += batch) {
      const some = keys.slice(i, i + batch)
      const [own, copied] = yield* Effect.all(
        [source, target].map((sql) => Rows.hashesOf(sql, table, organization, some)),
        { concurrency: 2 },
      )
      const hashes = new Map((copied ?? []).map(({ hash, key }) => [key, hash]))
      const ofSource = new Map((own ?? []).map(({ hash, key }) => [key, hash]))
      found.push(...some.filter((key) => hashes.get(key) !== ofSource.get(key)).map((key) => `${table.name} ${key}`))
    }
  }
  return { compared, found }
})

export const differProblem = (keys: ReadonlyArray<string>, advice: string) =>
  new MoveRefused({
    message: `rows differ in the target: ${keys.length}, such as ${keys.slice(0, 3).join(", ")}. ${advice}`,
  })
