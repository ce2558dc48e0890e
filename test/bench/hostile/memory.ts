/** Measures the memory of a pod while connections each send a part of a large body and then stop. */
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { send } from "./send.ts"
import { appUrl, largestBody, memory } from "./settings.ts"
import { residentMegabytes, type Stage } from "./stage.ts"

const part = Buffer.alloc(memory.part, "a=b&")

/** The head of a request to a form without an account, or to the API with a key. */
const headOf = (index: number, { account: { key, token } }: Stage): string => {
  const targets = [
    `POST /sign-in HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\norigin: ${appUrl}`,
    `POST /i/${token}/answers HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\norigin: ${appUrl}`,
    `POST /company/integration/interview/set/v1 HTTP/1.1\r\ncontent-type: application/json\r\nx-api-key: ${key}`,
  ]
  const address = `198.51.${index >> 8}.${index & 255}`
  return `${targets[index % targets.length]}\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\ncontent-length: ${largestBody}\r\n\r\n`
}

const stall = (origin: string, head: string): Socket => {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write(head)
  socket.write(part)
  return socket
}

export const measureMemory = Effect.fnUntraced(function* (stage: Stage) {
  const { pid, url } = stage.pods[0]
  const read = Effect.sync(() => residentMegabytes(pid))
  const before = yield* read
  const sockets = Array.from({ length: memory.connections }, (_, i) => stall(url, headOf(i, stage)))
  let during = before
  const statuses: Array<number> = []
  const { block, control } = yield* stage.watched(
    Effect.gen(function* () {
      for (let second = 0; second < memory.stalledSeconds; second++) {
        yield* Effect.sleep("1 second")
        during = Math.max(during, yield* read)
        const answers = yield* Effect.promise(() => send(url, [{ method: "GET", path: `/i/${stage.account.token}` }]))
        statuses.push(...answers.map(({ status }) => status))
      }
    }),
  )
  for (const socket of sockets) socket.destroy()
  yield* Effect.sleep(`${memory.afterSeconds} seconds`)
  const after = yield* read
  return { before, during, after, statuses, block, control }
})
