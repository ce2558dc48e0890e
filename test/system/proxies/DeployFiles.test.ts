/** The files of deploy/ for nginx, Caddy, systemd and Kubernetes. nginx and Caddy run with them, in front of two servers. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { freePort } from "../../../src/platform/http/HeldPort.ts"
import { codeWith, replaced } from "../../docs/pages.ts"
import { issue } from "../../port/certificates.ts"
import { receiver } from "../../port/receivers.ts"

const root = join(import.meta.dirname, "../../..")
const text = (path: string) => readFileSync(join(root, "deploy", path), "utf8")

const host = "interviews.acme.example"
const authority = issue({ name: "Test authority" })
const certificate = issue({ name: "proxy", hosts: [host], issuer: authority })

interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends a request to the proxy, as a browser that believes it is at `host`. */
const ask = (port: number, path: string, { body = "", headers = {} as Record<string, string> } = {}) =>
  Effect.callback<Answer, Error>((resume) => {
    const options = { host: "127.0.0.1", port, path, method: body === "" ? "GET" : "POST", agent: false as const }
    const trust = { ca: authority.cert, servername: host }
    const sent = request({ ...options, ...trust, headers: { host, ...headers } }, (response) => {
      let found = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        found += chunk
      })
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, body: found })))
    })
    sent.on("error", (error) => resume(Effect.fail(error))).end(body)
  })

interface Proxy {
  readonly program: string
  /** Writes the configuration with the tests' ports and files; returns the arguments. */
  readonly configure: (
    directory: string,
    ports: { readonly own: number; readonly pods: ReadonlyArray<number> },
  ) => ReadonlyArray<string>
}

const nginx: Proxy = {
  program: "nginx",
  configure: (directory, { own, pods }) => {
    const [first, second] = pods
    const given = text("nginx/interview-invitations.conf")
    const local = replaced(replaced(given, /^ +listen \[::\].*\n/gm, ""), "listen 443", `listen 127.0.0.1:${own}`)
    const rest = replaced(
      replaced(local, "127.0.0.1:8081", `127.0.0.1:${first}`),
      "127.0.0.1:8082",
      `127.0.0.1:${second}`,
    )
    const site = replaced(
      replaced(rest, "/etc/nginx/tls", directory),
      "listen 80",
      `listen unix:${directory}/plain.sock`,
    )
    writeFileSync(join(directory, "interviews.pem"), certificate.cert)
    writeFileSync(join(directory, "interviews.key"), certificate.key)
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    )
    const head = `daemon off; master_process off; pid ${directory}/pid; error_log stderr warn; events {}`
    const log = `access_log off;\n${places.join("\n")}`
    writeFileSync(join(directory, "nginx.conf"), `${head}\nhttp {\n${log}\n${site}\n}\n`)
    return ["-p", directory, "-c", join(directory, "nginx.conf")]
  },
}

const caddy: Proxy = {
  program: "caddy",
  configure: (directory, { own, pods }) => {
    const given = replaced(
      text("caddy/Caddyfile"),
      /127\.0\.0\.1:8081 127\.0\.0\.1:8082/g,
      pods.map((port) => `127.0.0.1:${port}`).join(" "),
    )
    const files = `tls ${directory}/cert.pem ${directory}/key.pem`
    const site = replaced(given, `${host} {\n`, `https://${host}:${own} {\n\t${files}\n`)
    writeFileSync(join(directory, "cert.pem"), certificate.cert)
    writeFileSync(join(directory, "key.pem"), certificate.key)
    writeFileSync(join(directory, "Caddyfile"), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
    return ["run", "--adapter", "caddyfile", "--config", join(directory, "Caddyfile")]
  },
}

const start = Effect.fnUntraced(function* ({ configure, program }: Proxy, pods: ReadonlyArray<number>) {
  const own = yield* freePort
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "interview-proxy-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
  )
  const args = configure(directory, { own, pods })
  let log = ""
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const env = { PATH: process.env["PATH"], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
      const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] })
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        log += chunk
      })
      return { child, ended: new Promise((resolve) => child.once("close", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGTERM")
        return ended
      }),
  )
  yield* ask(own, "/").pipe(
    Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)])),
    Effect.mapError(() => new Error(`${program} does not answer: ${log}`)),
  )
  return own
})

/** With REQUIRE_PROXIES=1, the tests fail instead of being skipped. */
const isThere = (program: string, ...args: ReadonlyArray<string>) => spawnSync(program, args).error === undefined

for (const [proxy, isMissing] of [
  [nginx, process.env["REQUIRE_PROXIES"] !== "1" && !isThere("nginx", "-v")],
  [caddy, process.env["REQUIRE_PROXIES"] !== "1" && !isThere("caddy", "version")],
] as const) {
  describe.skipIf(isMissing)(
    `deploy/${proxy.program}${isMissing ? ": skipped, because the program is missing" : ""}`,
    () => {
      it.live("passes requests on with the visitor's address, hides /metrics, and uses the pod that answers", () =>
        Effect.gen(function* () {
          const seen: Array<string> = []
          const pod = (name: string) =>
            receiver((received, response) => {
              seen.push(received.url ?? "")
              let size = 0
              received.on("data", (chunk: Buffer) => {
                size += chunk.length
              })
              received.on("end", () => {
                const { headers } = received
                const forwarded = [headers.host, headers["x-forwarded-for"], headers["x-forwarded-proto"]]
                response.end(JSON.stringify({ name, size, forwarded }))
              })
            })
          const gone = yield* freePort
          const { port } = yield* pod("second")
          const own = yield* start(proxy, [gone, port])

          const plain = yield* ask(own, "/i/abc", { headers: { "x-forwarded-for": "203.0.113.9" } })
          assert.strictEqual(plain.status, 200, plain.body)
          assert.deepStrictEqual(JSON.parse(plain.body), {
            name: "second",
            size: 0,
            forwarded: [host, "127.0.0.1", "https"],
          })
          const large = yield* ask(own, "/upload", { body: "a".repeat(3 * 1024 * 1024) })
          assert.strictEqual(JSON.parse(large.body).size, 3 * 1024 * 1024)
          assert.strictEqual((yield* ask(own, "/metrics")).status, 404)
          assert.notInclude(seen, "/metrics")
        }).pipe(Effect.scoped),
      )
    },
  )
}

describe("deploy/kubernetes", () => {
  it("is the YAML of the guide", () => {
    assert.strictEqual(text("kubernetes/interview-invitations.yaml"), codeWith("docs/deploy.md", "kind: Deployment"))
  })
})

const hasSystemd = isThere("systemd-analyze", "--version")
describe.skipIf(!hasSystemd)(
  `deploy/systemd${hasSystemd ? "" : ": skipped, because systemd-analyze is missing"}`,
  () => {
    const unit = join(root, "deploy/systemd/interview-invitations@.service")
    it("is a valid unit with little exposure", () => {
      // ExecStart is checked too: the machine of the tests may have no /usr/bin/node
      const verified = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" })
      const others = verified.stderr.split("\n").filter((line) => line !== "" && !line.includes("/usr/bin/node"))
      assert.deepStrictEqual(others, [])
      const rated = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], {
        encoding: "utf8",
      })
      assert.strictEqual(rated.status, 0, rated.stdout)
    })
  },
)
