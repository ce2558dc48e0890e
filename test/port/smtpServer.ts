/** A real SMTP server on this machine that answers as tests say; what it takes is parsed as a mail program parses it. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { type HeaderLines, type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import type { Received } from "./EmailSenderSuite.ts"

export interface SmtpScript {
  /** Status codes that are answered instead of yes. */
  mailFrom?: number | undefined
  recipient?: number | undefined
  data?: number | undefined
  signIn?: number | undefined
  /** The text of what is refused. */
  says?: string
  /** Ends each connection where it would greet. */
  away?: boolean
}

interface Taken extends Received {
  readonly raw: string
  readonly parsed: ParsedMail
  /** As it was when the mail was taken. */
  readonly session: SMTPServerSession
}

const refusal = (responseCode: number, says = "as the test says\r\n5.1.1 so") =>
  Object.assign(new Error(says), { responseCode })

/** An address as it is written, which the parser shows in other letters. */
const bare = (address = "") => address.replace(/^<(.*)>$/, "$1")

const lines = (headerLines: HeaderLines): ReadonlyMap<string, string> =>
  new Map(headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]))

/** Listens on a free port of 127.0.0.1 for as long as the scope is open. */
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
    const answer = (code: number | undefined, done: (error?: Error | null) => void) =>
      code === undefined ? done() : done(refusal(code, script.says))
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      ...options,
      onConnect: (_session, done) => (script.away ? done(refusal(421)) : done()),
      onAuth: ({ password, username }, _, done) =>
        script.signIn === undefined && username === "user" && password === "hunter2"
          ? done(null, { user: "user" })
          : done(refusal(script.signIn ?? 535)),
      onMailFrom: (_, __, done) => answer(script.mailFrom, done),
      onRcptTo: (_, __, done) => answer(script.recipient, done),
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          if (script.data !== undefined) return done(refusal(script.data, script.says))
          const bytes = Buffer.concat(chunks)
          void simpleParser(bytes, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true }).then(
            (parsed) => {
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
            },
          )
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
