import { assert, describe, it } from "@effect/vitest"
import { readBounceReport } from "../../src/emails/BounceReport.ts"
import { byEnvelope, complaint, encoded, exchange, mailId, others, postfix } from "../support/bounces.ts"

const crlf = (message: string) => message.replaceAll("\n", "\r\n")

describe("readBounceReport", () => {
  for (const [ending, of] of [
    ["LF", (message: string) => message],
    ["CRLF", crlf],
  ] as const) {
    it(`reads reports of common servers with ${ending} line ends`, () => {
      assert.deepStrictEqual(readBounceReport(of(postfix())), {
        emailId: mailId,
        kind: "bounce",
        status: "5.1.1",
        diagnostic: "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown",
      })
      assert.deepStrictEqual(readBounceReport(of(exchange)), {
        emailId: mailId,
        kind: "bounce",
        status: "5.7.129",
        diagnostic: "550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission",
      })
      const bare = { emailId: mailId, kind: "bounce", diagnostic: null } as const
      assert.deepStrictEqual(readBounceReport(of(byEnvelope)), { ...bare, status: "4.4.7" })
      assert.deepStrictEqual(readBounceReport(of(encoded)), { ...bare, status: "5.2.2" })
    })
  }

  it.each([
    ["failed", "bounce"],
    ["Failed", "bounce"],
    ["delivered", "delivered"],
    ["delayed", "deferred"],
    ["relayed", "deferred"],
    ["expanded", "deferred"],
  ])("reads Action: %s as %s", (action, kind) => {
    assert.strictEqual(readBounceReport(postfix({ action }))?.kind, kind)
  })

  it("reports a bounce when one of several recipients failed", () => {
    const [head = "", tail = ""] = postfix({ action: "delayed" }).split("\nFinal-Recipient:")
    const two = `${head}\nFinal-Recipient: rfc822; ada@other.example\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient:${tail}`
    assert.strictEqual(readBounceReport(two)?.kind, "delivered")
    assert.strictEqual(readBounceReport(two.replace("Action: delayed", "Action: failed"))?.kind, "bounce")
  })

  it("reads a complaint as a spam report", () => {
    assert.deepStrictEqual(readBounceReport(complaint()), {
      emailId: mailId,
      kind: "spamreport",
      status: null,
      diagnostic: null,
    })
  })

  it.each(Object.entries(others))("returns undefined for %s", (_, message) => {
    assert.isUndefined(readBounceReport(message))
    assert.isUndefined(readBounceReport(crlf(message)))
  })

  it("accepts truncated and corrupted reports without throwing", () => {
    const whole = postfix()
    for (let i = 0; i < whole.length; i += 7) {
      readBounceReport(whole.slice(0, i))
      readBounceReport(`${whole.slice(0, i)}\u0000${whole.slice(i + 1)}`)
    }
  })

  it("reads hostile messages in linear time", () => {
    const nested = Array.from({ length: 5_000 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`)
    for (const hostile of [
      nested.join(""),
      `Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\n".repeat(200_000)}`,
      `Content-Type: multipart/report; ${";boundary ".repeat(100_000)}\n\n`,
      `X: ${"\n ".repeat(500_000)}\n\n`,
      `Content-Type: message/delivery-status\nContent-Transfer-Encoding: quoted-printable\n\n${" \t".repeat(200_000)}=`,
    ]) {
      assert.isUndefined(readBounceReport(hostile))
    }
  }, 10_000)
})
