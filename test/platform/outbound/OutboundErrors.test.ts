import { assert, describe, it } from "@effect/vitest"
import { connectTimedOut, isOurs } from "../../../src/platform/outbound/OutboundErrors.ts"

const failure = (code: string, address = "8.8.8.8") => Object.assign(new Error(code), { code, address })

describe("isOurs", () => {
  it.each(["EADDRNOTAVAIL", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])("%s is this machine's fault", (code) => {
    assert.isTrue(isOurs(failure(code)))
  })

  it("a receiver that can not be reached is not, nor one with IPv6 alone where this machine has none", () => {
    assert.isFalse(isOurs(failure("ECONNREFUSED")))
    assert.isFalse(isOurs(failure("ENETUNREACH")))
    assert.isFalse(isOurs(failure("EADDRNOTAVAIL", "2606:4700::1111")))
  })
})

describe("connectTimedOut", () => {
  it("says how long it was waited", () => {
    const message = (timeout: number) => connectTimedOut("receiver.test", "connect", timeout).message
    assert.strictEqual(message(1000), "No connection could be made within 1 second")
    assert.strictEqual(message(10_000), "No connection could be made within 10 seconds")
    assert.strictEqual(message(500), "No connection could be made within 0.5 seconds")
  })
})
