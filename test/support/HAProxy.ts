/** HAProxy in front of several cells, configured as docs/scale.md says. Needs the program `haproxy` (Debian has it). */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { listen } from "./listen.ts"

/** The reason why tests with HAProxy are skipped; undefined: it is installed. */
export const missing =
  spawnSync("haproxy", ["-v"]).status === 0
    ? undefined
    : process.env["REQUIRE_HAPROXY"] === "1"
      ? undefined
      : "no haproxy: install it"

export interface Backend {
  readonly name: string
  /** Addresses of its pods. */
  readonly urls: ReadonlyArray<string>
}

export type Map = "hosts" | "keys" | "moved"

const freePort = Effect.scoped(Effect.map(listen(createServer()), (url) => Number(new URL(url).port)))

/** The rules of docs/scale.md. */
const rules = (directory: string) => {
  const [hosts, keys, moved] = ["hosts", "keys", "moved"].map((map) => join(directory, `${map}.map`))
  return `
    acl is_link path_reg ^/(i|o|c|unsubscribe|password)/
    acl is_call path_beg /hiring-systems/
    http-request set-var(txn.key) req.hdr(x-api-key),field(1,.)
    http-request set-var(txn.moved) path,field(3,/),ub64dec,bytes(1,16),hex if is_link
    http-request set-var(txn.moved) path,field(4,/),regsub(-,,g),upper if is_call
    http-request set-var(txn.moved) http_auth_bearer,sha2(256),hex if is_call { http_auth_bearer -m found }
    http-request set-var(txn.moved) req.hdr(authorization),word(2,' '),b64dec,field(1,:),sha2(256),hex if is_call { req.hdr(authorization) -m beg -i basic }
    http-request set-var(txn.cell) req.hdr(host),lower,map_str(${hosts},cell-0)
    http-request set-var(txn.cell) var(txn.key),map_str(${keys}) if { var(txn.key),map_str(${keys}) -m found }
    http-request set-var(txn.cell) var(txn.moved),map_str(${moved}) if { var(txn.moved),map_str(${moved}) -m found }
    use_backend %[var(txn.cell)]`
}

const configuration = (directory: string, ports: ReadonlyArray<number>, backends: ReadonlyArray<Backend>) => `
global
  stats socket ${join(directory, "haproxy.sock")} mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 75s
  timeout server 75s
frontend cells
${ports.map((port) => `    bind 127.0.0.1:${port}`).join("\n")}
${rules(directory)}
${backends
  .map(
    ({ name, urls }) => `
backend ${name}
    option forwardfor
${urls.map((url, i) => `    server pod-${i} ${new URL(url).host}`).join("\n")}`,
  )
  .join("\n")}
`

/** Starts it with one port for each backend; the port stands for the host of the cell. Returns their URLs. */
export const start = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const ports = yield* Effect.all(names.map(() => freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-haproxy-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  const write = (file: string, text: string) => Effect.promise(() => writeFile(join(directory, file), text))
  const setMap = (map: Map, lines: string) => write(`${map}.map`, lines)
  yield* setMap("hosts", ports.map((port, i) => `127.0.0.1:${port} ${names[i]}\n`).join(""))
  yield* setMap("keys", "")
  yield* setMap("moved", "")
  /** With the addresses of the pods, which need the URLs above. */
  const run = Effect.fnUntraced(function* (backends: ReadonlyArray<Backend>) {
    yield* write("haproxy.cfg", configuration(directory, ports, backends))
    const master = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("haproxy", ["-W", "-f", join(directory, "haproxy.cfg")], { stdio: ["ignore", "ignore", "pipe"] }),
      ),
      (child) =>
        Effect.promise(async () => {
          const ended = new Promise((resolve) => child.once("close", resolve))
          child.kill("SIGTERM")
          await ended
        }),
    )
    let log = ""
    master.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text
    })
    yield* Effect.tryPromise({
      try: () => fetch(`${urls[0]}/health/live`),
      catch: () => new Error(`HAProxy does not answer: ${log}`),
    }).pipe(Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)])))
    /** New processes read the maps; old ones finish their requests. */
    return { reload: Effect.sync(() => master.kill("SIGUSR2")) }
  })
  return { urls, setMap, run }
})
