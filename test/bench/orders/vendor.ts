/** A hiring system that orders with Greenhouse's calls and records when each report arrives. */
import { createServer } from "node:http"
import { Effect } from "effect"
import { sharedMillis } from "../support/clock.ts"
import { portOf } from "../support/control.ts"

export interface Vendor {
  readonly origin: string
  /** When the first report of each path arrived, in shared milliseconds. */
  readonly reports: Map<string, number>
}

export const vendor = Effect.gen(function* () {
  const reports = new Map<string, number>()
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const path = request.url ?? ""
    if (!reports.has(path)) reports.set(path, sharedMillis())
    request.on("end", () => response.writeHead(200).end()).resume()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close().closeAllConnections()),
  )
  return { origin: `http://127.0.0.1:${portOf(server)}`, reports } satisfies Vendor
})

/** Sends one order to a pod; returns the status and the submission's id. */
export const order = (pod: string, key: string, set: string, url: string, email: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${pod}/hiring-systems/greenhouse/send_test`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        partner_test_id: set,
        candidate: { first_name: "Ada", last_name: "Lovelace", email },
        url,
      }),
    })
    const body: unknown = await response.json()
    const id =
      typeof body === "object" && body !== null && "partner_interview_id" in body
        ? String(body.partner_interview_id)
        : ""
    return { status: response.status, id }
  })
