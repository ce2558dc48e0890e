/** Hostile requests: bodies, queries and headers that are cheap to send and expensive to parse. */
import { randomUUID } from "node:crypto"
import { form, type Hostile } from "./send.ts"
import { crowd, largestBody, limits } from "./settings.ts"
import type { Stage } from "./stage.ts"

/** One row of the report. Cases are measured separately; the row shows the worst. */
export interface Shape {
  readonly name: string
  /** Milliseconds. */
  readonly limit: number
  /** Cases by name. All requests of a case are sent at once. */
  readonly cases: Readonly<Record<string, ReadonlyArray<Hostile>>>
  /** Accepted statuses. When undefined any is accepted, as a server may refuse or serve the request. */
  readonly expected?: ReadonlyArray<number>
  readonly connections?: number
}

const filled = (piece: string, size = largestBody): Buffer => Buffer.alloc(size, piece)

/** Joins numbered pieces up to `size` bytes. */
const numbered = (piece: (i: number) => string, size = largestBody): Buffer => {
  const pieces: Array<string> = []
  for (let i = 0, length = 0; ; i++) {
    const next = piece(i)
    length += next.length
    if (length > size) return Buffer.from(pieces.join(""))
    pieces.push(next)
  }
}

const set = "/company/integration/interview/set/v1"
const invite = "/company/integration/interview/candidate/invite/v1"

/** Targets of forms that need no account. */
const formTargets = (token: string): ReadonlyArray<string> => [
  "/sign-in",
  "/forgot-password",
  "/setup",
  "/password/x",
  `/i/${"A".repeat(44)}/answers`,
  `/i/${token}/answers`,
  "/unsubscribe/x",
  "/providers/sendgrid/events",
  "/providers/postmark/events",
  "/providers/mailgun/events",
  "/providers/ses/events",
]

/** Replaces link tokens in the report by their kind. */
const caseName = (path: string, token: string): string =>
  path.replace(token, "<link>").replace("A".repeat(44), "<unknown>")

const formCases = (token: string, type: string, body: Buffer): Shape["cases"] =>
  Object.fromEntries(
    formTargets(token).map((path) => [
      caseName(path, token),
      [
        {
          method: "POST",
          path,
          headers: {
            "content-type": type,
            // without this header the request is refused before its body is read
            "x-twilio-email-event-webhook-signature": "MEUCIQ==",
            "x-twilio-email-event-webhook-timestamp": String(Math.floor(Date.now() / 1000)),
          },
          body,
        },
      ],
    ]),
  )

const forms: Readonly<Record<string, Buffer>> = {
  "a&a&…": filled("a&"),
  "a=&a=&…": filled("a=&"),
  "many names": numbered((i) => `a${i}=1&`),
  "percent signs": filled("%"),
  "encoded bytes": filled("a=%C3%28&"),
  "plus signs": Buffer.concat([Buffer.from("a="), filled("+", largestBody - 2)]),
  "deep brackets": Buffer.concat([Buffer.from("a"), filled("[a]", largestBody - 3), Buffer.from("=1")]),
  "one huge value": Buffer.concat([Buffer.from("email="), filled("x", largestBody - 6)]),
}

const multiparts: Readonly<Record<string, Buffer>> = {
  "many parts": filled('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'),
  "many files": filled('--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n\r\n'),
  "a huge header": Buffer.concat([Buffer.from("--x\r\nContent-Disposition: "), filled("a", largestBody - 27)]),
  "many headers": Buffer.concat([Buffer.from("--x\r\n"), filled("a: b\r\n", largestBody - 5)]),
  "never closed": Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
    filled("\r\n--", largestBody - 60),
  ]),
}

const json = { "content-type": "application/json" }
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

/** JSON bodies by name. Only requests with a key have their body read. */
const documents = (setId: string): Readonly<Record<string, readonly [path: string, body: Buffer | string]>> => ({
  "nested lists": [set, `{"title":${nested(100_000, "[", "]")}}`],
  "nested objects": [set, `{"attributes":${nested(100_000, '{"a":', "}").replace(":}", ":1}")}}`],
  "only [": [set, filled("[")],
  "only {": [set, filled('{"a":')],
  "200,000 keys": [
    set,
    Buffer.concat([Buffer.from('{"title":"x"'), numbered((i) => `,"k${i}":0`, 200_000 * 10), Buffer.from("}")]),
  ],
  "one key 200,000 times": [set, `{${'"title":"x",'.repeat(150_000)}"title":"y"}`],
  "never closed": [set, Buffer.concat([Buffer.from('{"iai_questions":['), filled('{"title":"x"},', largestBody - 20)])],
  zeros: [set, `{"iai_questions":[${"0,".repeat(1_000_000)}0]}`],
  "a huge string": [set, Buffer.concat([Buffer.from('{"title":"'), filled("x", largestBody - 12), Buffer.from('"}')])],
  "a huge number": [set, Buffer.concat([Buffer.from('{"priority":'), filled("9", largestBody - 13), Buffer.from("}")])],
  escapes: [set, Buffer.concat([Buffer.from('{"title":"'), filled("\\u0000", 2_097_120), Buffer.from('"}')])],
  "200,000 wrong candidates": [invite, `{"com_interview_set_id":"${setId}","candidates":[${"{},".repeat(199_999)}{}]}`],
  "200,000 candidates that are numbers": [
    invite,
    `{"com_interview_set_id":"${setId}","candidates":[${"0,".repeat(199_999)}0]}`,
  ],
  "40,000 candidates with wrong addresses": [
    invite,
    `{"com_interview_set_id":"${setId}","candidates":[${'{"email":"a@b@c.example","cv_link":1},'.repeat(40_000).slice(0, -1)}]}`,
  ],
  "5,000 requirements": [
    set,
    JSON.stringify({ title: "x", iai_requirements: Array(5_000).fill({ title: "PostgreSQL" }) }),
  ],
  "12,000 questions": [
    set,
    JSON.stringify({
      title: "x",
      iai_questions: Array(12_000).fill({ title: "x", question_mode: "interview", question_type: "text" }),
    }),
  ],
})

const get = (path: string, headers: Record<string, string> = {}): Hostile => ({ method: "GET", path, headers })

const queries = (token: string): Readonly<Record<string, Shape["cases"]>> => {
  const long = (piece: string) => piece.repeat(Math.floor(14_000 / piece.length))
  const to = (query: string) =>
    Object.fromEntries(
      ["/sign-in", "/", `/i/${token}`, "/submissions", "/company/integration/hiring/submissions/v1", "/nowhere"].map(
        (path) => [caseName(path, token), Array.from({ length: 10 }, () => get(`${path}?${query}`))],
      ),
    )
  return {
    "queries of 14 KB: a&a&…": to(long("a&")),
    "queries of 14 KB: next": to(`next=/${long("%2F")}`),
    "queries of 14 KB: brackets": to(`a${long("[a]")}=1`),
  }
}

const headersOf = (token: string): Readonly<Record<string, Shape["cases"]>> => {
  const to = (headers: Record<string, string>) =>
    Object.fromEntries(
      ["/sign-in", `/i/${token}`, "/submissions", "/company/integration/me/v1"].map((path) => [
        caseName(path, token),
        Array.from({ length: 10 }, () => get(path, headers)),
      ]),
    )
  return {
    "cookies of 14 KB": to({ cookie: "a=b; ".repeat(2_800) }),
    "cookies of 14 KB without values": to({ cookie: ";".repeat(14_000) }),
    "languages of 14 KB": to({ "accept-language": "a-b-c-d,".repeat(1_750) }),
    "addresses of 14 KB": to({ "x-forwarded-for": "127.0.0.1,".repeat(1_400) }),
    "accept of 14 KB": to({ accept: "a/b;q=0.1,".repeat(1_400) }),
  }
}

const shapesOf = (table: Readonly<Record<string, Shape["cases"]>>, limit: number): ReadonlyArray<Shape> =>
  Object.entries(table).map(([name, cases]) => ({ name, limit, cases }))

/** Requests without an account. */
export const strangers = ({ account: { set: setId, token } }: Stage): ReadonlyArray<Shape> => [
  ...Object.entries(forms).map(([name, body]) => ({
    name: `form: ${name}`,
    limit: limits.stranger,
    cases: formCases(token, form, body),
  })),
  ...Object.entries(multiparts).map(([name, body]) => ({
    name: `multipart: ${name}`,
    limit: limits.stranger,
    cases: formCases(token, "multipart/form-data; boundary=x", body),
  })),
  ...shapesOf(
    {
      "JSON without a key": Object.fromEntries(
        Object.entries(documents(setId)).map(([name, [path, body]]) => [
          name,
          [{ method: "POST", path, headers: json, body }],
        ]),
      ),
      ...queries(token),
      ...headersOf(token),
      "2,000 unknown links": {
        "/i/": Array.from({ length: 2_000 }, () => get(`/i/${randomUUID().replaceAll("-", "").padEnd(44, "A")}`)),
      },
      "2,000 unknown keys": {
        "/company/": Array.from({ length: 2_000 }, () =>
          get("/company/integration/me/v1", { "x-api-key": `${randomUUID()}.${"a".repeat(43)}` }),
        ),
      },
    },
    limits.stranger,
  ),
  {
    name: `${crowd.size} sign-ins at once`,
    limit: crowd.size * crowd.each,
    connections: crowd.size,
    cases: {
      "/sign-in": Array.from({ length: crowd.size }, (_, i) => ({
        method: "POST",
        path: "/sign-in",
        headers: { "content-type": form },
        body: `email=nobody.${i}@example.com&password=wrong`,
      })),
    },
  },
]

/** Requests with an API key or a member's session. */
export const insiders = ({ account: { key, set: setId }, cookie }: Stage): ReadonlyArray<Shape> => {
  const page = (path: string, body: Buffer | string): Hostile => ({
    method: "POST",
    path,
    headers: { "content-type": form, cookie },
    body,
  })
  const search = (words: string) =>
    Object.fromEntries(
      ["/submissions", "/invitations", "/interview-sets", "/projects", "/settings/people", "/settings/audit"].map(
        (path) => [path, [get(`${path}?q=${encodeURIComponent(words).slice(0, 14_000)}`, { cookie })]],
      ),
    )
  const table = (text: Buffer) => Buffer.concat([Buffer.from(`id=${randomUUID()}&send=mails&table=`), text])
  return [
    ...Object.entries(documents(setId)).map(
      ([name, [path, body]]): Shape => ({
        name: `JSON: ${name}`,
        limit: limits.member,
        cases: { [path]: [{ method: "POST", path, headers: { ...json, "x-api-key": key }, body }] },
      }),
    ),
    ...shapesOf(
      {
        "invite: a huge table": {
          addresses: [
            page(
              `/interview-sets/${setId}/invite`,
              table(numbered((i) => `a${i}%40example.com%0A`, largestBody - 100)),
            ),
          ],
          commas: [page(`/interview-sets/${setId}/invite`, table(filled(",", largestBody - 100)))],
          quotes: [page(`/interview-sets/${setId}/invite`, table(filled("%22", 390_000)))],
          lines: [page(`/interview-sets/${setId}/invite`, table(filled("%0A", 1_170_000)))],
        },
        "set: a huge form": {
          questions: [
            page(
              "/interview-sets",
              numbered((i) => `q.${i}.title=x&q.${i}.content=y&`),
            ),
          ],
          requirements: [
            page(
              "/interview-sets",
              numbered((i) => `r.${i}.title=x&`),
            ),
          ],
          options: [
            page(
              "/interview-sets",
              Buffer.concat([Buffer.from("title=x&q.0.title=x&q.0.type=3&q.0.options="), filled("a%0A", 2_000_000)]),
            ),
          ],
        },
        "search: many words": search("a ".repeat(7_000)),
        "search: one long word": search("a".repeat(14_000)),
        "search: operators": search("a & | ! ( ) : * <-> ".repeat(400)),
      },
      limits.member,
    ),
  ]
}
