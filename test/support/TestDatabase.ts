/** A fresh database from the template, dropped when the scope closes. */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { Database, layerClock } from "../../src/platform/database/Database.ts"
import { atDatabase, execute, textsOf } from "./databases.ts"
import * as LogWatch from "./LogWatch.ts"

/** Returns the URL. Before the database is dropped, checks that no log line holds its personal data. */
export const freshDatabase = Effect.gen(function* () {
  const { template, url } = inject("postgres")
  const name = `interview_test_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(execute(url, `create database ${name} template ${template}`), () =>
    Effect.ignore(execute(url, `drop database if exists ${name} with (force)`)),
  )
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(
      Effect.orElseSucceed(textsOf(atDatabase(url, name), personal), () => []),
      LogWatch.check,
    ),
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

// the connection pool has timers: on TestClock, a test that advances by a year would run all of them
const liveClock = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** Statements take the time from effect's Clock, which TestClock controls. */
export const layer = Layer.unwrap(
  Effect.map(freshDatabase, (url) => Database.layer({ url: Redacted.make(url), maxConnections: 5 })),
).pipe(Layer.provide(liveClock), Layer.provideMerge(Layer.merge(layerClock, LogWatch.layer)))
