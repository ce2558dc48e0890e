/** What both cells need for a move; all problems are reported at once. */
import { Effect } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import type { OrganizationId } from "../values/Ids.ts"
import * as Checks from "./MoveChecksSql.ts"
import { MoveDatabases, MoveRefused, refuse } from "./MoveDatabases.ts"
import * as State from "./MoveStateSql.ts"

/** Reports all problems at once. */
export const check = Effect.fn("MovePreconditions.check")(function* (
  organization: OrganizationId,
  state: State.Move | undefined,
  targetState: State.Move | undefined,
) {
  const { source, target } = yield* MoveDatabases
  const from = yield* factsOf(source, organization)
  const to = yield* factsOf(target, organization)
  const isNew = !State.isBegun(state)
  if (from.organization === null) {
    return yield* new MoveRefused({ message: `the source has no organization ${organization}` })
  }
  yield* refuse([copyProblem(organization, state, targetState)])
  const problems = [
    testProblem(organization, from),
    ...sourceProblems(from, to, isNew),
    ...targetProblems(to, from),
    othersProblem("source", from),
    othersProblem("target", to),
  ]
  for (const [cell, sql] of [
    ["source", source],
    ["target", target],
  ] as const) {
    if (!(yield* Checks.mayReplaceTriggers(sql))) {
      problems.push(`the role of the ${cell} may not set session_replication_role: use an administrator's role`)
    }
  }
  if (isNew) {
    if (state?.hasEnded === false) {
      problems.push(
        `the move of organization ${organization} to the source has not ended: first run it again, with the two databases exchanged`,
      )
    }
    if (from.identities.length > 0) {
      problems.push(
        `tables of the source have a replica identity for another purpose (${from.identities.join(", ")}): a move would reset it`,
      )
    }
    if (to.organization !== null && targetState?.state !== "arriving") {
      problems.push(`the target has an organization ${organization} already: ${to.organization}`)
    }
  }
  const same = yield* Checks.collisions(source, target, organization)
  if (same.length > 0)
    problems.push(`other organizations of the target have ${same.join(", ")}: remove or rename them in one cell`)
  yield* refuse(problems)
  if (from.files_in_s3 > 0) {
    yield* Effect.logWarning("files are in the bucket: pods of the target need the source's S3 settings", {
      files: from.files_in_s3,
    })
  }
})

export const factsOf = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  const facts = yield* Checks.factsOf(sql, organization)
  return facts ?? (yield* new MoveRefused({ message: "the role of the database is not in pg_roles" }))
})

export const othersProblem = (cell: string, { open }: Checks.CellFacts) =>
  open.length === 0
    ? undefined
    : `in the ${cell}, the move of organization ${open.join(", ")} is open: finish or undo that first`

const isInTarget = (organization: OrganizationId) =>
  `the target has organization ${organization} already, and the source has an older copy, as after a restore of the source: give that up with organization move --organization ${organization} --discard-source`

/** The source has an old copy of an organization that it moved: it was restored to a moment before. */
export const copyProblem = (organization: OrganizationId, from: State.Move | undefined, to: State.Move | undefined) => {
  if (to?.state === "arrived") return isInTarget(organization)
  return to?.state === "moved" && from?.hasArrived !== true
    ? `the target had organization ${organization} after the source and moved it to cell ${to.otherCell}: the source has an older copy. Set MOVE_TARGET_URL to the database of that cell, and give the copy up with --discard-source`
    : undefined
}

/** A test space refers to its organization, and its keys begin with a prefix of this cell's. */
const testProblem = (organization: OrganizationId, { test_pair }: Checks.CellFacts): string | undefined => {
  if (test_pair === null) return undefined
  const { live, space } = test_pair
  return space === Number(organization)
    ? `organization ${space} is the test space of organization ${live}: a test space is not moved`
    : `organization ${live} has the test space ${space}, which is not moved: delete it first with test-mode delete --organization ${live}; its keys and webhooks are made anew in the target`
}

const sourceProblems = (
  facts: Checks.CellFacts,
  to: Checks.CellFacts,
  isNew: boolean,
): ReadonlyArray<string | undefined> => [
  facts.wal_level === "logical"
    ? undefined
    : `the source has wal_level = ${facts.wal_level}: set wal_level = logical there and restart Postgres`,
  facts.may_replicate
    ? undefined
    : "the role of the source may not replicate: run alter role … replication, or use an administrator's role in DATABASE_URL",
  facts.may_create
    ? undefined
    : "the role of the source may not create a publication: run grant create on database … to …",
  facts.foreign_tables.length === 0
    ? undefined
    : "the role of the source does not own the tables: use their owner or an administrator in DATABASE_URL",
  !isNew || facts.free_slots >= 3
    ? undefined
    : `the source has ${facts.free_slots} free replication slots and needs 3: raise max_replication_slots`,
  !isNew || facts.free_senders >= 3
    ? undefined
    : `the source has ${facts.free_senders} free WAL senders and needs 3: raise max_wal_senders`,
  facts.version >= 150_000 ? undefined : "the source needs Postgres 15 or newer",
  to.secret_keys.length > 0 && facts.secret_keys.every((key) => to.secret_keys.includes(key))
    ? undefined
    : "the target does not have the source's SECRET_KEY: start its pods with SECRET_KEY=<its own>,<the source's>",
]

const targetProblems = (facts: Checks.CellFacts, from: Checks.CellFacts): ReadonlyArray<string | undefined> => [
  facts.may_subscribe
    ? undefined
    : `the role of the target may not create subscriptions: use an administrator in MOVE_TARGET_URL${facts.version >= 160_000 ? ", or run grant pg_create_subscription to …" : ""}`,
  facts.foreign_tables.length === 0
    ? undefined
    : "the role of the target does not own the tables: use their owner or an administrator in MOVE_TARGET_URL",
  facts.workers >= 3 ? undefined : `the target has max_logical_replication_workers = ${facts.workers} and needs 3`,
  facts.version >= 150_000 ? undefined : "the target needs Postgres 15 or newer",
  facts.cell === from.cell
    ? `source and target both have the cell number ${facts.cell}: their ids may collide. Give each new cell its number with cell set-number before its first organization`
    : undefined,
  areAlike(facts, from) ? undefined : differentMigrations,
]

export const areAlike = (facts: Checks.CellFacts, other: Checks.CellFacts) =>
  facts.migrations.join() === other.migrations.join()

export const differentMigrations =
  "source and target have different migrations: run the same version of the service on both"

/** The moves of the organization in both cells. An open move is of these two cells, except in a restored source (`isStale`). */
export const sides = Effect.fnUntraced(function* (organization: OrganizationId, isStale = false) {
  const { source, target } = yield* MoveDatabases
  const [from, to] = yield* Effect.all([State.moveOf(source, organization), State.moveOf(target, organization)])
  const [fromCell, toCell] = yield* Effect.all([Checks.cellOf(source), Checks.cellOf(target)])
  const isOther = (move: State.Move | undefined, cell: number) =>
    move !== undefined && !move.hasEnded && move.otherCell !== null && move.otherCell !== cell
  yield* refuse([
    !isStale && isOther(from, toCell)
      ? `the source moves organization ${organization} to or from cell ${from?.otherCell}: finish or undo that first`
      : undefined,
    isOther(to, fromCell)
      ? `the target moves organization ${organization} to or from cell ${to?.otherCell}: finish or undo that first`
      : undefined,
  ])
  return { from, to, fromCell, toCell }
})

export const placeProblem = (cell: string, { hasTables, schema }: Checks.Place, wanted: string) =>
  hasTables && schema === wanted
    ? undefined
    : `the ${cell} has no tables of this service in the schema ${wanted}: run migrate there. Both cells need the same DATABASE_SCHEMA`
