/** Texts that parsers, databases and pages may fail on, and their URL encodings. */
import type { Random } from "./Random.ts"

const nil = "00000000-0000-0000-0000-000000000000"

const ids = [
  nil,
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "01970000-0000-7000-8000-000000000000",
  `{${nil}}`,
  `${nil}\0`,
]

const numbers = [
  ...["0", "-0", "-1", "1", "2", "1.5", "1e3", "1e400", "-1e400", "0x10", "NaN", "Infinity", "+1", " 1 ", "١"],
  ...["2147483647", "2147483648", "-2147483649", "9007199254740993", "9223372036854775808", "9".repeat(40)],
]

const moments = [
  ...["0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", "2026-02-30", "2026-13-01", "infinity", "-infinity"],
  ...["now", "epoch", "0000-01-01T00:00", "9999-12-31T23:59", "2026-03-29T02:30", "+275760-09-13T00:00:00.000Z"],
  ...["-271821-04-20T00:00:00.000Z", "2026-01-01T24:00:00Z", "24h", "1e9d", "-5m", "999999999999999d"],
  ...["2030-01-01T00:00:00+16:00", "2030-01-01T00:00:00-23:59", "0000-06-01T00:00:00Z", "0001-01-01T00:00:00+23:59"],
  ...["9999-12-31T23:59:59-23:59", `2030-01-01T00:00:00.${"1".repeat(300)}Z`, "2030-01-01T00:00:00-00:00"],
]

const texts = [
  ...[
    "",
    " ",
    "\t",
    "\0",
    "a\0b",
    "\r\nset-cookie: a=b",
    "\u202e",
    "\u200f\u2066",
    "\ufeff",
    "\ufffe",
    "\ud800",
    "a\udc00b",
  ],
  ...[
    "%",
    "%zz",
    "%00",
    "+",
    "&",
    "=",
    ";",
    "..",
    "../../etc/passwd",
    "//evil.example",
    "\\\\evil.example",
    "/\t/evil",
  ],
  ...["'", "\"'><script>alert(1)</script>", "$1", "{{name}}", "{{token}}", "__proto__", "constructor", "toString"],
  ...[
    "null",
    "true",
    "undefined",
    "[]",
    "{}",
    "👩‍👩‍👧‍👦",
    `e${"\u0301".repeat(60)}`,
    "İ",
    "ß",
    "ﬀ",
    "\u2028",
    "\x7f",
    "\x1b[31m",
  ],
  ...[
    "a".repeat(300),
    "x".repeat(5_000),
    "\u{1f600}".repeat(1_500),
    "a ".repeat(900),
    "(".repeat(400),
    "-".repeat(400),
  ],
]

const addresses = [
  ...["a@b", "@", "a@", "A@EXAMPLE.COM", '"a b"@example.com', "a@[127.0.0.1]", "a@xn--.example", "ü@bücher.example"],
  ...[
    "a@example.com\r\nbcc: b@example.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b.".repeat(120)}example`,
    "a..b@example.com",
  ],
]

const links = [
  ...[
    "https://127.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "https://0x7f.1/",
    "https://user:pass@example.com/",
  ],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://exa mple/",
    "https://xn--/",
    "https://İ.example/",
  ],
  ...[
    "https://example.com:99999/",
    "https://",
    "https:///x",
    `https://example.com/${"a".repeat(3_000)}`,
    "HTTPS://EXAMPLE.COM/%zz",
  ],
]

const tables = [
  "Name,Email\nAda,ada@example.com\nBo,bo@example.com",
  'Name\tEmail\tCV\n"Ada\tada@example.com\t\n"',
  `Email\n${"a@example.com\n".repeat(200)}`,
  "Name;Email\n;;;;;\n\0;\ud800",
  ",".repeat(3_000),
]

const cursors = [
  ...[
    "9999-12-31T23:59:59.999999Z",
    "0000-01-01T00:00:00.000000Z",
    "2026-02-30T00:00:00.000000Z",
    "infinity",
    "-1",
    "99.9",
  ],
].flatMap((at) =>
  ["", "projects ", "submissions ", "submissions.best ", "invitations ", "events "].map((list) =>
    Buffer.from(`${list}${at} ${nil}`).toString("base64url"),
  ),
)

const groups = [ids, numbers, moments, texts, texts, addresses, links, tables, cursors]

/** A text of one of the groups; sometimes joined with another, cut, or in upper case. */
export const junk = (random: Random): string => {
  const one = () => random.oneOf(random.oneOf(groups) ?? texts) ?? ""
  const text = one()
  const way = random.below(12)
  if (way === 0) return text + one()
  if (way === 1) return text.slice(0, random.below(text.length + 1))
  return way === 2 ? text.toUpperCase() : text
}

export const quantity = (random: Random): string => random.oneOf(random.chance(0.5) ? numbers : moments) ?? ""

const hex = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, "0")}`)
const spelt = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => hex[byte]).join("")

/** In UTF-8; half of a surrogate pair as the three bytes that UTF-8 forbids. */
const beyond = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return code >= 0xd800 && code <= 0xdfff
    ? spelt([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)])
    : spelt(Buffer.from(character))
}

const table = (kept: RegExp) =>
  Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return kept.test(character) ? character : (hex[code] ?? "")
  })

/** Encodings: strict; with bare percent signs and slashes; with bare percent and plus signs; everything encoded. */
const [strict = [], ...odd] = [/[\w.~-]/, /[\w.~/%-]/, /[\w.~%+-]/, /(?!)/].map(table)

export const encoded = (text: string, random: Random): string => {
  const spelling = odd[random.below(20)] ?? strict
  let out = ""
  for (const character of text) out += spelling[character.charCodeAt(0)] ?? beyond(character)
  return out
}
