/** A fresh database from the template, dropped when the scope closes. */
import { randomBytes } from "node:crypto"
import { PgConnection } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted, Scope, Semaphore } from "effect"
import { inject } from "vitest"
import { Database } from "../../src/platform/database/Database.ts"
import { atDatabase, textsOf } from "./databases.ts"
import * as LogWatch from "./LogWatch.ts"
import * as Statements from "./Statements.ts"

// the connection pool has timers: on TestClock, a test that advances by a year would run all of them
const liveClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** A URL for sessions whose commits wait until the standby of globalSetup.ts has replayed them. */
const onStandbysToo = (url: string): string => {
  const session = new URL(url)
  session.searchParams.set("options", "-c synchronous_commit=remote_apply")
  return session.href
}

/** Each worker keeps one connection that creates and drops databases, because a new connection takes 5 ms. */
const administration = Effect.runSync(
  Effect.cached(
    Effect.suspend(() => PgConnection.make({ url: Redacted.make(onStandbysToo(inject("postgres").url)) })).pipe(
      Effect.orDie,
      Scope.provide(Scope.makeUnsafe()),
      Effect.provide(liveClock),
    ),
  ),
)
const turn = Semaphore.makeUnsafe(1)

const administer = (statement: string) =>
  turn.withPermit(Effect.flatMap(administration, (connection) => connection.query(statement, [], false)))

/** Returns the URL. Before the database is dropped, checks the test's statements, and that no log line holds personal data. */
export const freshDatabase = Effect.gen(function* () {
  const { template, url } = inject("postgres")
  const name = `interview_test_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(
    // half the time of a copy through the write-ahead log
    administer(`create database ${name} template ${template} strategy file_copy`),
    () => Effect.ignore(administer(`drop database if exists ${name} with (force)`)),
  )
  yield* Effect.addFinalizer(() => Statements.check(atDatabase(url, name)))
  yield* Effect.addFinalizer(() =>
    LogWatch.check(Effect.orElseSucceed(textsOf(atDatabase(url, name), personal), () => [])),
  )
  return atDatabase(url, name)
})

/** Personal data; no column holds links of mails (Mails.ts). */
const personal = `
  select unnest(array[name, firstname, lastname, email, cv_email, phone]) from candidate
  union select email from member
  union select recipient from email
  union select email from set_access
  union select link from cv
  union select unnest(regexp_split_to_array(text, '\\n')) from cv
  union select content from answer`

const ofStandby = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href

const replicaOf = (url: string): string | undefined => {
  const { standby, url: server } = inject("postgres")
  return standby === null || new URL(url).host !== new URL(server).host ? undefined : ofStandby(url, standby)
}

/** The URLs of a test's database on the servers that reads go to; the first one is the primary's. */
export const readServers = (database: string): readonly [string, ...ReadonlyArray<string>] => {
  const url = atDatabase(inject("postgres").url, database)
  const replica = replicaOf(url)
  return replica === undefined ? [url] : [url, replica]
}

const throughPooler = (url: string): string | undefined => {
  const { pooler, url: server } = inject("postgres")
  return pooler === null || new URL(url).host !== new URL(server).host
    ? undefined
    : Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(pooler) }).href
}

/** For Database.layer. `url`: of a test's database. */
export const urlsOf = (url: string) => {
  const through = throughPooler(url)
  const replica = replicaOf(url)
  return {
    ...(through === undefined
      ? { url: Redacted.make(url) }
      : { url: Redacted.make(through), directUrl: Redacted.make(url) }),
    ...(replica === undefined ? {} : { replicaUrl: Redacted.make(replica) }),
  }
}

/** For processes of the service. */
export const environmentOf = (environment: Record<string, string>): Record<string, string> => {
  const { DATABASE_URL: url } = environment
  if (url === undefined) return environment
  const through = throughPooler(url)
  const replica = replicaOf(url)
  return {
    ...environment,
    ...(through === undefined ? {} : { DATABASE_URL: through, DATABASE_DIRECT_URL: url }),
    ...(replica === undefined ? {} : { DATABASE_REPLICA_URL: replica }),
  }
}

/** Statements take the time from effect's Clock, which TestClock controls. */
export const layer = Layer.unwrap(
  Effect.map(freshDatabase, (url) => Database.layer({ ...urlsOf(url), maxConnections: 5 })),
).pipe(Layer.provide(liveClock), Layer.provideMerge(Layer.merge(LogWatch.layer, Statements.layer)))
