/** Moves an organization with 100,000 submissions to another cell, while a hiring system writes. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { Console, Effect, Fiber, Redacted } from "effect"
import { migrate } from "../../src/migrate.ts"
import { atDatabase, execute } from "../support/databases.ts"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import { settings } from "./api/settings.ts"
import { seed } from "./lists/accounts.ts"
import { fill } from "./lists/fill.ts"
import { size } from "./lists/settings.ts"
import { BenchFailed } from "./support/BenchFailed.ts"
import { start } from "./support/child.ts"
import * as Postgres from "./support/postgres.ts"
import { atMost, conclusion, digits, lineOf, machineOf } from "./support/report.ts"

export const description = "a move of 100,000 submissions to another cell, while a hiring system writes"

const root = join(import.meta.dirname, "../..")

const spawned = promisify(execFile)

const command = (environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async () => {
      const node = join(root, "node_modules/.bin/node")
      const { stdout } = await spawned(node, [join(root, "src/main.ts"), ...args, "--json"], {
        env: { PATH: "/usr/bin:/bin", ...settings, ...environment },
      })
      return JSON.parse(stdout) as Record<string, number>
    },
    catch: (error) => new BenchFailed({ message: String(error) }),
  })

const seconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const began = performance.now()
    const result = yield* effect
    return [result, (performance.now() - began) / 1000] as const
  })

/** Creates a set every 20 ms; after a refusal, in the other cell. `longest`: milliseconds without a success. */
const write = (urls: ReadonlyArray<string>, key: string, isOver: () => boolean) =>
  Effect.promise(async () => {
    let [at, last, longest, writes, refused] = [0, performance.now(), 0, 0, 0]
    while (!isOver()) {
      const response = await fetch(`${urls[at % 2]}/company/integration/interview/set/v1`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ title: "Nurse" }),
      })
      await response.text()
      if (response.status === 201) {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
        writes++
      } else {
        refused++
        at++
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { longest, writes, refused }
  })

/** Takes about ten minutes, most of them to fill the database. */
export const run = Effect.gen(function* () {
  const postgres = yield* OwnPostgres.start
  yield* execute(atDatabase(postgres.url, "postgres"), "alter system set wal_level = 'logical'")
  yield* postgres.restart("fast")
  const machine = yield* machineOf(postgres.url)
  const [source, target] = [
    yield* Postgres.database(postgres.url, "source"),
    yield* Postgres.database(postgres.url, "target"),
  ]
  yield* migrate({ url: Redacted.make(source) })
  yield* command({ DATABASE_URL: target }, "cell", "set-number", "--number", "1")
  const [account] = yield* seed(source)
  yield* Console.error("filling the database ...")
  yield* fill(source, [account])
  const service = (url: string) =>
    start(new URL("./servers/service.ts", import.meta.url), { ...settings, DATABASE_URL: url })
  const urls = [yield* service(source), yield* service(target)]
  let isOver = false
  const writing = yield* Effect.forkScoped(write(urls, account.key, () => isOver))
  const move = (...flags: ReadonlyArray<string>) =>
    seconds(
      command(
        { DATABASE_URL: source, MOVE_TARGET_URL: target },
        ...["organization", "move", "--organization", String(account.id)],
        ...flags,
      ),
    )
  const [moved, took] = yield* move()
  yield* Effect.sleep("2 seconds")
  isOver = true
  const { longest, refused, writes } = yield* Fiber.join(writing)
  const [finished, finishTook] = yield* move("--finish")
  const { megabytes } = yield* Postgres.query<{ megabytes: number }>(
    target,
    "select (pg_database_size(current_database()) / 1048576)::int as megabytes",
  )
  const pause = moved["paused_ms"] ?? Number.NaN
  const targets = [atMost("writes refused, ms", pause, 5_000)]
  const line = (what: string, value: number) => lineOf([what], `  ${what}`, [digits(value)])
  const text = [
    `${digits(size.submissions)} submissions, ${digits(moved["rows"] ?? 0)} rows, ${digits(megabytes)} MB in the target`,
    line("move, s", took),
    line("writes refused, ms", pause),
    line("longest time without an accepted write, ms", longest),
    line("writes meanwhile", writes),
    line("refused", refused),
    line("rows compared again in the pause", moved["compared_again"] ?? 0),
    line("--finish, s", finishTook),
    line("rows deleted", finished["deleted_rows"] ?? 0),
    ...conclusion(machine, targets),
  ].join("\n")
  return { json: { machine, moved, took, longest, writes, refused, finishTook, megabytes, targets }, text }
}).pipe(Effect.scoped)
