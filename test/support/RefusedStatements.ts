/** Makes statements fail as on a server whose disk is full or broken. */
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"

export const refusal = "could not extend file: no room in the test"

/** Inserts and updates of the table, or the given `events`, fail with this SQLSTATE while the effect runs. */
export const refusing = <A, E, R>(
  table: string,
  code: string,
  during: Effect.Effect<A, E, R>,
  events = "insert or update",
) =>
  Effect.gen(function* () {
    const { sql } = yield* Database
    yield* sql`
      create or replace function refuse_in_test() returns trigger language plpgsql as $body$
      begin raise exception ${sql.literal(`'${refusal}'`)} using errcode = tg_argv[0]; end $body$`.unprepared
    yield* sql`create trigger refuse_in_test before ${sql.literal(events)} on ${sql(table)}
      for each statement execute function refuse_in_test(${sql.literal(`'${code}'`)})`.unprepared
    return yield* Effect.ensuring(during, Effect.orDie(sql`drop trigger refuse_in_test on ${sql(table)}`.unprepared))
  })
