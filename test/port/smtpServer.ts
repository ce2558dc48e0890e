/** An SMTP server for tests. It answers as `script` says, and parses the mails that it accepts. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { type HeaderLines, type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import type { Received } from "./EmailSenderSuite.ts"

export interface SmtpScript {
  /** Status codes; undefined: the step succeeds. */
  mailFrom?: number | undefined
  recipient?: number | undefined
  data?: number | undefined
  signIn?: number | undefined
  says?: string
  /** Access tokens that sign in `user`. */
  tokens?: ReadonlyArray<string>
  /** Refuses each connection with 421 in place of the greeting. */
  away?: boolean
  /** Emails of one connection; more are refused with `mailFrom` and `data`. */
  perConnection?: number
  /** Mails are accepted once it resolves. */
  gate?: Promise<unknown>
}

interface Taken extends Received {
  readonly raw: string
  readonly parsed: ParsedMail
  readonly session: SMTPServerSession
}

const refusal = (responseCode: number, says = "as the test says\r\n5.1.1 so") =>
  Object.assign(new Error(says), { responseCode })

/** From the header, because the parser decodes internationalized domains. */
const bare = (address = "") => address.replace(/^<(.*)>$/, "$1")

const lines = (headerLines: HeaderLines): ReadonlyMap<string, string> =>
  new Map(headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]))

export const smtpServer = (
  options: SMTPServerOptions = {},
): Effect.Effect<
  { readonly port: number; readonly script: SmtpScript; readonly taken: ReadonlyArray<Taken> },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const script: SmtpScript = {}
    const taken: Array<Taken> = []
    /** Begun on each connection. */
    const emails = new Map<string, number>()
    const isBeyond = (id: string) => (emails.get(id) ?? 0) > (script.perConnection ?? 0)
    const answer = (code: number | undefined, done: (error?: Error | null) => void) =>
      code === undefined ? done() : done(refusal(code, script.says))
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      ...options,
      onConnect: (_session, done) => (script.away ? done(refusal(421)) : done()),
      onAuth: ({ accessToken, password, username }, _, done) =>
        script.signIn === undefined &&
        username === "user" &&
        (password === "hunter2" || (accessToken !== undefined && script.tokens?.includes(accessToken) === true))
          ? done(null, { user: "user" })
          : done(refusal(script.signIn ?? 535, script.says)),
      onMailFrom: (_, { id }, done) => {
        emails.set(id, (emails.get(id) ?? 0) + 1)
        answer(isBeyond(id) ? script.mailFrom : undefined, done)
      },
      onRcptTo: (_, __, done) => answer(script.recipient, done),
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          if (script.data !== undefined && isBeyond(session.id)) return done(refusal(script.data, script.says))
          const bytes = Buffer.concat(chunks)
          const parsing = simpleParser(bytes, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true })
          void Promise.all([parsing, script.gate]).then(([parsed]) => {
            const headers = lines(parsed.headerLines)
            const from = parsed.from?.value[0]
            taken.push({
              raw: bytes.toString("latin1"),
              parsed,
              session: { ...session },
              messageId: parsed.messageId ?? "",
              from: `${from?.name} <${from?.address}>`,
              to: bare(headers.get("to")),
              replyTo: bare(headers.get("reply-to")),
              subject: parsed.subject ?? "",
              html: parsed.html || "",
              text: parsed.text ?? "",
              headers,
            })
            done()
          })
        })
      },
    })
    server.on("error", () => undefined) // clients that hang up
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
        }),
    )
    return { port: (server.server.address() as AddressInfo).port, script, taken }
  })
