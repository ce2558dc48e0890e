import { assert, describe, it } from "@effect/vitest"
import { asciiAddress, foldAddress, isEmailAddress, mailtoOf } from "../../src/values/EmailAddress.ts"

describe("addresses with internationalized domains", () => {
  it.each([
    ["ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["Ada@BÜCHER.example", "Ada@xn--bcher-kva.example"],
    ["ada@faß.example", "ada@xn--fa-hia.example"],
    ["ada@münchen。example", "ada@xn--mnchen-3ya.example"],
    ["ada@例え.テスト", "ada@xn--r8jz45g.xn--zckzah"],
    ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
    ["ada@Example.com", "ada@Example.com"],
    ["ädä@example.com", "ädä@example.com"],
  ])("writes %s as %s for mail servers", (address, ascii) => {
    assert.strictEqual(asciiAddress(address), ascii)
    assert.strictEqual(foldAddress(address), foldAddress(ascii))
  })

  it.each(["ada@bücher.example", "ada@xn--bcher-kva.example", "ada@例え.テスト", "ada@example.com"])(
    "accepts %s",
    (text) => {
      assert.isTrue(isEmailAddress(text))
    },
  )

  it.each([
    "ädä@example.com",
    "ada@bücher",
    "ada@bücher..example",
    "ada@-bücher.example/x",
    "ada@bü cher.example",
    "ada@bücher.example:25",
    "ada@ü%41.example",
    "ada@１２７.１",
    "ada@１.２.３.４",
    "bücher.example",
    "ada@@bücher.example",
    `ada@${"ü".repeat(64)}.example`,
    `ada@${"bücher.".repeat(40)}example`,
  ])("refuses %s", (text) => {
    assert.isFalse(isEmailAddress(text))
  })

  it("are written in ASCII in mailto links", () => {
    assert.strictEqual(mailtoOf("a?b@bücher.example"), "mailto:a%3Fb@xn--bcher-kva.example")
  })
})
