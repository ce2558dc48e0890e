/** tinyproxy, as OUTBOUND_PROXY. Needs the program `tinyproxy` (package tinyproxy-bin of Debian), and root or user namespaces. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { listen } from "./listen.ts"

/** A mount namespace, so that the proxy alone has its hosts file. */
const apart = [...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]), "--mount"]

const canRun = () =>
  spawnSync("tinyproxy", ["-v"]).status === 0 && spawnSync("unshare", [...apart, "true"]).status === 0

/** The reason why tests with tinyproxy are skipped. With REQUIRE_TINYPROXY=1 they fail instead. */
export const missing =
  process.env["REQUIRE_TINYPROXY"] === "1" || canRun()
    ? undefined
    : "skipped, because the program tinyproxy is missing, or may not have a hosts file of its own"

const user = { name: "interviews", password: "p4ssword" }

const connects = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resume(Effect.void)
    }).on("error", (error) => resume(Effect.fail(error)))
  })

/**
 * Runs until the scope closes. It alone finds `names`, at 127.0.0.1. Returns the setting OUTBOUND_PROXY, and the targets
 * that it was asked for.
 */
export const start = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const port = yield* Effect.scoped(Effect.map(listen(createServer()), (url) => Number(new URL(url).port)))
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "interview-tinyproxy-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  const [configuration, hosts, log] = ["tinyproxy.conf", "hosts", "log"].map((name) => join(directory, name))
  yield* Effect.promise(async () => {
    await writeFile(hosts ?? "", names.map((name) => `127.0.0.1 ${name}\n`).join(""))
    const lines = [`Port ${port}`, "Listen 127.0.0.1", "Timeout 60", `BasicAuth ${user.name} ${user.password}`]
    await writeFile(configuration ?? "", [...lines, `LogFile "${log}"`, "LogLevel Connect", ""].join("\n"))
  })
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const script = 'mount --bind "$1" /etc/hosts && exec tinyproxy -d -c "$2"'
      const words = [...apart, "sh", "-c", script, "sh", hosts ?? "", configuration ?? ""]
      const child = spawn("unshare", words, { stdio: "ignore" })
      return { child, ended: new Promise((resolve) => child.once("close", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGTERM")
        return ended
      }),
  )
  yield* connects(port).pipe(Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)])))
  const login = `${user.name}:${user.password}`
  const asked = Effect.promise(async () =>
    [...(await readFile(log ?? "", "utf8")).matchAll(/CONNECT (\S+) HTTP/g)].map(([, target = ""]) => target),
  )
  return { url: `http://${login}@127.0.0.1:${port}`, withoutLogin: `http://127.0.0.1:${port}`, asked }
})
