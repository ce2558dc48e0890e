/** The databases of the two cells of a move, and the error that ends its command. */
import { Context, Effect, Schema } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { nameIn } from "../platform/database/Database.ts"
import type { OrganizationId } from "../values/Ids.ts"

/** The databases of the two cells. `schema`: of both. `sourceUrl`: the source's address for the target's server. */
export class MoveDatabases extends Context.Service<
  MoveDatabases,
  {
    readonly source: Client
    readonly target: Client
    readonly schema: string | undefined
    readonly sourceUrl: string
  }
>()("interview-invitations/cells/MoveDatabases") {}

/** The message says what to do. */
export class MoveRefused extends Schema.TaggedError<MoveRefused>()("MoveRefused", { message: Schema.String }) {}

/** Fails with all problems, each in a line. */
export const refuse = (problems: ReadonlyArray<string | undefined>) => {
  const found = problems.filter((problem) => problem !== undefined)
  return found.length === 0 ? Effect.void : Effect.fail(new MoveRefused({ message: found.join("\n") }))
}

const changedMeanwhile = new MoveRefused({
  message: "another command has changed the state of the move meanwhile: run organization move again",
})

/** Refuses if the state was not set: another command has changed it. */
export const requireState = <E, R>(isDone: Effect.Effect<boolean, E, R>) =>
  Effect.flatMap(isDone, (done) => (done ? Effect.void : Effect.fail(changedMeanwhile)))

/** Of publication, slot and subscription. */
export const nameOf = (organization: OrganizationId) =>
  Effect.map(MoveDatabases, ({ schema }) => nameIn(schema, `organization_move_${organization}`))
