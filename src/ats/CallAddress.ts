/** The addresses that a hiring system calls, below API_URL. */
import type { Connection } from "./Connection.ts"
import type { Connector } from "./Connector.ts"
import { connectors } from "./Connectors.ts"

/** `id`: the connection's id, or the name of the path parameter. */
export const callPath = ({ authentication, system }: Connector, id: string, path: string): `/${string}` =>
  authentication._tag === "Signature" && authentication.account === undefined
    ? `/hiring-systems/${system}/${id}/${path}`
    : `/hiring-systems/${system}/${path}`

export interface CallAddress {
  readonly operation: string
  readonly url: string
}

export const callAddresses = (
  { id, system }: Pick<Connection, "id" | "system">,
  apiUrl: string,
): ReadonlyArray<CallAddress> =>
  connectors[system].calls.map(({ name, path }) => ({
    operation: name ?? path,
    url: `${apiUrl}${callPath(connectors[system], id, path)}`,
  }))
