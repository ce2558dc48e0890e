/**
 * Runs the commands and requests of README and the guides with ids filled in. A command that is not run needs an entry with
 * the reason in `notRun`.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer, Sink, Stdio } from "effect"
import { Command } from "effect/cli"
import packageJson from "../../package.json" with { type: "json" }
import { withAdapters } from "../../src/Adapters.ts"
import type { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { root } from "../../src/main.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { RecordSealer } from "../../src/record/RecordSealer.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import type { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { smtpServer } from "../port/smtpServer.ts"
import { keyOf } from "../support/Api.ts"
import * as cli from "../support/cli.ts"
import * as Pod from "../support/Pod.ts"
import * as Receiver from "../support/Receiver.ts"
import * as Scenario from "../support/Scenario.ts"
import { freshDatabase, urlsOf } from "../support/TestDatabase.ts"
import { blocks } from "./pages.ts"

const needsEngine = "needs a container engine; test/system/docker/DeployGuide.test.ts compares the names"

const notRun: Readonly<Record<string, string>> = {
  "npm ci": "installs what this test needs; .ci/run runs it in a clean clone",
  "npm start": "npm run demo runs the same on free ports",
  "npm run demo": ".ci/run runs it",
  "npm run check": ".ci/run runs it",
  "npm test": "runs this test",
  "npm run test:watch -- test/webhooks": "does not end",
  "npm run build": "test/system/package runs it in a copy",
  "npx node --v8-pool-size=1 dist/pod/src/main.js serve": "test/system/docker runs the bundle",
  "npm run sbom": "writes to dist/; Sbom.test.ts checks the content",
  "npm run format": "changes the sources",
  "npm run docs": "changes docs/ and src/sdk; Settings.test.ts and test/sdk/Contract.test.ts compare its output",
  "npm run bench": "takes 30 minutes",
  "npm run soak": "takes 10 minutes",
  "npx node docs/quickstart/quickstart.ts": "test/system/quickstart runs it",
  "python3 docs/quickstart/with_requests.py": "test/system/quickstart runs it",
  "python3 docs/quickstart/with_httpx.py": "test/system/quickstart runs it",
  "npm pack": "test/system/package runs it in a copy",
  "npm run pack:sdk": "test/system/package runs it in a copy",
  "cd integrations/n8n": "a folder",
  "npm ci --ignore-scripts": "test/system/integrations runs it with REQUIRE_N8N=1",
  "mkdir -p ~/.n8n/nodes": "a folder of n8n",
  "cd ~/.n8n/nodes": "a folder of n8n",
  "npm install --legacy-peer-deps /path/to/n8n-nodes-interview-invitations-0.1.0.tgz": "needs n8n",
  "cp .env.example .env": "for docker compose; test/system/docker checks both files",
  "docker compose --file compose.yaml --file deploy/compose/backup.yaml up --detach":
    "needs a container engine; test/system/faults/Backup.test.ts runs the script",
  "docker compose up --build --detach": "needs a container engine; test/system/docker runs the image's steps",
  "docker compose exec pod-1 node src/main.js setup": "needs a container engine; setup itself is run",
  "docker compose --file compose.yaml --file deploy/compose/backup.yaml run --rm backup once":
    "needs a container engine; test/system/faults/Backup.test.ts runs the script",
  "docker compose --file compose.yaml --file deploy/compose/backup.yaml cp backup:/var/lib/postgresql/backups backups":
    needsEngine,
  "docker compose stop pod-1 pod-2": needsEngine,
  "docker compose exec postgres createdb --username=interviews interviews_restored": needsEngine,
  "docker compose --file compose.yaml --file deploy/compose/backup.yaml run --rm --entrypoint pg_restore backup --no-owner --no-privileges --exit-on-error --single-transaction --dbname=interviews_restored /var/lib/postgresql/backups/interviews-20300131T180000Z.dump":
    "needs a container engine; test/system/faults/Backup.test.ts runs pg_restore",
  'docker compose exec postgres psql --username=interviews --dbname=postgres --command="alter database interviews rename to interviews_before" --command="alter database interviews_restored rename to interviews"':
    needsEngine,
  "docker compose start pod-1 pod-2": needsEngine,
  "docker build --tag registry.acme.example/interview-invitations:1 .":
    "needs a container engine; test/system/docker runs the image's steps",
  "docker push registry.acme.example/interview-invitations:1": "needs a registry",
  "docker buildx imagetools inspect registry.acme.example/interview-invitations:1": "needs a registry",
  "install --mode=600 /dev/null secrets.env": "test/system/docker/DeployGuide.test.ts runs it",
  "printf 'SECRET_KEY=%s\\n' \"$(openssl rand -base64 32)\" >> secrets.env":
    "test/system/docker/DeployGuide.test.ts runs it",
  ...Object.fromEntries(
    [
      "cp -r dist/pod /opt/interview-invitations",
      'install -D --mode=644 "deploy/systemd/interview-invitations@.service" "/etc/systemd/system/interview-invitations@.service"',
      "install -D --mode=600 /dev/null /etc/interview-invitations/env",
      "printf 'SECRET_KEY=%s\\n' \"$(openssl rand -base64 32)\" >> /etc/interview-invitations/env",
      "systemctl daemon-reload",
      "systemctl enable --now interview-invitations@8081 interview-invitations@8082",
      'systemctl status "interview-invitations@*"',
      'journalctl --unit "interview-invitations@*" --lines 50',
      "cd /opt/interview-invitations",
      "cp -r dist/pod /opt/interview-invitations.new",
      "mv /opt/interview-invitations /opt/interview-invitations.old",
      "mv /opt/interview-invitations.new /opt/interview-invitations",
      "for port in 8081 8082; do systemctl restart interview-invitations@$port; curl --silent --fail --retry 600 --retry-delay 1 --retry-all-errors http://127.0.0.1:$port/health/ready || break; done",
      "install --mode=644 deploy/nginx/interview-invitations.conf /etc/nginx/conf.d/interview-invitations.conf",
      "nginx -t",
      "systemctl reload nginx",
      "install --mode=644 deploy/caddy/Caddyfile /etc/caddy/Caddyfile",
      "caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile",
      "systemctl reload caddy",
    ].map((line) => [line, "changes this machine; test/system/proxies checks the files"]),
  ),
  "node --env-file=/etc/interview-invitations/env src/main.js setup":
    "test/system/docker/DeployGuide.test.ts reads the file; setup itself is run",
  "printf '%s.%s' 1795511612 '{\"schema_version\":\"1.0.0\"}' | openssl dgst -sha256 -hmac 1f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0":
    "Webhooks.test.ts computes the same signature",
  "export API_KEY=…": "the requests get the key in their environment",
  'pg_dump --format=custom --file=interviews.dump "$DATABASE_URL"': "test/system/faults/Dump.test.ts runs it",
  'pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$NEW_DATABASE_URL" interviews.dump':
    "test/system/faults/Dump.test.ts runs it",
}

const program = "npx node src/main.ts "
const lines = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ code }) => code.replaceAll(/ *\\\n */g, " ").split("\n"))
  .filter((line) => line.trim() !== "")
const commands = lines.flatMap((line) => (line.startsWith(program) ? [line.slice(program.length)] : []))
const requests = lines.filter((line) => line.startsWith("curl "))

const wordsOf = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")

/** Collects what a command streams to stdout. */
const stdout = (printed: Array<string>) => {
  const collect = (chunk: string | Uint8Array) => Effect.sync(() => void printed.push(Buffer.from(chunk).toString()))
  return Stdio.layerTest({ stdout: () => Sink.forEach(collect) })
}

const running = (environment: Record<string, string>) =>
  Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
    const printed: Array<string> = []
    const console = yield* Console.Console
    yield* Command.runWith(root, { version: "0" })(words).pipe(
      // local: shares no layer with this test, as in a process of its own
      Effect.provide(Layer.mergeAll(NodeServices.layer, withAdapters({}), stdout(printed)), { local: true }),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
      Effect.provideService(Console.Console, { ...console, log: (text: unknown) => void printed.push(String(text)) }),
      Effect.mapError((error) => new Error(`${words.join(" ")}: ${error.message}`)),
    )
    return printed.join("\n")
  })

const shell = promisify(execFile)

describe("README and docs", () => {
  it("have a known language on every code block, and shell commands in sh blocks only", () => {
    const known = ["sh", "ini", "json", "ts", "js", "python", "go", "php", "ruby", "java", "yaml", "sql", "text"]
    assert.deepStrictEqual(
      blocks.filter(({ language }) => !known.includes(language)).map(({ code, path }) => `${path}: ${code}`),
      [],
    )
    for (const { code, language, path } of blocks) {
      if (language !== "sh") assert.notMatch(code, /^(npm|npx|node|python3|curl|docker|helm|kubectl) /m, path)
    }
  })

  it("name only commands that are run here or listed with a reason, and existing npm scripts", () => {
    // test/system/docker/DeployGuide.test.ts has kubectl and helm parse theirs
    const rest = lines.filter((line) => !line.startsWith(program) && !/^(curl|helm|kubectl) /.test(line))
    assert.deepStrictEqual([...new Set(rest)].toSorted(), Object.keys(notRun).toSorted())
    for (const [, name = ""] of rest.join("\n").matchAll(/^npm run (\S+)/gm)) assert.property(packageJson.scripts, name)
  })

  it("quote URLs with a placeholder, which a shell would read as a redirection", () => {
    for (const request of requests) assert.notMatch(request, / http\S*</)
  })

  it.live(
    "name commands and requests that succeed",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const token = "0123456789abcdef"
        const environment = {
          DATABASE_URL: url,
          SECRET_KEY: cli.secretKey,
          EMAIL: "mailbox",
          OUTBOUND_ALLOW: "127.0.0.0/8",
          ...{ PORT: "0", ROLES: "api", DRAIN_WAIT: "0 millis", METRICS_TOKEN: token },
        }
        const run = running(environment)
        const receiver = yield* Receiver.start({ answer: () => Effect.succeed(200) })

        yield* Effect.gen(function* () {
          const organization = yield* Scenario.organization()
          assert.strictEqual(organization.id, 1)
          const { key } = yield* keyOf(organization.id)
          const { sql } = yield* Database
          yield* sql`insert into suppression (organization_id, email, reason) values (1, 'ada@example.com', 'unsubscribed')`

          // a candidate with an evaluated interview, and a sent delivery
          const invited = yield* Scenario.invited(organization, "grace@example.com")
          const { subject } = invited
          yield* Scenario.completed(invited)
          yield* runOnce((yield* EvaluationQueue).queue)
          yield* (yield* RecordSealer).step
          yield* Scenario.endpoint(organization.id)
          yield* Scenario.publish(invited)
          yield* runOnce((yield* DeliveryQueue).queue)

          const idOf = Effect.fnUntraced(function* (rows: Effect.Effect<ReadonlyArray<{ id: string }>, unknown>) {
            const [row] = yield* rows
            return row?.id ?? assert.fail("no such record")
          })
          /** Ids by command and placeholder. */
          const ids: Record<string, Effect.Effect<string, unknown, ApiKeys | Endpoints>> = {
            "key <id>": Effect.map(keyOf(organization.id), ({ id }) => id),
            "webhook <id>": Effect.map(
              Scenario.endpoint(organization.id, { url: `${receiver.url}/hook` }),
              ({ id }) => id,
            ),
            "webhook <number>": idOf(sql<{ id: string }>`select id::text from webhook_delivery_history limit 1`),
            "email <id>": idOf(sql<{ id: string }>`select id from email limit 1`),
            "candidate <id>": Effect.succeed(String(subject.candidate_id)),
            "evaluation <id>": Effect.succeed(organization.set.id),
            "evaluation <submission>": Effect.succeed(String(subject.submission_id)),
            "evaluation <set>": Effect.succeed(String(subject.interview_set_id)),
            "record <submission>": Effect.succeed(String(subject.submission_id)),
            "job-post <project>": Effect.map(
              run(["project", "create", "--organization", "1", "--name", "x"]),
              (printed) => printed.replace("id: ", ""),
            ),
          }
          const filled = Effect.fnUntraced(function* (command: string) {
            const words = wordsOf(command)
            return yield* Effect.forEach(words, (word) => {
              if (!/^<.*>$/.test(word)) return Effect.succeed(word)
              return ids[`${words[0]} ${word}`] ?? assert.fail(`no value for ${word}: ${command}`)
            })
          })

          // requests come first, because a command erases the candidate
          const pod = yield* cli.serve(environment)
          const endpoint = yield* Scenario.endpoint(organization.id, { url: `${receiver.url}/api` })
          for (const request of requests) {
            const line = request
              .replace("http://localhost:8080", pod.url)
              .replace("<interview set>", organization.set.id)
              .replace("<submission>", String(subject.submission_id))
              .replace("<endpoint>", endpoint.id)
              .replace(
                "<rehearsal>",
                (yield* sql<{ id: string }>`select id from rehearsal limit 1`)[0]?.id ?? "none yet",
              )
            assert.notMatch(line, /<.*>|localhost/)
            const env = { PATH: process.env["PATH"] ?? "", API_KEY: key, METRICS_TOKEN: token }
            yield* Effect.promise(() => shell("sh", ["-c", line.replace("curl ", "curl --fail-with-body ")], { env }))
          }

          for (const command of commands) {
            const [name = "", step] = wordsOf(command)
            if (name === "serve") continue // answered the requests above
            if (name === "organization" && step === "move") continue // test/system/cells runs it
            if (name === "record" && step === "verify") continue // test/cli/DecisionRecordCommand.test.ts runs it
            if (name === "webhook" && step === "rehearse") continue // test/cli/RehearsalCommand.test.ts, with a receiver that verifies
            if (command === "cell export moved") {
              assert.strictEqual(yield* run(wordsOf(command)), "", "no organization came from another cell")
            } else if (name === "cell" && step === "set-number") {
              yield* running({ ...environment, DATABASE_URL: yield* freshDatabase })(wordsOf(command))
            } else if (name === "setup") {
              // with PORT=0, the address of the page is not known
              const own = { DATABASE_URL: yield* freshDatabase, APP_URL: "https://jobs.acme.example" }
              assert.include(yield* running({ ...environment, ...own })([name]), "/setup")
            } else if (name === "member" && step === "create") {
              const { code } = yield* cli.pipe(environment, "long enough", ...wordsOf(command))
              assert.strictEqual(code, 0)
            } else if (name === "email" && step === "bounce") {
              const { code } = yield* cli.pipe({ DATABASE_URL: url }, "Subject: no report\n\nHello", name, step)
              assert.strictEqual(code, 0)
            } else if (name === "email" && step === "test") {
              const { port } = yield* smtpServer()
              const email = { EMAIL: "smtp", EMAIL_FROM: "jobs@acme.example", SMTP_URL: `smtp://127.0.0.1:${port}` }
              const settings = { ...environment, ...email, APP_URL: "https://jobs.acme.example" }
              assert.include(yield* running(settings)(wordsOf(command)), "accepted the email")
            } else if (name === "email" && step === "mark-sent") {
              const id = yield* idOf(sql<{ id: string }>`select id from email limit 1`)
              const { code } = yield* cli.pipe(environment, `message-id=<${id}@localhost>`, name, step)
              assert.strictEqual(code, 0)
            } else {
              const words = yield* filled(command)
              assert.notStrictEqual(yield* run(words), "", command)
            }
          }
        }).pipe(
          Effect.provide(
            Pod.services().pipe(Layer.provideMerge(Database.layer({ ...urlsOf(url), maxConnections: 3 }))),
            { local: true },
          ),
        )
      }).pipe(Effect.scoped),
    180_000,
  )
})
