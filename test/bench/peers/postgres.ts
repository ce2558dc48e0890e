/** node-postgres for the peers: a pool of the service's size and named prepared statements. */
import pg from "pg"

const { DATABASE_POOL, DATABASE_URL } = process.env

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL), idleTimeoutMillis: 0 })

export type Connection = Pick<pg.ClientBase, "query">

let statements = 0

/** Prepares a statement under a generated name; each connection parses it once. */
export const prepared = <Row extends pg.QueryResultRow>(text: string) => {
  const name = `statement_${++statements}`
  return async (values: ReadonlyArray<unknown>, on: Connection = pool): Promise<ReadonlyArray<Row>> => {
    const { rows } = await on.query<Row>({ name, text, values: [...values] })
    return rows
  }
}

/** Runs `work` in a transaction; rolls back when it rejects. */
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
