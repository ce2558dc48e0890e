/** Sets the state of a move as its steps do, without the steps before. */
import type { MoveState } from "../../src/cells/MoveStateSql.ts"
import type { Client } from "../../src/platform/database/CommandClient.ts"

/** 'moved' and 'arrived' have ended. */
export const setMoveState = (sql: Client, organization: number, state: MoveState) =>
  sql`
    insert into organization_move (organization_id, state, ended_at)
    values (${organization}::int, ${state}, case when ${state} in ('moved', 'arrived') then now() end)
    on conflict (organization_id) do update set state = excluded.state, ended_at = excluded.ended_at`
