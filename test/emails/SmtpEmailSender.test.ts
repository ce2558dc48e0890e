import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { EmailSender } from "../../src/emails/EmailSender.ts"
import * as SmtpEmailSender from "../../src/emails/SmtpEmailSender.ts"
import { issue, trusting } from "../port/certificates.ts"
import { type Answer, emailSenderSuite, mail } from "../port/EmailSenderSuite.ts"
import { rawReceiver } from "../port/receivers.ts"
import { smtpServer } from "../port/smtpServer.ts"

const from = { name: null, address: "jobs@acme.example" }
const layer = (url: string, options: Partial<SmtpEmailSender.SmtpOptions> = {}) =>
  SmtpEmailSender.layer({ url: Redacted.make(url), from, ...options })

const send = (url: string, options?: Partial<SmtpEmailSender.SmtpOptions>, changes?: Parameters<typeof mail>[0]) =>
  Effect.flatMap(EmailSender, (sender) => sender.send(mail(changes))).pipe(
    Effect.provide(layer(url, options), { local: true }),
  )

emailSenderSuite(
  "SmtpEmailSender",
  Effect.gen(function* () {
    const { port, script, taken } = yield* smtpServer()
    return {
      layer: layer(`smtp://127.0.0.1:${port}`),
      answer: (answer: Answer) =>
        Effect.sync(() => {
          script.away = answer === "away"
          script.recipient = ({ taken: undefined, later: 450, refused: 550, away: undefined } as const)[answer]
        }),
      received: Effect.sync(() => taken),
    }
  }),
  { hands: true },
)

describe("SmtpEmailSender", () => {
  it.live("writes one mail with text and HTML in lines of a legal length", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      yield* send(`smtp://127.0.0.1:${port}`)
      const [one] = taken
      assert.match(one?.headers.get("content-type") ?? "", /^multipart\/alternative;/)
      assert.isBelow(one?.raw.indexOf("text/plain") ?? 0, one?.raw.indexOf("text/html") ?? 0)
      for (const line of one?.raw.split("\r\n") ?? []) assert.isAtMost(line.length, 998)
      assert.notMatch(one?.raw ?? "", /[^\r]\n|\P{ASCII}/u)
      assert.strictEqual(one?.headers.get("x-mail-id"), mail().id)
      assert.deepStrictEqual(one?.parsed.attachments, [])
    }),
  )

  it.live("greets with the given name, which is the host of APP_URL", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      yield* send(`smtp://127.0.0.1:${port}`, { name: "app.acme.example" })
      assert.strictEqual(taken[0]?.session.hostNameAppearsAs, "app.acme.example")
      const { greetingOf } = SmtpEmailSender
      assert.deepStrictEqual(
        ["https://app.acme.example", "http://localhost:8080", "https://192.0.2.1:8443", "https://[2001:db8::1]"].map(
          greetingOf,
        ),
        ["app.acme.example", undefined, "[192.0.2.1]", "[IPv6:2001:db8::1]"],
      )
    }),
  )

  it.live("uses the operator's display name when there is one", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      yield* send(`smtp://127.0.0.1:${port}`, { from: { name: "Zoë", address: "jobs@acme.example" } })
      assert.strictEqual(taken[0]?.from, "Zoë <jobs@acme.example>")
    }),
  )

  it.live.each([
    { what: "the recipient", script: { recipient: 550 }, permanent: true, bounced: true },
    { what: "the recipient for now", script: { recipient: 450 }, permanent: false, bounced: false },
    { what: "the recipient's full mailbox", script: { recipient: 452 }, permanent: false, bounced: false },
    { what: "the sender", script: { mailFrom: 553 }, permanent: false, bounced: false },
    {
      what: "the sender, with a code that is about addresses",
      script: { mailFrom: 550, says: "5.1.1 as the test says" },
      permanent: false,
      bounced: false,
    },
    { what: "the sender who has not signed in", script: { mailFrom: 530 }, permanent: false, bounced: false },
    {
      what: "the text",
      script: { data: 554, says: "Transaction failed, as the test says" },
      permanent: false,
      bounced: false,
    },
    ...[
      { recipient: 554, says: "5.7.1 <ada@example.com>: Relay access denied, as the test says" },
      { recipient: 550, says: "5.7.1 Client host blocked using zen.spamhaus.org, as the test says" },
      { recipient: 553, says: "5.1.8 <jobs@acme.example>: Sender address rejected, as the test says" },
      { recipient: 504, says: "5.5.2 <app>: Helo command rejected, as the test says" },
      { recipient: 550, says: "5.7.26 unauthenticated, as the test says" },
      { recipient: 530, says: "Must issue a STARTTLS command first, as the test says" },
    ].map((script) => ({
      what: `this service, ${script.says}`,
      script,
      permanent: false,
      bounced: false,
      refuses: true,
    })),
    ...[
      { says: "5.1.1 as the test says: no such user", permanent: true, bounced: true },
      { says: "5.2.1 as the test says: mailbox is closed", permanent: true, bounced: true },
      { says: "5.1.10 as the test says: recipient not found", permanent: true, bounced: true },
      { says: "5.1.8 as the test says: sender domain", permanent: false, bounced: false },
      { says: "5.7.1 as the test says: spam", permanent: false, bounced: false },
      { says: "5.3.4 as the test says: message size exceeds fixed limit", permanent: false, bounced: false },
      { says: "5.4.5 as the test says: Daily user sending quota exceeded", permanent: false, bounced: false },
      { says: "5.7.0 as the test says: too many messages, rate limited", permanent: false, bounced: false },
      { says: "5.2.0 as the test says: SubmissionQuotaExceededException", permanent: false, bounced: false },
    ].map(({ bounced, permanent, says }) => ({
      what: `the text, ${says}`,
      script: { data: 550, says },
      permanent,
      bounced,
    })),
    {
      what: "the recipient, for the sender's quota",
      script: { recipient: 550, says: "5.4.5 as the test says" },
      permanent: false,
      bounced: false,
    },
    { what: "the text for now", script: { data: 451 }, permanent: false, bounced: false },
  ])("refused: $what", ({ bounced, permanent, script, ...rest }) =>
    Effect.gen(function* () {
      const server = yield* smtpServer()
      Object.assign(server.script, script)
      const error = yield* Effect.flip(send(`smtp://127.0.0.1:${server.port}`))
      assert.deepInclude({ ...error }, { permanent, bounced })
      assert.include(error.reason, "as the test says")
      if ("refuses" in rest) assert.isNotEmpty(error.refusal)
    }),
  )

  it.live.each([
    { mailFrom: 421, says: "Service not available, closing transmission channel." },
    { mailFrom: 451, says: "Mails per session limit" },
    { mailFrom: 452, says: "4.5.3 Too many messages for this connection" },
    { data: 451, says: "Too many mails in this session" },
  ])("opens new connections for a server that accepts 5 emails on each, then says: $says", (limit) =>
    Effect.gen(function* () {
      const { port, script, taken } = yield* smtpServer()
      Object.assign(script, limit, { perConnection: 5 })
      yield* Effect.gen(function* () {
        const sender = yield* EmailSender
        const all = Array.from({ length: 60 }, () => sender.send(mail()))
        yield* Effect.all(all, { concurrency: 10 })
      }).pipe(Effect.provide(layer(`smtp://127.0.0.1:${port}`)))
      assert.lengthOf(taken, 60)
    }).pipe(Effect.scoped),
  )

  const certificate = issue({ name: "smtp", hosts: ["127.0.0.1"] })
  const tls = { key: certificate.key, cert: certificate.cert }

  it.live("signs in over implicit TLS and STARTTLS", () =>
    Effect.gen(function* () {
      yield* trusting(certificate)
      for (const [scheme, options] of [
        ["smtps", { ...tls, secure: true }],
        ["smtp", { ...tls, disabledCommands: [] }],
      ] as const) {
        const { port, taken } = yield* smtpServer({ ...options, disabledCommands: [], authOptional: false })
        yield* send(`${scheme}://user:hunter2@127.0.0.1:${port}`)
        assert.isTrue(taken[0]?.session.secure, scheme)
        assert.strictEqual(String(taken[0]?.session.user), "user")
      }
    }).pipe(Effect.scoped),
  )

  it.live("sends no password unencrypted or to an untrusted server", () =>
    Effect.gen(function* () {
      const plain = yield* smtpServer()
      const foreign = yield* smtpServer({ ...tls, secure: true })
      const foreignStarted = yield* smtpServer({ ...tls, disabledCommands: [], authOptional: false })
      for (const url of [
        `smtp://user:hunter2@127.0.0.1:${plain.port}`,
        `smtp://user:hunter2@127.0.0.1:${plain.port}?ignoreTLS=true&requireTLS=false&opportunisticTLS=true`,
        `smtps://user:hunter2@127.0.0.1:${foreign.port}`,
        `smtp://user:hunter2@127.0.0.1:${foreignStarted.port}`,
      ]) {
        const error = yield* Effect.flip(send(url))
        assert.isFalse(error.permanent, url)
        assert.notInclude(error.reason, "hunter2")
      }
      assert.deepStrictEqual([...plain.taken, ...foreign.taken, ...foreignStarted.taken], [])
    }).pipe(Effect.scoped),
  )

  it.live("SMTP_TLS and own authorities decide about encryption", () =>
    Effect.gen(function* () {
      const offers = yield* smtpServer({ ...tls, disabledCommands: [] })
      const plain = yield* smtpServer()
      const at = ({ port }: { readonly port: number }) => `smtp://127.0.0.1:${port}`
      // the certificate is not trusted
      yield* send(at(offers), { tls: "opportunistic" })
      assert.isTrue(offers.taken.at(-1)?.session.secure)
      yield* send(at(offers), { tls: "none" })
      assert.isFalse(offers.taken.at(-1)?.session.secure)
      yield* send(at(plain), { tls: "opportunistic" })
      for (const server of [offers, plain]) {
        assert.isFalse((yield* Effect.flip(send(at(server), { tls: "required" }))).permanent)
      }
      yield* send(at(offers), { tls: "required", authorities: certificate.cert })
      assert.isTrue(offers.taken.at(-1)?.session.secure)
      assert.lengthOf([...offers.taken, ...plain.taken], 4)
    }).pipe(Effect.scoped),
  )

  it.live("traces the dialogue without the password, also when the server repeats it", () =>
    Effect.gen(function* () {
      const { port, script } = yield* smtpServer({ ...tls, secure: true, disabledCommands: [], authOptional: false })
      const lines: Array<string> = []
      const options = { authorities: certificate.cert, trace: (line: string) => void lines.push(line) }
      yield* send(`smtps://user:hunter2@127.0.0.1:${port}`, options)
      Object.assign(script, { signIn: 535, says: `hunter2 (${Buffer.from("hunter2").toString("base64")}) is wrong` })
      yield* Effect.flip(send(`smtps://user:hunter2@127.0.0.1:${port}`, options))
      assert.include(lines.at(-1) ?? "", "S: 535 ")
      const text = lines.join("\n")
      for (const part of ["S: 220 ", "C: EHLO ", "C: AUTH ", "C: RCPT TO:<ada@example.com>", "S: 250 "])
        assert.include(text, part)
      for (const secret of [
        "hunter2",
        Buffer.from("hunter2").toString("base64"),
        Buffer.from("\0user\0hunter2").toString("base64"),
        Buffer.from("/* secret */").toString("base64"),
      ]) {
        assert.notInclude(text, secret)
      }
      assert.include(lines, "C: AUTH PLAIN ****")
    }).pipe(Effect.scoped),
  )

  it.live("says which setting an error of TLS is about", () =>
    Effect.gen(function* () {
      const { port } = yield* smtpServer()
      const withTls = yield* Effect.flip(send(`smtps://127.0.0.1:${port}`))
      assert.include(withTls.reason, "write smtp:// instead of smtps://")
      const withPassword = yield* Effect.flip(send(`smtp://user:hunter2@127.0.0.1:${port}`))
      assert.include(withPassword.reason, "does not offer STARTTLS")
      const implicit = yield* smtpServer({ ...tls, secure: true })
      const reason = (url: string, options?: Partial<SmtpEmailSender.SmtpOptions>) =>
        Effect.map(Effect.flip(send(url, options)), (error) => error.reason)
      const withoutTls = yield* reason(`smtp://127.0.0.1:${implicit.port}`, { timeout: Duration.seconds(2) })
      assert.include(withoutTls, "write smtps:// instead of smtp://")
      const started = yield* smtpServer({ ...tls, disabledCommands: [] })
      const other = issue({ name: "other", hosts: ["127.0.0.1"] }).cert
      for (const url of [`smtps://127.0.0.1:${implicit.port}`, `smtp://127.0.0.1:${started.port}`]) {
        const unknown = yield* reason(url, { tls: "required" })
        assert.match(
          unknown,
          /certificate \(set SMTP_CA_FILE to a file with the certificate of the server's authority\)$/,
        )
        const wrong = yield* reason(url, { tls: "required", authorities: other })
        assert.match(
          wrong,
          /certificate \(the file in SMTP_CA_FILE does not have the certificate of the server's authority\)$/,
        )
        const renamed = yield* reason(url.replace("127.0.0.1", "localhost"), {
          tls: "required",
          authorities: certificate.cert,
        })
        assert.include(renamed, "use a name in the certificate as the host of SMTP_URL")
      }
    }).pipe(Effect.scoped),
  )

  it.live("quotes a display name with characters of address lists", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer()
      const names = ["Care Team, Billing", "Support (Billing)", 'The "Best" <b@c.d>', "Kovács Béla | Co."]
      yield* Effect.forEach(names, (fromName) => send(`smtp://127.0.0.1:${port}`, {}, { fromName }))
      assert.deepStrictEqual(
        taken.map(({ from }) => from),
        names.map((name) => `${name} <jobs@acme.example>`),
      )
    }).pipe(Effect.scoped),
  )

  it.live("treats a refused sign-in as temporary", () =>
    Effect.gen(function* () {
      yield* trusting(certificate)
      const { port } = yield* smtpServer({ ...tls, secure: true, authOptional: false })
      const error = yield* Effect.flip(send(`smtps://user:wrong@127.0.0.1:${port}`))
      assert.isFalse(error.permanent)
    }).pipe(Effect.scoped),
  )

  it.live("requests failure reports with the mail's id", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* smtpServer({ hideDSN: false })
      yield* send(`smtp://127.0.0.1:${port}`)
      const { envelope } = taken[0]?.session ?? assert.fail("no mail")
      assert.deepInclude({ ...envelope }, { dsn: { ret: "HDRS", envid: mail().id } })
    }),
  )

  it.live("times out when the server does not answer", () =>
    Effect.gen(function* () {
      const server = createServer(() => undefined)
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.void))
        }),
        () => Effect.sync(() => server.close()),
      )
      const { port } = server.address() as AddressInfo
      const error = yield* Effect.flip(send(`smtp://127.0.0.1:${port}`, { timeout: Duration.millis(200) }))
      assert.isFalse(error.permanent)
    }).pipe(Effect.scoped),
  )

  it.live("says that the server closes every connection", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* rawReceiver(() => undefined)
      const closing = setInterval(() => {
        for (const socket of connections) socket.end()
      }, 1)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(closing)))
      const error = yield* Effect.flip(send(`smtp://127.0.0.1:${port}`))
      assert.deepInclude(
        { ...error },
        {
          reason: "the mail server closed each connection before an email was handed over",
          permanent: false,
          bounced: false,
        },
      )
      assert.lengthOf(connections, 6)
    }).pipe(Effect.scoped),
  )

  it.live("reports a refused connection", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(smtpServer())
      const error = yield* Effect.flip(send(`smtp://127.0.0.1:${port}`))
      assert.isFalse(error.permanent)
      assert.include(error.reason, "ECONNREFUSED")
    }),
  )
})
