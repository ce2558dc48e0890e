/** Tests that every implementation of the EmailSender port must pass, against a mail server that the tests control. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { EmailSender, type OutgoingEmail } from "../../src/emails/EmailSender.ts"

/**
 * How the mail server answers: accepts the mail, fails temporarily (`later`), rejects it for good (`refused`), or closes
 * the connection (`away`).
 */
export type Answer = "taken" | "later" | "refused" | "away"

/** A mail as the mail server received it. */
export interface Received {
  readonly messageId: string
  readonly from: string
  readonly to: string
  /** Empty when the mail has no Reply-To. */
  readonly replyTo: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly headers: ReadonlyMap<string, string>
}

/** A sender under test and its mail server. */
export interface Stage {
  readonly layer: Layer.Layer<EmailSender>
  /** Sets the answer to all later mails. */
  readonly answer: (answer: Answer) => Effect.Effect<void>
  /** The accepted mails, oldest first. */
  readonly received: Effect.Effect<ReadonlyArray<Received>>
}

/** An email with long lines and characters outside ASCII, with `changes` applied. */
export const mail = (changes: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  id: "0192f0c1-0000-7000-8000-000000000001",
  messageId: "0192f0c1-0000-7000-8000-000000000001@app.example.com",
  to: "ada@example.com",
  replyTo: "recruiting@acme.example",
  fromName: "Nordlicht – Größe & Söhne, “GmbH” \u{1F680}",
  senderName: null,
  subject: `Einladung zum Gespräch: Backend Engineer – ${"sehr ".repeat(30)}lang \u{1F680}`,
  html: `<p>Grüße aus Köln, Việt Nam &amp; 東京</p>\n<p>${"ein langes Wort ".repeat(200)}</p><a href="https://app.example.com/i/${"x".repeat(300)}">a</a>`,
  text: `Grüße aus Köln, Việt Nam & 東京\n\n${"ein langes Wort ".repeat(200).trim()}\n\nhttps://app.example.com/i/${"x".repeat(300)}\n.\nFrom here on\n`,
  unsubscribeUrl: "https://app.example.com/unsubscribe/AbC_-1",
  ...changes,
})

/**
 * Defines the tests of an EmailSender. `name` is part of their title. `open` runs once for each test. Pass `hands: true`
 * for a sender that hands mails to a server. With `false`, two tests run, and each mail must count as delivered at once.
 */
export const emailSenderSuite = (
  name: string,
  open: Effect.Effect<Stage, never, Scope.Scope>,
  { hands }: { readonly hands: boolean },
): void => {
  const test = <A, E>(run: (stage: Stage, sender: EmailSender["Service"]) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const stage = yield* open
      return yield* Effect.provide(
        Effect.flatMap(EmailSender, (sender) => run(stage, sender)),
        stage.layer,
        { local: true },
      )
    }).pipe(Effect.scoped)

  describe(`EmailSender: ${name}`, () => {
    it.live("sends a mail and returns the provider's message id", () =>
      test((_, sender) =>
        Effect.gen(function* () {
          assert.match(sender.provider, /^[a-z]+$/)
          const sent = yield* sender.send(mail())
          assert.isNotEmpty(sent.providerMessageId)
          assert.strictEqual(sent.delivered, !hands)
        }),
      ),
    )

    it.live("accepts the same mail twice, as after a crash of the worker", () =>
      test((_, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail())
          yield* sender.send(mail())
        }),
      ),
    )

    if (!hands) return

    it.live("keeps all characters of subject, sender name, HTML and text, and the Message-ID", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          const given = mail()
          yield* sender.send(given)
          const [received, ...others] = yield* stage.received
          assert.isDefined(received)
          assert.lengthOf(others, 0)
          assert.strictEqual(received.messageId, `<${given.messageId}>`)
          assert.strictEqual(received.to, given.to)
          assert.strictEqual(received.from, `${given.fromName} <jobs@acme.example>`)
          assert.strictEqual(received.subject, given.subject)
          assert.strictEqual(received.html.trim(), given.html)
          assert.strictEqual(received.text.trim(), given.text.trim())
        }),
      ),
    )

    it.live("sets one-click unsubscribe (RFC 8058) and Auto-Submitted (RFC 3834)", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail())
          yield* sender.send(mail({ unsubscribeUrl: null }))
          const [one, other] = yield* stage.received
          assert.strictEqual(one?.headers.get("list-unsubscribe"), "<https://app.example.com/unsubscribe/AbC_-1>")
          assert.strictEqual(one?.headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
          assert.strictEqual(one?.headers.get("auto-submitted"), "auto-generated")
          assert.isUndefined(other?.headers.get("list-unsubscribe"))
          assert.isUndefined(other?.headers.get("list-unsubscribe-post"))
        }),
      ),
    )

    it.live("sets Reply-To, and leaves it out when it is null", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail())
          yield* sender.send(mail({ replyTo: null }))
          assert.deepStrictEqual(
            (yield* stage.received).map(({ replyTo }) => replyTo),
            ["recruiting@acme.example", ""],
          )
        }),
      ),
    )

    it.live("writes internationalized domains in ASCII (RFC 5890)", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail({ to: "ada@bücher.example", replyTo: "Jobs@BÜCHER.example" }))
          const [received] = yield* stage.received
          assert.strictEqual(received?.to, "ada@xn--bcher-kva.example")
          assert.strictEqual(received?.replyTo, "Jobs@xn--bcher-kva.example")
        }),
      ),
    )

    it.live("does not let line breaks in subject or sender name add headers", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail({ subject: "Hello\r\nBcc: eve@example.com", fromName: "Acme\r\nX-Evil: 1" }))
          yield* sender.send(mail({ senderName: "Talent\r\nX-Evil: 1" }))
          const received = yield* stage.received
          assert.lengthOf(received, 2)
          for (const { headers } of received) {
            assert.isFalse(headers.has("bcc"))
            assert.isFalse(headers.has("x-evil"))
          }
        }),
      ),
    )

    it.live("prefers the sender's name that the organization has chosen", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* sender.send(mail({ senderName: "Nordlicht – Talent" }))
          assert.strictEqual((yield* stage.received)[0]?.from, "Nordlicht – Talent <jobs@acme.example>")
        }),
      ),
    )

    it.live.each([
      { answer: "later", permanent: false },
      { answer: "away", permanent: false },
      { answer: "refused", permanent: true },
    ] as const)("fails with permanent $permanent when the server answers $answer", ({ answer, permanent }) =>
      test((stage, sender) =>
        Effect.gen(function* () {
          yield* stage.answer(answer)
          const error = yield* Effect.flip(sender.send(mail()))
          assert.strictEqual(error.permanent, permanent)
          assert.isNotEmpty(error.reason)
          assert.notMatch(error.reason, /[\r\n]/)
          assert.notInclude(error.reason, "hunter2")
          assert.deepStrictEqual(yield* stage.received, [])
          yield* stage.answer("taken")
          yield* sender.send(mail())
          assert.lengthOf(yield* stage.received, 1)
        }),
      ),
    )

    it.live("sends 30 mails concurrently", () =>
      test((stage, sender) =>
        Effect.gen(function* () {
          const ids = Array.from({ length: 30 }, (_, i) => `mail-${i}@app.example.com`)
          yield* Effect.forEach(ids, (messageId) => sender.send(mail({ messageId })), { concurrency: "unbounded" })
          assert.sameMembers(
            (yield* stage.received).map(({ messageId }) => messageId),
            ids.map((id) => `<${id}>`),
          )
        }),
      ),
    )
  })
}
