/** Runs a webhook receiver in its own process and sends requests that end early or are too large. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { createInterface } from "node:readline"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

/** Starts a program that prints the URL of its receiver as its first line. */
export const start = (command: string, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(command, args, { env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "pipe"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL")),
    )
    let errors = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    const ended = once(child, "exit").then(() => assert.fail(`the receiver ended: ${errors}`))
    ended.catch(() => undefined) // also rejects when the scope closes
    const line = once(createInterface(child.stdout), "line").then(([text]): string => text)
    return { url: yield* Effect.promise(() => Promise.race([line, ended])), ended }
  })

/**
 * Sends a POST and returns the status; undefined when the connection closes without one. `isCut`: closes after the body,
 * which `header` announces as longer.
 */
const post = async (url: string, header: string, body: string, isCut = false): Promise<number | undefined> => {
  const { hostname, pathname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on("error", () => {})
  let answer = ""
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text
    if (answer.includes("\r\n\r\n")) socket.destroy()
  })
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n${body}`, () => {
    if (isCut) socket.destroy()
  })
  // not once(), which rejects at a reset
  await new Promise((resolve) => socket.once("close", resolve))
  const status = /^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1]
  return status === undefined ? undefined : Number(status)
}

/** Fails unless the receiver refuses each request, keeps running, and still rejects a delivery without a signature. */
export const survivesBadRequests = (command: string, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { ended, url } = yield* start(command, args)
    const large = "x".repeat(2_000_000)
    yield* Effect.promise(async () => {
      const check = async () => {
        await post(url, "Content-Length: 100", "half", true)
        await post(url, "Content-Length: 99999999999", "half", true)
        await post(url, "Transfer-Encoding: chunked", "64\r\nhalf", true)
        const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
        assert.oneOf(await post(url, `Content-Length: ${large.length}`, large), [413, undefined])
        assert.oneOf(await post(url, "Transfer-Encoding: chunked", chunk), [400, 413, undefined])
        assert.oneOf(await post(url, "Content-Length: many", "{}"), [400])
        assert.oneOf(await post(url, "X-Other: 1", ""), [400, 401])
        assert.strictEqual(await post(url, "Content-Length: 2", "{}"), 401)
      }
      await Promise.race([check(), ended])
    })
  })
