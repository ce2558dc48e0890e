/**
 * The statements of repositories. Their errors are defects, because no caller can act on them; `isOutage` (Database.ts)
 * recognizes those that pass.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { type SqlConnection, Statement } from "effect/sql"

type Helpers = Pick<PgClient.PgClient, "literal" | "and" | "csv">

/** Also a fragment of other statements. */
export interface SqlStatement<A> extends Statement.Fragment, Effect.Effect<ReadonlyArray<A>> {
  /** For a statement that is sent once, such as DDL. */
  readonly unprepared: Effect.Effect<ReadonlyArray<A>>
}

/** A template makes a statement; a name makes an identifier. */
export interface Sql extends Helpers {
  <A extends object = SqlConnection.Row>(
    strings: TemplateStringsArray,
    ...values: ReadonlyArray<unknown>
  ): SqlStatement<A>
  (name: string): Statement.Identifier
}

/** What fragments need: `Sql`, or a client with typed errors. */
export interface Fragments extends Helpers {
  (strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>): Statement.Fragment
  (name: string): Statement.Identifier
}

/** Statements inside a transaction of the client use its connection, others one of `borrower`. */
export const withDefects = (
  { transactionService }: Pick<PgClient.PgClient, "transactionService">,
  borrower: SqlConnection.Borrower,
  compiler: Statement.Compiler,
  spanAttributes: ReadonlyArray<readonly [string, unknown]>,
): Sql => {
  const connected: SqlConnection.Borrower = (perform) =>
    Effect.flatMap(
      Effect.serviceOption(transactionService),
      Option.match({
        onNone: () => borrower(perform),
        onSome: ([connection]) => perform(connection),
      }),
    )
  const statements: unknown = Statement.make(
    Effect.die("statements borrow their connection"),
    compiler,
    spanAttributes,
    undefined,
    (perform) => Effect.orDie(connected(perform)),
  )
  // the type of Effect's statements has SqlError, of which the borrower makes defects
  return statements as Sql
}
