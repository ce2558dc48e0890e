import { assert, describe, it } from "@effect/vitest"
import {
  addressFault,
  asciiAddress,
  cleanAddress,
  foldAddress,
  isEmailAddress,
  mailtoOf,
  parseMailbox,
} from "../../src/values/EmailAddress.ts"

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

describe("cleanAddress", () => {
  it.each([
    "\u200bada@example.com",
    "ada@exam\u00adple.com",
    "ada\u2060@example.com\ufeff",
    "\u00a0 ada@example.com\u3000",
    "\u202aada@example.com\u202c",
    "mailto:ada@example.com",
    "MAILTO: ada%40example.com?subject=Hello",
    "E-Mail: ada@example.com",
    "<ada@example.com>",
    "Ada Lovelace <ada@example.com>",
    "[ada@example.com](mailto:ada@example.com)",
    "ada@example.com.",
    "ada@example.com;",
    "(ada@example.com),",
    "'ada@example.com'",
    "'ada@example.com",
    "\u201cada@example.com\u201d",
    "ada\uff20example.com",
    "\uff41\uff44\uff41\uff20\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45\uff0e\uff43\uff4f\uff4d",
    "ada@example.com\u3002",
  ])("reads ada@example.com from %j", (text) => {
    assert.strictEqual(cleanAddress(text), "ada@example.com")
  })

  it.each(["ada@example", "ada lovelace@example.com", "ädä@example.com", "a@example.com, b@example.com", "", "<>"])(
    "returns %j unchanged",
    (text) => {
      assert.strictEqual(cleanAddress(text), text)
    },
  )

  it.each(["\u200c", "\u200d"])(
    "keeps a joiner between letters of a domain, which would be another without it",
    (joiner) => {
      for (const address of [`ada@نامه${joiner}ای.example`, `ada@क्${joiner}ष.example`]) {
        assert.strictEqual(cleanAddress(address), address)
        assert.isFalse(isEmailAddress(address))
      }
      for (const address of [`ada${joiner}@example.com`, `${joiner}a${joiner}da@example.com${joiner}`])
        assert.strictEqual(cleanAddress(address), "ada@example.com")
    },
  )

  it("keeps what belongs to an address", () => {
    for (const one of ["o'neill@example.com", "ada+jobs@example.com", "ada@bücher.example"]) {
      assert.strictEqual(cleanAddress(` ${one}, `), one)
    }
    assert.deepStrictEqual(parseMailbox("Ada <mailto:ada@example.com>,"), { name: "Ada", address: "ada@example.com" })
  })
})

describe("addressFault", () => {
  it.each([
    ["ada@example.com", undefined],
    ["ada.example.com", "has no @"],
    ["ada lovelace@example.com", "has a space"],
    ["ada@example.com; eva@example.com", "holds more than one address"],
    ["ada@example.com/eva@example.com", "holds more than one address"],
    ["ada@example.com|eva@example.com", "holds more than one address"],
    ["ada@@example.com", "has more than one @"],
    ["@example.com", "has nothing before the @"],
    ["ada@", "has nothing after the @"],
    ["ädä@example.com", "has “ä” (U+00E4) before the @"],
    ["\u0430da@example.com", "has “\u0430” (U+0430) before the @"],
    ["ad\u200ba@example", "has an invisible character (U+200B) before the @"],
    ["ada..l@example.com", "has a dot too many before the @"],
    ["ada@example", "has no dot after the @"],
    ["ada@exam_ple.com", "has “_” after the @"],
    ["ada@example..com", "has a dot too many after the @"],
    [`${"a".repeat(65)}@example.com`, "is too long"],
    [`${"@".repeat(50_000)}${",".repeat(50_000)}`, "is too long"],
    ["ada@نامه\u200cای.example", "has an invisible character (U+200C) after the @"],
    ["ada@-example.com", "has a domain that is not valid"],
  ] as const)("says that %j %s", (text, fault) => {
    assert.strictEqual(addressFault(text), fault)
  })
})
