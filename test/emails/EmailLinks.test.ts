/** Signed links of mails. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { EmailLinks } from "../../src/emails/EmailLinks.ts"
import { SecretBox } from "../../src/platform/crypto/SecretBox.ts"
import { InvitationId, SubmissionId } from "../../src/values/Ids.ts"
import * as TestApp from "../support/TestApp.ts"

const id = "0190b5a2-7c1e-7def-8abc-0123456789ab"

/** Links of a process with these secret keys. */
const links = (...keys: ReadonlyArray<number>) =>
  Effect.provide(
    EmailLinks,
    EmailLinks.layer.pipe(
      Layer.provide(SecretBox.layer(keys.map((fill) => Redacted.make(new Uint8Array(32).fill(fill))))),
      Layer.provide([NodeCrypto.layer, TestApp.config({ APP_URL: "https://app.example.com" })]),
    ),
    { local: true },
  )

const token = (url: string) => url.slice(url.lastIndexOf("/") + 1)

describe("EmailLinks", () => {
  it.effect("signs the same link each time and reads its id", () =>
    Effect.gen(function* () {
      const { interview, open, submission } = yield* links(1)
      for (const key of [
        { _tag: "Invitation", id: InvitationId.make(id) },
        { _tag: "Submission", id: SubmissionId.make(id) },
      ] as const) {
        const url = interview(key)
        assert.match(url, /^https:\/\/app\.example\.com\/i\/[A-Za-z0-9_-]{44}$/)
        assert.deepStrictEqual(open(token(url)), key)
        assert.strictEqual(interview(key), url)
      }
      assert.strictEqual(submission(SubmissionId.make(id)), `https://app.example.com/submissions/${id}`)
    }),
  )

  it.effect("rejects a token of another kind", () =>
    Effect.gen(function* () {
      const { interview, open } = yield* links(1)
      const bytes = Buffer.from(token(interview({ _tag: "Invitation", id: InvitationId.make(id) })), "base64url")
      bytes[0] = 2
      assert.isUndefined(open(bytes.toString("base64url")))
    }),
  )

  it.effect("rejects altered, cut, extended, respelled and foreign tokens", () =>
    Effect.gen(function* () {
      const { interview, open } = yield* links(1)
      const whole = token(interview({ _tag: "Invitation", id: InvitationId.make(id) }))
      for (let i = 0; i < whole.length; i++) {
        const other = whole[i] === "A" ? "B" : "A"
        assert.isUndefined(open(whole.slice(0, i) + other + whole.slice(i + 1)))
        assert.isUndefined(open(whole.slice(0, i)))
      }
      for (const wrong of [`${whole}A`, `${whole}=`, ` ${whole}`, id, "", "%00", "ü", "x".repeat(100_000)]) {
        assert.isUndefined(open(wrong))
      }
      assert.isUndefined((yield* links(2)).open(whole))
    }),
  )

  it.effect("reads tokens signed with an older key", () =>
    Effect.gen(function* () {
      const key = { _tag: "Invitation", id: InvitationId.make(id) } as const
      const old = token((yield* links(1)).interview(key))
      const during = yield* links(2, 1)
      assert.deepStrictEqual(during.open(old), key)
      assert.notStrictEqual(token(during.interview(key)), old)
    }),
  )
})
