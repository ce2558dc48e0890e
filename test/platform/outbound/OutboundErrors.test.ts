import { assert, describe, it } from "@effect/vitest"
import { connectTimedOut, isOurs } from "../../../src/platform/outbound/OutboundErrors.ts"

const failure = (code: string, address = "8.8.8.8") => Object.assign(new Error(code), { code, address })

describe("isOurs", () => {
  it.each(["EADDRNOTAVAIL", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])("%s is an error of this machine", (code) => {
    assert.isTrue(isOurs(failure(code)))
  })

  it("an unreachable receiver is not, nor an IPv6 receiver when this machine has no IPv6", () => {
    assert.isFalse(isOurs(failure("ECONNREFUSED")))
    assert.isFalse(isOurs(failure("ENETUNREACH")))
    assert.isFalse(isOurs(failure("EADDRNOTAVAIL", "2606:4700::1111")))
  })
})

describe("connectTimedOut", () => {
  it("names the timeout", () => {
    const message = (timeout: number) => connectTimedOut("receiver.test", "connect", timeout).message
    assert.strictEqual(message(1000), "No connection could be made within 1 second")
    assert.strictEqual(message(10_000), "No connection could be made within 10 seconds")
    assert.strictEqual(message(500), "No connection could be made within 0.5 seconds")
  })
})
