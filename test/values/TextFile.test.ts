import { assert, describe, it } from "@effect/vitest"
import { decodeAs, encodingNamed } from "../../src/values/CodePages.ts"
import { decodeText, notTextOf } from "../../src/values/TextFile.ts"

const text = "Name;E-Mail\r\nÉva Müller;eva@example.com\r\n"
const utf16be = (content: string) => Buffer.from(content, "utf16le").swap16()
const utf32 = (content: string, isLittle: boolean) => {
  const codes = Array.from(content, (one) => one.codePointAt(0) ?? 0)
  const bytes = Buffer.alloc(codes.length * 4)
  for (const [i, code] of codes.entries())
    isLittle ? bytes.writeUInt32LE(code, i * 4) : bytes.writeUInt32BE(code, i * 4)
  return bytes
}

const isSingleByte = (encoding: string) => /^(windows|iso-8859|koi8|ibm|mac|x-mac)/.test(encoding)

/** Encodes by trying all characters of one and two bytes. */
const encoderOf = (encoding: string) => {
  const known = new Map<string, ReadonlyArray<number>>()
  const put = (...bytes: ReadonlyArray<number>) => {
    const character = decodeAs(Uint8Array.from(bytes), encoding)
    if ([...character].length === 1 && character !== "\ufffd" && !known.has(character)) known.set(character, bytes)
  }
  for (let byte = 0; byte < 256; byte++) put(byte)
  if (!isSingleByte(encoding)) {
    for (let lead = 0x81; lead < 255; lead++) for (let trail = 0x40; trail < 255; trail++) put(lead, trail)
  }
  return (content: string): Uint8Array =>
    Uint8Array.from(
      Array.from(content).flatMap((one) => {
        const bytes = known.get(one)
        if (bytes === undefined) throw new Error(`${one} is not in ${encoding}`)
        return bytes
      }),
    )
}

describe("decodeText", () => {
  it.each([
    ["utf-8", Buffer.from(text)],
    ["utf-8", Buffer.from(`\ufeff${text}`)],
    ["utf-16le", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["utf-16le", Buffer.from(text, "utf16le")],
    ["utf-16be", utf16be(`\ufeff${text}`)],
    ["utf-16be", utf16be(text)],
    ["utf-32le", utf32(`\ufeff${text}`, true)],
    ["utf-32le", utf32(text, true)],
    ["utf-32be", utf32(`\ufeff${text}`, false)],
    ["utf-32be", utf32(text, false)],
    ["windows-1252", Buffer.from(text, "latin1")],
  ])("reads %s", (encoding, bytes) => {
    assert.deepStrictEqual(decodeText(bytes), { text, encoding, isCertain: true })
  })

  it.each([
    ["utf-16le", Buffer.from("Иван Петров\r\nОльга Смирнова\r\n", "utf16le")],
    ["utf-16be", utf16be("王伟\r\n李娜\r\n")],
  ])("reads %s of other scripts without a byte order mark", (encoding, bytes) => {
    assert.strictEqual(decodeText(bytes).encoding, encoding)
    assert.match(decodeText(bytes).text, /^(Иван|王伟)/)
  })

  // each is read wrongly in the encoding of Western Windows, and as short as an export of one or two candidates
  it.each([
    ["windows-1252", "Jürg Müller", "François Lefèvre", "José Muñoz", "Søren Kjær", "Guðrún Þórsdóttir", "João Leitão"],
    [
      "macintosh",
      "Jürg",
      "Jürg Schöni",
      "François Lefèvre",
      "Søren Kjær",
      "Björn Åkesson",
      "José Muñoz",
      "João Leitão",
    ],
    ["ibm850", "Jürg", "Jürg Schöni", "François Lefèvre"],
    ["windows-1250", "Łukasz", "Łukasz Wiśniewski", "Jiří Dvořák", "Željko Šarić", "Gergő Szűcs"],
    ["iso-8859-2", "Łukasz Wiśniewski", "Tomáš Dvořák, Jiří Černý"],
    ["ibm852", "Łukasz Wiśniewski"],
    ["x-mac-ce", "Łukasz Wiśniewski", "Jiří Dvořák"],
    ["windows-1251", "Иван Петров", "ИВАН ПЕТРОВ", "Олексій Їжак"],
    ["koi8-u", "Иван Петров"],
    ["ibm866", "Иван Петров"],
    ["x-mac-cyrillic", "Иван Петров"],
    ["windows-1253", "Γιώργος Παπαδόπουλος"],
    ["windows-1254", "Yılmaz Şahin", "Çağlar Öztürk, İpek Yıldız"],
    ["windows-1255", "דוד כהן"],
    ["windows-1256", "محمد علي"],
    ["windows-1257", "Jānis Bērziņš", "Žydrūnas Šaulys, Jūratė Ščiukaitė"],
    ["windows-874", "สมชาย ใจดี"],
    ["gb18030", "王伟", "李娜,欧阳修"],
    ["big5", "王偉", "陳淑芬"],
    ["shift_jis", "田中太郎", "ｻﾄｳ ﾊﾅｺ", "さくら"],
    ["euc-jp", "田中太郎 さくら"],
    ["euc-kr", "김민준", "이서연"],
  ])("guesses %s from names", (encoding, ...names) => {
    const encode = encoderOf(encoding)
    for (const name of names) {
      const table = `Name,Email\r\n${name},one@example.com\r\n`
      assert.strictEqual(decodeText(encode(table)).text, table)
    }
  })

  // as the text of a CV, for which no page asks for the encoding
  it.each([
    "I managed a £2m budget.",
    "Owner of a P&L of £2m, 40 people, 3 sites.",
    "Copyright © 2020 Ada Lovelace",
    "See § 5 of the law",
    "1½ years, ½ day a week",
    "Tolerance ± 5 percent",
    "CO², m²",
    "Acme® certified, Widget™ maker",
    "A resolution of 10 µm",
    "¡Hola! ¿Que tal? Trabajo en Madrid",
    "Grew revenue by 30% – from €2m to €5m • led a team… “fast”",
    "It’s my company’s 5°C store, 25 °C max.",
    "Ich habe in München Budgets von 2 Mio. € geführt (§ 5 GmbHG).",
    "Größe: 40 m², 1½ Jahre Prüfung ± 5 %, Qualität",
    "J’ai géré un budget de 2 M€ à Orléans, n° 1 en France.",
    "Ingénieur diplômé en 2010, « très bon » élève, Prix № 1".replace("№", "n°"),
    "¡Hola! Soy José, diseñador en España, 3º año, 25 °C.",
    "Gestión de 2 M€, ¿cuántos años? Más de 5 años.",
    "Résumé of a café manager, £50k–£60k, travail à 50 %",
    "à 5 €, n.º 3",
    "naïve",
  ])("reads windows-1252: %s", (content) => {
    assert.strictEqual(decodeText(encoderOf("windows-1252")(content)).text, content)
  })

  it.each(["Ɓello Ƙasim", "Dɛnkyira", "ޢަލީ އިބްރާހިމް", "ܐܒܪܗܡ", "Ŋgũgĩ wa Thiong’o", "ꦗꦮ", "Ƣazi"])(
    "reads valid UTF-8 of rare letters as UTF-8: %s",
    (content) => {
      for (const all of [content, `Name,Email\r\n${content},one@example.com\r\n`]) {
        const { encoding, text } = decodeText(Buffer.from(all))
        assert.deepStrictEqual([encoding, text], ["utf-8", all])
      }
    },
  )

  it("guesses windows-1258, whose tones are combining characters, and returns composed letters", () => {
    // Nguyễn Thị Hòa
    const bytes = [..."Nguy"].map((one) => one.charCodeAt(0)).concat([0xea, 0xde, 0x6e, 0x20, 0x54, 0x68, 0x69, 0xf2])
    const all = Uint8Array.from([...bytes, 0x20, 0x48, 0x6f, 0xcc, 0x61, 0x0a])
    assert.strictEqual(decodeText(all).text, "Nguyễn Thị Hòa\n".normalize("NFC"))
  })

  it("says when a guess is in doubt", () => {
    assert.isTrue(decodeText(encoderOf("windows-1250")("Łukasz Wiśniewski")).isCertain)
    assert.isFalse(decodeText(Uint8Array.from([0x41, 0xb9, 0x41])).isCertain)
  })

  it.each([
    ["Jürg Müller, Zürich", "windows-1252"],
    ["Zoë Łukasz Šafářová “quoted” – 10 €", "windows-1252"],
    ["Đặng Thị Hồng", "windows-1252"],
    ["Jürg à la carte", "latin1"],
  ])("repairs %j that was encoded twice, read as %s between", (text, encoding) => {
    const once = new TextDecoder(encoding).decode(Buffer.from(text))
    assert.deepStrictEqual(decodeText(Buffer.from(once)), { text, encoding: "utf-8", isCertain: true })
  })

  it.each(["JÃ¼rg and Jürg", "JÃ¼rg 東京", "SÃO PAULO", "Ã", "Citroën Âge"])("leaves %j as it is", (text) => {
    assert.strictEqual(decodeText(Buffer.from(text)).text, text)
  })

  it("uses the given encoding, unless it is unknown or the bytes are malformed in it", () => {
    const bytes = encoderOf("windows-1250")("£ukasz Łuk".replace("£", "Ł"))
    assert.strictEqual(decodeText(bytes, "Windows-1252").text, "£ukasz £uk")
    assert.strictEqual(decodeText(bytes, "cp1250").text, "Łukasz Łuk")
    assert.strictEqual(decodeText(bytes, "utf-8").text, "Łukasz Łuk")
    assert.strictEqual(decodeText(bytes, "no-such").text, "Łukasz Łuk")
    assert.deepStrictEqual(["UTF8", " cp852 ", "mac", "x-mac-ce", "utf-32", "nonsense"].map(encodingNamed), [
      "utf-8",
      "ibm852",
      "macintosh",
      "x-mac-ce",
      "utf-32le",
      undefined,
    ])
  })

  it("reads ISO-2022-JP, and UTF-8 with a cut character", () => {
    const jis = Buffer.from([0x1b, 0x24, 0x42, 0x45, 0x44, 0x43, 0x66, 0x1b, 0x28, 0x42])
    assert.strictEqual(decodeText(jis).text, "田中")
    const cut = Buffer.concat([Buffer.from("Müller Schöne Größe Äpfel Jürg Ł").subarray(0, -1), Buffer.from(", Zoë")])
    assert.strictEqual(decodeText(cut).text, "Müller Schöne Größe Äpfel Jürg \ufffd, Zoë")
  })

  it("reads the euro sign of Windows-1252, and UTF-8 that begins with ASCII", () => {
    assert.strictEqual(decodeText(Buffer.from([0x35, 0x20, 0x80])).text, "5 €")
    assert.strictEqual(decodeText(Buffer.from(`${"a".repeat(500)}é`)).text, `${"a".repeat(500)}é`)
  })
})

describe("notTextOf", () => {
  it.each([
    ["empty", Buffer.from("")],
    ["empty", Buffer.from("\ufeff \r\n")],
    ["workbook", Buffer.from("PK\u0003\u0004rest")],
    ["workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
    ["binary", Buffer.from("%PDF-1.7 text")],
    ["binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1])],
    [undefined, Buffer.from(text)],
  ] as const)("returns %s", (reason, bytes) => {
    assert.strictEqual(notTextOf(bytes, decodeText(bytes).text), reason)
  })
})
