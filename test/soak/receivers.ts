/** Hiring systems of every temper, in this process: they remember what they took. */
import { randomInt } from "node:crypto"
import { createServer } from "node:http"
import { Effect } from "effect"
import { listen } from "../support/listen.ts"
import { sampleCv } from "./stage.ts"

/** Of a hundred requests. */
interface Temper {
  readonly path: string
  readonly refused: number
  readonly cut: number
  readonly silent: number
}

export const tempers: ReadonlyArray<Temper> = [
  { path: "/sound", refused: 0, cut: 0, silent: 0 },
  { path: "/shaky", refused: 25, cut: 5, silent: 2 },
  { path: "/poor", refused: 50, cut: 10, silent: 3 },
]

export interface Receivers {
  readonly url: string
  /** How often an event was taken, answered with 2xx, at a path. */
  readonly taken: (path: string) => ReadonlyMap<string, number>
  /** All requests that came. */
  readonly requests: () => number
}

/** Listens on a free port; `/cv/<whose>` is a CV. */
export const start = Effect.gen(function* () {
  const taken = new Map(tempers.map(({ path }) => [path, new Map<string, number>()]))
  let requests = 0
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/cv/")) {
      return void response.setHeader("content-type", "text/html; charset=utf-8").end(sampleCv(request.url.slice(4)))
    }
    request.resume().on("end", () => {
      requests++
      const temper = tempers.find(({ path }) => path === request.url)
      const event = String(request.headers["webhook-id"])
      if (temper === undefined) return void response.writeHead(404).end()
      const luck = randomInt(100)
      if (luck < temper.silent) return // never answered
      if (luck < temper.silent + temper.cut) return void request.socket.destroy()
      if (luck < temper.silent + temper.cut + temper.refused) return void response.writeHead(500).end("not now")
      const events = taken.get(temper.path)
      events?.set(event, (events.get(event) ?? 0) + 1)
      response.writeHead(200).end()
    })
  })
  const url = yield* listen(server)
  return {
    url,
    taken: (path) => taken.get(path) ?? new Map(),
    requests: () => requests,
  } satisfies Receivers
})
