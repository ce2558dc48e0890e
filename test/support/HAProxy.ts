/** HAProxy in front of several cells, with the rules of docs/scale.md. Needs the program `haproxy` (a package of Debian). */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { freePort } from "../../src/platform/http/HeldPort.ts"
import { codeWith, replaced } from "../docs/pages.ts"

/** The reason why tests with HAProxy are skipped. With REQUIRE_HAPROXY=1 they fail instead. */
export const missing =
  process.env["REQUIRE_HAPROXY"] === "1" || spawnSync("haproxy", ["-v"]).status === 0
    ? undefined
    : "skipped, because the program haproxy is missing"

export interface Backend {
  readonly name: string
  /** Addresses of its pods. */
  readonly urls: ReadonlyArray<string>
}

/** The files that the configuration reads. */
export type MapFile = "hosts" | "addresses" | "keys" | "moved"

/** The configuration of docs/scale.md, with the tests' ports, pods and files. */
const configuration = (directory: string, ports: ReadonlyArray<number>, backends: ReadonlyArray<Backend>): string => {
  const binds = ports.map((port) => `    bind 127.0.0.1:${port}`).join("\n")
  const given = replaced(codeWith("docs/scale.md", "frontend cells"), /^ +bind .*$/gm, binds)
  const cells = backends.reduce((text, { name, urls }) => {
    const servers = urls.map((url, i) => `    server pod-${i} ${new URL(url).host} check`).join("\n")
    return replaced(text, new RegExp(`(?<=^backend ${name}\\n(?: +(?!server).*\\n)*) +server .*$`, "gm"), servers)
  }, given)
  return `
global
  stats socket ${join(directory, "haproxy.sock")} mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 75s
  timeout server 75s
${replaced(cells, "/etc/haproxy", directory)}`
}

/** Chooses a port for each cell, used in place of the cell's host, and writes the maps. Returns the ports' URLs, and `run`. */
export const start = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const ports = yield* Effect.all(names.map(() => freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-haproxy-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  const write = (file: string, text: string) => Effect.promise(() => writeFile(join(directory, file), text))
  const setMap = (map: MapFile, lines: string) => write(`${map}.map`, lines)
  yield* setMap("hosts", ports.map((port, i) => `127.0.0.1:${port} ${names[i]}\n`).join(""))
  yield* setMap("addresses", urls.map((url, i) => `${names[i]} ${url}\n`).join(""))
  yield* setMap("keys", "")
  yield* setMap("moved", "")
  /** Starts HAProxy. Separate, because pods need the URLs above, and `backends` the addresses of the pods. */
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
