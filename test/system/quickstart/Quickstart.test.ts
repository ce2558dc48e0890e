/** Runs the programs of docs/quickstart.md against `serve`, each with its own webhook receiver. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { isGenuine } from "../../../docs/quickstart/receiver.ts"
import { pageAt } from "../../docs/pages.ts"
import * as cli from "../../support/cli.ts"
import { listen } from "../../support/listen.ts"
import { survivesBadRequests } from "../../support/receiverProcess.ts"
import { freshDatabase } from "../../support/TestDatabase.ts"
import file from "../../webhooks/signature-vectors.json" with { type: "json" }
import { missing, python } from "./python.ts"

const root = join(import.meta.dirname, "../../..")

class Served extends Context.Service<Served, { readonly url: string; readonly key: string }>()(
  "interview-invitations/test/Served",
) {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const environment = {
        DATABASE_URL: yield* freshDatabase,
        SECRET_KEY: cli.secretKey,
        EMAIL: "mailbox",
        OUTBOUND_ALLOW: "127.0.0.0/8",
        ...{ PORT: "0", DRAIN_WAIT: "0 millis" },
      }
      yield* cli.run(environment, "organization", "create", "--name", "Acme")
      const { stdout } = yield* cli.run(environment, "key", "create", "--organization", "1", "--json")
      const { url } = yield* cli.serve(environment)
      return { url, key: String(JSON.parse(stdout).value) }
    }),
  )
}

/** Returns the lines that the program prints. */
const runProgram = Effect.fnUntraced(function* (command: string, path: string) {
  const { key, url } = yield* Served
  const env = { PATH: "/usr/bin:/bin", API_URL: url, API_KEY: key, RECEIVER_PORT: "0", PYTHONDONTWRITEBYTECODE: "1" }
  const { stdout } = yield* Effect.promise(() => promisify(execFile)(command, [path], { cwd: root, env }))
  return stdout.trim().split("\n")
})

/** Returns what the program prints when it fails. */
const runFailing = (command: string, path: string, url: string) =>
  Effect.promise(() => {
    const env = { PATH: "/usr/bin:/bin", API_URL: url, API_KEY: "k.secret", PYTHONDONTWRITEBYTECODE: "1" }
    return promisify(execFile)(command, [path], { cwd: root, env }).then(
      () => assert.fail("succeeded"),
      (error: { readonly stderr: string }) => error.stderr,
    )
  })

const node = join(root, "node_modules/.bin/node")

/** Expects the program to fail at a redirect, with the message, and not to follow it. */
const expectNoRedirect = Effect.fnUntraced(function* (command: string, path: string, message: string) {
  let followed = 0
  const elsewhere = yield* listen(
    createServer((_, response) => {
      followed += 1
      response.end('{"results":{"organization":{"name":"Other"}}}')
    }),
  )
  const url = yield* listen(createServer((_, response) => response.writeHead(302, { location: elsewhere }).end()))
  assert.include(yield* runFailing(command, path, url), message)
  assert.strictEqual(followed, 0)
})

const expectJourney = (lines: ReadonlyArray<string>) => {
  assert.lengthOf(lines, 4)
  assert.strictEqual(lines[0], "organization: Acme")
  assert.match(lines[1] ?? "", /^interview: http:\/\/\S+\/i\/\S+$/)
  assert.match(lines[2] ?? "", /^submission: need_interview score: (null|None)$/)
  assert.strictEqual(lines[3], "verified: invitation.status.update invitation_email_delivered")
}

layer(Served.layer, { excludeTestServices: true })("The quickstart", (it) => {
  it.effect("in TypeScript invites a candidate and verifies a webhook", () =>
    Effect.map(runProgram(node, "docs/quickstart/quickstart.ts"), expectJourney),
  )

  it.effect("in TypeScript fails at a redirect, without sending the API key to its target", () =>
    expectNoRedirect(node, "docs/quickstart/quickstart.ts", "unexpected redirect"),
  )

  for (const name of ["requests", "httpx"]) {
    it.effect.skipIf(missing !== undefined)(
      `in Python with ${name} invites a candidate and verifies a webhook${missing === undefined ? "" : `: ${missing}`}`,
      () => Effect.map(runProgram(python ?? "", `docs/quickstart/with_${name}.py`), expectJourney),
    )

    it.effect.skipIf(missing !== undefined)(
      `in Python with ${name} fails at a redirect, without sending the API key to its target`,
      () => expectNoRedirect(python ?? "", `docs/quickstart/with_${name}.py`, "302 Found: "),
    )
  }
})

describe("The receiver of the quickstart", () => {
  it("in TypeScript accepts genuine deliveries only", () => {
    const accepted = file.vectors.filter(({ body, headers, now, secrets }) =>
      secrets.some((secret) => isGenuine(secret, headers["x-webhook-signature"] ?? "", Buffer.from(body), now)),
    )
    assert.deepStrictEqual(
      accepted.map(({ name }) => name),
      file.vectors.flatMap(({ name, verdict }) => (verdict === "accepted" ? [name] : [])),
    )
  })

  it.effect("in TypeScript survives requests that end early or are too large", () =>
    survivesBadRequests(node, [
      "--input-type=module-typescript",
      "--eval",
      `import { startReceiver } from ${JSON.stringify(join(root, "docs/quickstart/receiver.ts"))}
       console.log((await startReceiver(0)).url)`,
    ]),
  )

  it.effect.skipIf(missing !== undefined)("in Python survives requests that end early or are too large", () =>
    survivesBadRequests(python ?? "", [
      "-c",
      `import sys, time
sys.path.insert(0, ${JSON.stringify(join(root, "docs/quickstart"))})
sys.dont_write_bytecode = True
from receiver import Receiver
receiver = Receiver(0)
receiver.listen("whsec_0123")
print(receiver.url, flush=True)
time.sleep(600)`,
    ]),
  )

  it("in Python has the function of docs/webhooks.md, which test/webhooks/SignatureSamples.test.ts runs", () => {
    const [, sample = ""] =
      /^def is_genuine[\s\S]*?\n```/m.exec(pageAt("docs/webhooks.md"))?.[0].match(/([\s\S]*)\n```/) ?? []
    assert.isNotEmpty(sample)
    assert.include(readFileSync(join(root, "docs/quickstart/receiver.py"), "utf8"), sample)
  })
})
