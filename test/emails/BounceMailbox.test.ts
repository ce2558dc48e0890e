/** A mailbox with bounces, read over IMAP from a server on a real socket. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { Config, settings } from "../../src/config/Config.ts"
import { BounceMailbox } from "../../src/emails/BounceMailbox.ts"
import { EmailEventReceiver } from "../../src/emails/EmailEventReceiver.ts"
import { trusting } from "../port/certificates.ts"
import { mailId, postfix } from "../support/bounces.ts"
import { certificate, imapServer } from "../support/ImapServer.ts"

const environment = { SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), EMAIL: "mailbox" }
const withoutMailbox = Effect.provideService(
  settings,
  ConfigProvider.ConfigProvider,
  ConfigProvider.fromEnvRecord(environment),
)

/** Reports on `mailId` are known; those of other systems are not. */
const stage = (options: { readonly doneFolder?: string; readonly password?: string } = {}) =>
  Effect.gen(function* () {
    yield* trusting(certificate)
    const server = yield* imapServer
    const recorded: Array<string> = []
    const receiver = Layer.mock(EmailEventReceiver, {
      receiveBounce: (message: string) =>
        Effect.sync(() => {
          if (!message.includes(mailId)) return undefined
          recorded.push(message)
          return { emailId: mailId, kind: "bounce", status: "5.1.1", diagnostic: null }
        }),
    })
    const bounceMailbox = {
      host: "127.0.0.1",
      port: server.port,
      tls: "implicit",
      user: "user",
      password: Redacted.make(options.password ?? "hunter2"),
      oauth: undefined,
      folder: "INBOX",
      doneFolder: options.doneFolder,
      authorities: null,
    } as const
    const config = Layer.succeed(Config, { ...(yield* withoutMailbox), bounceMailbox })
    /** As another process has it. */
    const open = Effect.gen(function* () {
      const { step } = yield* BounceMailbox
      return Option.getOrThrow(step)
    }).pipe(Effect.provide(BounceMailbox.layer.pipe(Layer.provide([receiver, config])), { local: true }))
    return { ...server, recorded, step: yield* open, open }
  })

describe("BounceMailbox", () => {
  it.live("records reports, moves them, and leaves other messages unread and where they are", () =>
    Effect.gen(function* () {
      const { commands, deliver, recorded, step, uidsOf } = yield* stage({ doneFolder: "Done" })
      deliver("Subject: Re: your interview\r\n\r\nThank you", "text/plain")
      deliver(postfix())
      deliver(postfix({ id: "0192f0c1-0000-7000-8000-00000000ffff" }))
      deliver(postfix({ status: "5.1.2" }))
      assert.strictEqual(yield* step, 2)
      assert.strictEqual(yield* step, 0)
      assert.lengthOf(recorded, 2)
      assert.deepStrictEqual(uidsOf("Done"), [2, 4])
      assert.deepStrictEqual(uidsOf("INBOX", true), [1, 3])
      // of the message that is no report only the structure was fetched, and the second step fetched nothing
      assert.lengthOf(
        commands.filter((command) => command === "UID FETCH"),
        4,
      )
    }).pipe(Effect.scoped),
  )

  it.live("marks reports as read without a folder", () =>
    Effect.gen(function* () {
      const { deliver, step, uidsOf } = yield* stage()
      deliver(postfix())
      assert.strictEqual(yield* step, 1)
      assert.deepStrictEqual(uidsOf("INBOX"), [1])
      assert.deepStrictEqual(uidsOf("INBOX", true), [])
      assert.strictEqual(yield* step, 0)
    }).pipe(Effect.scoped),
  )

  it.live.each(["UID MOVE", "UID FETCH", "UID SEARCH", "SELECT"])(
    "loses no report when the connection ends at %s",
    (command) =>
      Effect.gen(function* () {
        const { deliver, recorded, script, step, uidsOf } = yield* stage({ doneFolder: "Done" })
        deliver(postfix())
        script.closeBefore = command
        yield* Effect.flip(step)
        assert.deepStrictEqual(uidsOf("Done"), [])
        script.closeBefore = undefined
        assert.strictEqual(yield* step, 1)
        assert.deepStrictEqual(uidsOf("Done"), [1])
        assert.isAtLeast(recorded.length, 1)
      }).pipe(Effect.scoped),
  )

  it.live("reads reports behind any number of other messages", () =>
    Effect.gen(function* () {
      const { deliver, step, uidsOf } = yield* stage({ doneFolder: "Done" })
      for (let i = 0; i < 10_150; i++) deliver("Subject: Buy now\r\n\r\nHello", "text/plain")
      deliver(postfix())
      let steps = 0
      while (uidsOf("Done").length === 0 && steps++ < 110) yield* step
      assert.deepStrictEqual(uidsOf("Done"), [10_151])
    }).pipe(Effect.scoped),
  )

  it.live("may be read by several processes at once", () =>
    Effect.gen(function* () {
      const { deliver, open, recorded, step, uidsOf } = yield* stage({ doneFolder: "Done" })
      const other = yield* open
      for (let i = 0; i < 10; i++) deliver(postfix())
      yield* Effect.all([step, other], { concurrency: "unbounded" })
      yield* step
      assert.lengthOf(uidsOf("Done"), 10)
      assert.deepStrictEqual(uidsOf("INBOX"), [])
      assert.isAtLeast(recorded.length, 10)
    }).pipe(Effect.scoped),
  )

  it.live("fails with the server's words, without the password, when it may not sign in", () =>
    Effect.gen(function* () {
      const { step } = yield* stage({ password: "hunter3" })
      const { message } = yield* Effect.flip(step)
      assert.include(message, "as the test says")
      assert.notInclude(message, "hunter3")
    }).pipe(Effect.scoped),
  )

  it.live("fails when the folder for reports does not exist, and stores the report once it does", () =>
    Effect.gen(function* () {
      const { deliver, recorded, step, uidsOf } = yield* stage({ doneFolder: "Missing" })
      deliver(postfix())
      const { message } = yield* Effect.flip(step)
      assert.include(message, "Missing")
      assert.lengthOf(recorded, 1)
      assert.deepStrictEqual(uidsOf("INBOX", true), [1])
    }).pipe(Effect.scoped),
  )
})
