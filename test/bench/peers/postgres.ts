/** Postgres for the peers: node-postgres, a pool as large as the service's, every statement prepared by name. */
import pg from "pg"

const { DATABASE_POOL, DATABASE_URL } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL), idleTimeoutMillis: 0 })

/** What a statement can be sent on: the pool, or the connection of a transaction. */
export type Connection = Pick<pg.ClientBase, "query">

let statements = 0

/** A statement under a name of its own: each connection parses it once. */
export const prepared = <Row extends pg.QueryResultRow>(text: string) => {
  const name = `statement_${++statements}`
  return async (values: ReadonlyArray<unknown>, on: Connection = pool): Promise<ReadonlyArray<Row>> => {
    const { rows } = await on.query<Row>({ name, text, values: [...values] })
    return rows
  }
}

/** All or nothing. */
export const transaction = async <A>(work: (connection: Connection) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const result = await work(client)
    await client.query("commit")
    return result
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}
