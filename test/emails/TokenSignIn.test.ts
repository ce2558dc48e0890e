/** SMTP with access tokens (XOAUTH2), from a token endpoint and a mail server on real sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as SmtpEmailSender from "../../src/emails/SmtpEmailSender.ts"
import { issue, trusting } from "../port/certificates.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { read, receiver } from "../port/receivers.ts"
import { smtpServer } from "../port/smtpServer.ts"

const certificate = issue({ name: "mail", hosts: ["127.0.0.1"] })

/** Issues `token-1`, `token-2` …; `script` replaces its answer. */
const tokenEndpoint = Effect.gen(function* () {
  const script: { status?: number; body?: string; seconds?: number; silent?: boolean } = {}
  const asked: Array<Record<string, string>> = []
  const { url } = yield* receiver(async (request, response) => {
    const body = (await read(request)).toString("utf8")
    assert.strictEqual(request.headers["content-type"], "application/x-www-form-urlencoded")
    asked.push(Object.fromEntries(new URLSearchParams(body)))
    if (script.silent) return
    const token = { token_type: "Bearer", expires_in: script.seconds ?? 3_599, access_token: `token-${asked.length}` }
    response
      .writeHead(script.status ?? 200, { "content-type": "application/json" })
      .end(script.body ?? JSON.stringify(token))
  })
  return { url, script, asked }
})

const stage = Effect.gen(function* () {
  yield* trusting(certificate)
  const server = yield* smtpServer({
    disabledCommands: [],
    ...certificate,
    authMethods: ["XOAUTH2"],
    authOptional: false,
  })
  const endpoint = yield* tokenEndpoint
  server.script.tokens = ["token-1", "token-2"]
  const lines: Array<string> = []
  const layer = SmtpEmailSender.layer({
    url: Redacted.make(`smtp://user@127.0.0.1:${server.port}`),
    from: { name: null, address: "jobs@acme.example" },
    oauth: {
      url: endpoint.url,
      clientId: "a-client",
      clientSecret: Redacted.make("hunter2"),
      scope: "a-scope/.default",
    },
    timeout: Duration.seconds(20),
    trace: (line) => void lines.push(line),
  })
  return { ...server, endpoint, layer, lines }
})

emailSenderSuite(
  "SmtpEmailSender with access tokens",
  Effect.map(stage, ({ layer, script, taken }) => ({
    layer,
    answer: (answer: Answer) =>
      Effect.sync(() => {
        script.away = answer === "away"
        script.recipient = ({ taken: undefined, later: 450, refused: 550, away: undefined } as const)[answer]
      }),
    received: Effect.sync(() => taken),
  })),
  { hands: true },
)

const test = <A, E>(
  run: (on: Effect.Success<typeof stage>, send: Effect.Effect<unknown, EmailNotSentError>) => Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const on = yield* stage
    return yield* Effect.flatMap(EmailSender, (sender) => run(on, sender.send(mail()))).pipe(
      Effect.provide(on.layer, { local: true }),
    )
  }).pipe(Effect.scoped)

type EmailNotSentError = Effect.Error<ReturnType<EmailSender["Service"]["send"]>>

describe("access tokens", () => {
  it.live("asks for a token with the client's credentials once, and keeps it", () =>
    test(({ endpoint, lines, taken }, send) =>
      Effect.gen(function* () {
        yield* Effect.all(
          Array.from({ length: 8 }, () => send),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(taken, 8)
        assert.deepStrictEqual(endpoint.asked, [
          {
            grant_type: "client_credentials",
            client_id: "a-client",
            client_secret: "hunter2",
            scope: "a-scope/.default",
          },
        ])
        const text = lines.join("\n")
        assert.include(text, "AUTH XOAUTH2 ****")
        for (const secret of [
          "token-1",
          Buffer.from("user=user\u0001auth=Bearer token-1").toString("base64").slice(0, 30),
          "hunter2",
        ]) {
          assert.notInclude(text, secret)
        }
      }),
    ),
  )

  it.live("fetches another token shortly before its end", () =>
    test(({ endpoint }, send) =>
      Effect.gen(function* () {
        endpoint.script.seconds = 299
        yield* send
        yield* send
        assert.lengthOf(endpoint.asked, 2)
        endpoint.script.seconds = 301
        yield* send
        yield* send
        assert.lengthOf(endpoint.asked, 3)
      }),
    ),
  )

  it.live("fetches another token when the mail server refuses the first", () =>
    test(({ endpoint, script, taken }, send) =>
      Effect.gen(function* () {
        script.tokens = ["token-2"]
        yield* send
        assert.lengthOf(taken, 1)
        assert.lengthOf(endpoint.asked, 2)
        yield* send
        assert.lengthOf(endpoint.asked, 2)
      }),
    ),
  )

  it.live("reports a mailbox that the application may not use, with the server's words", () =>
    test(({ endpoint, script }, send) =>
      Effect.gen(function* () {
        Object.assign(script, { signIn: 535, says: "5.7.139 Authentication unsuccessful, as the test says" })
        const error = yield* Effect.flip(send)
        assert.isFalse(error.permanent)
        assert.include(error.reason, "5.7.139 Authentication unsuccessful")
        assert.strictEqual(error.refusal, "it refuses access tokens of SMTP_OAUTH_CLIENT_ID for the user of SMTP_URL")
        assert.notMatch(JSON.stringify(error), /token-\d|hunter2/)
        assert.lengthOf(endpoint.asked, 2)
      }),
    ),
  )

  it.live.each([
    {
      status: 401,
      body: '{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret provided."}',
      reason: "401 invalid_client: AADSTS7000215: Invalid client secret provided.",
      refusal: "the token endpoint refuses SMTP_OAUTH_CLIENT_ID or SMTP_OAUTH_CLIENT_SECRET",
    },
    { status: 503, body: "<html>", reason: "503", refusal: undefined },
    { status: 200, body: "{}", reason: "200", refusal: undefined },
    { status: 200, body: '{"access_token":"a b","expires_in":3599}', reason: "200", refusal: undefined },
  ])("is retried after $status $body", ({ body, reason, refusal, status }) =>
    test(({ endpoint, taken }, send) =>
      Effect.gen(function* () {
        Object.assign(endpoint.script, { status, body })
        const error = yield* Effect.flip(send)
        assert.strictEqual(error.reason, `no access token for the mail server: the token endpoint answered ${reason}`)
        assert.deepStrictEqual([error.permanent, error.bounced, error.refusal], [false, undefined, refusal])
        assert.deepStrictEqual(taken, [])
        Object.assign(endpoint.script, { status: undefined, body: undefined })
        endpoint.asked.length = 0
        yield* send
      }),
    ),
  )
})
