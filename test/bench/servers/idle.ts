/** An idle server that answers at once: the control for the delay that the machine adds. */
import { createServer } from "node:http"
import { ready } from "../support/child.ts"
import { portOf } from "../support/control.ts"

const server = createServer({ keepAliveTimeout: 600_000 }, (_request, response) => response.end("ok"))
server.listen(0, "127.0.0.1", () => ready(portOf(server)))
