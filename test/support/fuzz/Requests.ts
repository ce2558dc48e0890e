/**
 * Generates requests: one route each, mostly with valid values, with junk in some places. A request is a list of parts, so
 * that a failing one can be sent again with parts left out.
 */
import * as Contract from "../Contract.ts"
import { type Furnished, valuesOf } from "../Furnished.ts"
import * as Json from "../Json.ts"
import * as Mailgun from "../MailgunApi.ts"
import * as Postmark from "../PostmarkApi.ts"
import type { Route } from "../Routes.ts"
import * as SendGrid from "../SendGrid.ts"
import { fieldsFor } from "../Walk.ts"
import * as Random from "./Random.ts"
import { encoded, junk, quantity } from "./Values.ts"

export interface Request {
  readonly route: Route
  readonly method: string
  /** The path as sent, in Latin-1. */
  readonly path: string
  /** The parts of the query, `name=value`, joined by `&`. */
  readonly query: ReadonlyArray<string>
  readonly headers: ReadonlyArray<readonly [string, string]>
  /** The parts of the body, joined by `&`; a body that is not a form is one part. */
  readonly body: ReadonlyArray<Buffer>
  readonly isChunked: boolean
}

/** The records that requests name. */
export interface Known {
  readonly own: Furnished
  readonly theirs: Furnished
  readonly key: string
  readonly invitations: ReadonlyArray<string>
  readonly running: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
  /** Tokens of mail links, by the first part of the link's path. */
  readonly mailTokens: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Routes that delete records which other requests need; only 1 % of their requests name a known record. */
const destructive = /\/(delete|remove|erase|cancel)$|^\/settings\/members\/:id$/

const final = /^\/i\/:token\/(decline|finish|final)$/

/** Routes that hash a password. */
const slow = /^\/(sign-in|setup|forgot-password|password\/:token|account\/password|settings\/members)$/

/** Lists routes as often as the generator shall choose them. */
export const weighted = (routes: ReadonlyArray<Route>): ReadonlyArray<Route> => {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const weightOf = ({ method, path }: Route) => {
    if (method !== "GET" && method !== "POST") return 1
    if (/^\/(assets|health)\//.test(path)) return 1
    return method === "POST" && slow.test(path) ? 1 : 12
  }
  return [...byName.values()].flatMap((route) => Array<Route>(weightOf(route)).fill(route))
}

const base = "/company/integration"
const queryNames = [
  ...[
    "done",
    "count",
    "page",
    "order",
    "status",
    "score",
    "q",
    "state",
    "from",
    "to",
    "type",
    "who",
    "record",
    "cursor",
  ],
  ...[
    "before",
    "since",
    "event",
    "endpoint",
    "attempt",
    "evaluation",
    "part",
    "project",
    "review",
    "next",
    "set",
    "limit",
  ],
  ...["include", "language", "saved", "code", "error", "iss", "session_state", "id", "created_after", "email"],
  ...Contract.endpoints.flatMap(({ parameters }) => parameters),
]

const orders = ["newest", "best", "weakest", "completed", "active", "interview", "cv", "0", "1", "true"]

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "get",
  "CONNECT",
  "BREW",
]

/** Headers with values that a parser may fail on. */
const oddHeaders: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  [
    "cookie",
    [
      "session=",
      "session=%00",
      "session=a; session=b",
      "=;=;;",
      `a=${"b".repeat(7_000)}`,
      "device=x; form=y",
      "__Host-session=x",
    ],
  ],
  [
    "accept-language",
    ["de", "xx", "de-DE;q=2,*;q=-1", "*", ",,,", "zh-Hant-TW-x-private", "a-b-c-d-e-f", "en;q=NaN", "de,".repeat(900)],
  ],
  [
    "content-type",
    [
      "",
      "x",
      "text/plain; charset=utf-7",
      "multipart/form-data",
      "multipart/form-data; boundary=",
      "application/json; charset=x",
    ],
  ],
  ["content-encoding", ["gzip", "identity", "br, gzip", "x"]],
  ["accept", ["", "*/*;q=x", "application/json", "text/html;q=0", "/"]],
  ["range", ["bytes=0-", "bytes=-1", "bytes=5-1", "bytes=0-0,1-1", "x"]],
  ["if-none-match", ["*", '"x"', "W/", `"${"x".repeat(500)}"`]],
  ["if-modified-since", ["x", "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 31 Feb 2026 25:61:61 GMT"]],
  ["if-match", ["*", "x"]],
  ["x-request-id", ["", "a b", "x".repeat(200), "ada@example.com", "\x01", "é", "__proto__"]],
  ["traceparent", ["00-0-0-0", "00-00000000000000000000000000000000-0000000000000000-00", "ff-x", "00"]],
  ["origin", ["null", "https://evil.example", "http://localhost:8080", "http://[", "x"]],
  ["sec-fetch-site", ["cross-site", "same-origin", "none", "x"]],
  ["referer", ["x", "http://[", "https://evil.example/"]],
  ["idempotency-key", ["", "x", "x".repeat(300), "a b", "é", "\x7f", '"quoted"']],
  ["x-api-key", ["", "x", ".", "a.b", `${"a".repeat(200)}.${"b".repeat(200)}`, "é.é"]],
  ["authorization", ["Bearer", "Bearer x", "Basic !!!", "Basic Og==", "x"]],
  ["host", ["", "evil.example", "[::1", "localhost:99999", "a b", "é"]],
  [
    "x-forwarded-for",
    [
      "",
      "x",
      "127.0.0.1",
      "::1, 10.0.0.1",
      "1.2.3.4:80",
      "[::1]:1",
      "999.1.1.1",
      "unknown",
      ",,,",
      "fe80::1%eth0",
      "1.1.1.1,".repeat(400),
    ],
  ],
  ["x-forwarded-proto", ["https", "x"]],
  ["x-forwarded-host", ["evil.example"]],
  ["forwarded", ["for=x;host=y", 'for="[::1]"']],
  ["x-http-method-override", ["DELETE"]],
  ["expect", ["100-continue", "x"]],
  ["upgrade", ["websocket", "h2c"]],
  ["purpose", ["prefetch"]],
  ["last-event-id", ["x"]],
]

const pick = (random: Random.Random, from: ReadonlyArray<string>): string => random.oneOf(from) ?? ""

/** Without line breaks, which would begin another header. */
const headerValue = (random: Random.Random, values: ReadonlyArray<string>): string =>
  random.chance(0.8)
    ? pick(random, values)
    : Buffer.from(junk(random))
        .toString("latin1")
        .replace(/[\r\n]/g, "")
        .slice(0, 9_000)

const uuid = (random: Random.Random): string => {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

const parameter = (random: Random.Random, known: Known, { method, path }: Route, name: string): string => {
  const way = random.below(20)
  if (way === 0) return encoded(junk(random), random)
  if (way === 1 || (method !== "GET" && destructive.test(path) && !random.chance(0.01))) return uuid(random)
  const furnished = way === 2 ? known.theirs : known.own
  if (name === "token") {
    const [, first = ""] = path.split("/")
    if (first !== "i") return pick(random, known.mailTokens[first] ?? known.tokens)
    return pick(random, random.chance(0.3) || (method !== "GET" && final.test(path)) ? known.tokens : known.running)
  }
  if (name === "question") return furnished.ids.question
  if (name === "number") return pick(random, ["1", "2", "3", "4", "0", "5", "99"])
  if (path.includes("/invitations") && way > 4) return pick(random, known.invitations)
  if (path.startsWith(base)) {
    const { invitation, set, submission } = furnished.ids
    return path.includes("invitations") ? invitation : path.includes("interview-sets") ? set : submission
  }
  return valuesOf(path, furnished.ids)[name] ?? uuid(random)
}

const oddPath = (random: Random.Random, path: string): string => {
  const at = random.below(path.length + 1)
  const insert = (text: string) => path.slice(0, at) + text + path.slice(at)
  switch (random.below(14)) {
    case 0:
      return insert(encoded(junk(random), random))
    case 1:
      return insert("/")
    case 2:
      return `${path}/`
    case 3:
      return `/${path}`
    case 4:
      return insert("/../")
    case 5:
      return insert("%2e%2e%2f")
    case 6:
      return path.slice(0, at)
    case 7:
      return path.toUpperCase()
    case 8:
      return `${path};a=b`
    case 9:
      return `http://evil.example${path}`
    case 10:
      return pick(random, ["*", "http://", "//", "/?", "evil.example:443", "/#", "http://[/", `/${"a/".repeat(900)}`])
    case 11:
      return insert(String.fromCharCode(128 + random.below(128)))
    case 12:
      return insert(String.fromCharCode(random.below(32)).replace(/[\r\n]/, "\x01"))
    default:
      return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  }
}

const pair = (random: Random.Random, name: string, value: string): string =>
  `${encoded(name, random)}=${encoded(value, random)}`

const queryOf = (random: Random.Random, known: Known, route: Route): ReadonlyArray<string> => {
  if (!random.chance(route.method === "GET" ? 0.5 : 0.1)) return []
  const value = (name: string) => {
    const way = name.endsWith("since") ? 1 : random.below(5)
    if (way === 0) return junk(random)
    if (way === 1) return quantity(random)
    return way === 2 ? pick(random, Object.values(known.own.ids).map(String)) : pick(random, orders)
  }
  const pairs = Array.from({ length: 1 + random.below(4) }, () => {
    const name = pick(random, queryNames)
    return pair(random, name, value(name))
  })
  return random.chance(0.1) ? [...pairs, pick(random, ["&&", "=", "a", "%", "cursor", "cursor=&cursor=", "?x"])] : pairs
}

/** Fields of all forms, with valid values. */
const fieldsOf = (random: Random.Random, known: Known, { path }: Route): Array<[string, string]> => {
  const { question } = known.own.ids
  const all: Record<string, string> = path.startsWith("/i/")
    ? {
        ...{ question, go: "next", from: "review", attempt: "1", [`answer.${question}`]: "I ran PostgreSQL." },
        ...{ [`option.${question}`]: "1", [`revision.${question}`]: "0", language: "de", confirm: "yes" },
      }
    : fieldsFor(known.own)
  if (path.startsWith("/interview-sets") && path !== "/interview-sets/:id/invite") {
    for (const at of [0, 1]) {
      Object.assign(all, {
        ...{ [`q.${at}.id`]: question, [`q.${at}.title`]: "A question", [`q.${at}.content`]: "What did you run?" },
        ...{ [`q.${at}.mode`]: "1", [`q.${at}.type`]: "2", [`q.${at}.options`]: "Yes\nNo", [`q.${at}.hint`]: "A hint" },
        ...{ [`r.${at}.title`]: "PostgreSQL", [`r.${at}.importance`]: "273", [`r.${at}.skills`]: "1, 2" },
        ...{ [`a.${at}.email`]: "reader@example.com", [`a.${at}.fullname`]: "A reader" },
      })
    }
    Object.assign(all, { language: "1", interview_duration: "30", number_of_retakes: "1", priority: "1", seen: "1" })
  }
  delete all["table"]
  const used = path === "/sign-in" ? "nobody@example.com" : undefined
  return Object.entries(all)
    .filter(() => random.chance(0.9))
    .map(([name, value]) => [
      name,
      name === "email" && used !== undefined ? used : name === "id" ? uuid(random) : value,
    ])
}

const presses = [
  "add q",
  "q.add",
  "add r",
  "up q 1",
  "down q 0",
  "remove q 0",
  "remove r 99",
  "constructor",
  "add",
  "up q 1e9",
  "preview",
  "save",
]

const formOf = (random: Random.Random, known: Known, route: Route): ReadonlyArray<Buffer> => {
  const fields = fieldsOf(random, known, route)
  for (let i = random.below(4); i > 0; i--) {
    const at = random.below(fields.length)
    const [name = ""] = fields[at] ?? []
    const way = random.below(8)
    if (way === 0) fields.splice(at, 1)
    else if (way === 1) fields.push([name, junk(random)])
    else if (way === 2) fields.push([junk(random), junk(random)])
    else if (way === 3) fields.push(["do", pick(random, presses)])
    else if (way === 4) fields.push(["table", junk(random)])
    else if (way === 5)
      fields.push([`q.${pick(random, ["0", "2", "-1", "1e3", "999999", "__proto__", ""])}.title`, "x"])
    else fields[at] = [name, junk(random)]
  }
  return fields.map(([name, value]) => Buffer.from(pair(random, name, value)))
}

const mutationKeys = Json.Mutation.fields.key.literals
const mutationValues = Json.Mutation.fields.value.literals
const mutationChanges = Json.Mutation.fields.change.literals

/** Valid JSON with up to two changes. */
const jsonOf = (random: Random.Random, known: Known, { path }: Route): ReadonlyArray<Buffer> => {
  const text = (usual: string) => (random.chance(0.1) ? junk(random) : usual)
  const email = () => text(`${random.below(9)}@example.com`)
  const bodies: ReadonlyArray<readonly [RegExp, () => unknown]> = [
    [
      /set\/v1$/,
      () => ({
        title: text("Engineer"),
        position: text("Role"),
        description: text("What you do."),
        set_type: random.pick([1, 2]),
        interview_duration: random.chance(0.9) ? 30 : Number(quantity(random)),
        cfg_lingual_ids: [1],
        number_of_retakes: random.below(3),
        project_id: random.chance(0.5) ? known.own.ids.project : undefined,
        iai_questions: [
          { title: text("A question"), content: text("What?"), question_mode: "interview", question_type: "text" },
          {
            title: "Choose",
            question_mode: "interview",
            question_type: "radio",
            content: text("Which?"),
            options: [{ title: text("Yes") }],
          },
        ],
        iai_requirements: [
          { title: text("PostgreSQL"), cfg_importance_id: 273, tal_skill_ids: [1], attributes: { a: text("b") } },
        ],
        com_accesses: [{ email: email(), fullname: text("A reader") }],
      }),
    ],
    [
      /invite\/v1$/,
      () => ({
        com_interview_set_id: known.own.ids.set,
        com_job_post_id: random.chance(0.3) ? known.own.ids.post : undefined,
        invitation_message: text("Dear {{name}}, welcome."),
        candidates: Array.from({ length: 1 + random.below(3) }, () => ({
          email: email(),
          name: text("Ada"),
          cv_link: random.chance(0.5) ? text("https://cv.example/a.pdf") : undefined,
          ats_candidate_id: random.chance(0.5) ? uuid(random) : undefined,
          external_id: random.chance(0.5) ? text("application-1") : undefined,
          metadata: random.chance(0.3) ? { source: text("fair") } : undefined,
        })),
      }),
    ],
    [
      /mailgun/,
      () => ({
        signature: Mailgun.signature(random.pick([String(Math.floor(Date.now() / 1000)), "1"]), uuid(random)),
        "event-data": Mailgun.report(random.pick(["delivered", "failed", "opened", "x"]), uuid(random), {
          severity: random.pick<unknown>(["permanent", "temporary", 1, null]),
          "delivery-status": { message: text("why"), code: quantity(random) },
        }),
      }),
    ],
    [
      /postmark/,
      () =>
        Postmark.report(random.pick(["Delivery", "Bounce", "Open", "Click", "x"]), uuid(random), {
          Type: random.pick<unknown>(["HardBounce", "x", 1, null]),
          Details: text("why"),
        }),
    ],
    [
      /sendgrid/,
      () => [
        SendGrid.entry(random.pick(["delivered", "bounce", "open", "x"]), uuid(random), {
          timestamp: random.pick<unknown>([1, -1, 1e18, "x", null]),
          reason: text("why"),
        }),
      ],
    ],
    [/./, () => ({ expires_at: text("2099-01-01T00:00:00Z"), until: quantity(random), reason: text("why") })],
  ]
  const usual = bodies.find(([pattern]) => pattern.test(path))?.[1]() ?? {}
  let node = Json.read(JSON.parse(JSON.stringify(usual)))
  for (let i = random.below(3); i > 0; i--) {
    node = Json.mutate(node, {
      place: random.below(1_000),
      change: random.oneOf(mutationChanges) ?? "replace",
      key: random.oneOf(mutationKeys) ?? "empty",
      value: random.oneOf(mutationValues) ?? "null",
    })
  }
  const json = Json.write(node)
  const cut = random.chance(0.03) ? json.slice(0, random.below(json.length)) : json
  return [random.chance(0.03) ? Buffer.concat([Buffer.from(cut), Buffer.from([0xff, 0xc0, 0xaf])]) : Buffer.from(cut)]
}

const boundary = "fuzz"

const multipartOf = (random: Random.Random, known: Known): ReadonlyArray<Buffer> => {
  const { question } = known.own.ids
  const name = () =>
    random.chance(0.2)
      ? junk(random).replace(/[\r\n]/g, "")
      : pick(random, ["question", "go", "attempt", `answer.${question}`])
  const value = () =>
    random.chance(0.3) ? junk(random) : pick(random, [question, "next", "stay", "remove", "1", "text"])
  const file = () =>
    `Content-Disposition: form-data; name="file.${question}"; filename="${random.chance(0.4) ? junk(random).replace(/[\r\n"]/g, "") : "cv.pdf"}"\r\n` +
    `Content-Type: ${pick(random, ["application/pdf", "x", "", "text/plain; charset=x"])}\r\n\r\n${pick(random, ["%PDF-1.7\n%%EOF\n", "", "x", "PK\x03\x04", "\x00"])}`
  const part = () =>
    random.chance(0.4) ? file() : `Content-Disposition: form-data; name="${name()}"\r\n\r\n${value()}`
  const odd = () =>
    pick(random, [
      "",
      "x",
      "Content-Disposition: form-data\r\n\r\n",
      "\r\n\r\n",
      `a: ${"b".repeat(9_000)}\r\n\r\n`,
      "Content-Disposition: attachment; name=x; name*=utf-8''%00\r\n\r\n",
    ])
  const parts = Array.from({ length: random.below(5) }, () => (random.chance(0.15) ? odd() : part()))
  const end = random.pick([`--${boundary}--\r\n`, `--${boundary}--`, "", `--${boundary}`, `--${boundary}--\r\nx`])
  return [Buffer.from(parts.map((one) => `--${boundary}\r\n${one}\r\n`).join("") + end)]
}

const plain = (random: Random.Random): ReadonlyArray<Buffer> => [
  random.chance(0.5)
    ? Buffer.from(junk(random))
    : Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256))),
]

/** The share of requests with a session, a key or a body that reach the code behind a route. They take most of the time. */
const deepShare = 0.25

export const generate = (seed: number, index: number, routes: ReadonlyArray<Route>, known: Known): Request => {
  const random = Random.make(seed, index)
  const route = random.oneOf(routes) ?? { method: "GET", path: "/" }
  const isApi = route.path.startsWith("/company")
  const isPost = route.method !== "GET"
  const isDeep = random.chance(deepShare)

  const named = route.path
    .replace(/:(\w+)/g, (_, name: string) => parameter(random, known, route, name))
    .replace("*", () => encoded(junk(random), random))
  const path = random.chance(isDeep ? 0.05 : 0.4) ? oddPath(random, named) : named
  const usualMethod = route.method === "*" ? "POST" : route.method
  const method = random.chance(0.04) ? pick(random, methods) : usualMethod
  const query = queryOf(random, known, route)

  const headers: Array<readonly [string, string]> = [["host", "localhost"]]
  if (!isApi || random.chance(0.1)) headers.push(["accept", "text/html"])
  const member = route.path === "/sign-out" ? known.own.stranger : known.own.owner
  // no credentials, the wrong kind, those of another member, or valid ones
  const who = isDeep ? 1 + random.below(30) : 0
  if (isApi ? who > 1 : who === 1) headers.push(["x-api-key", known.key])
  if (isApi ? who === 1 : who > 1) headers.push(["cookie", (who === 2 ? known.own.stranger : member).cookie])
  headers.push(["x-forwarded-for", `203.0.${random.below(256)}.${random.below(256)}`])
  if (isPost && !isApi && !random.chance(0.02)) headers.push(["origin", "http://localhost:8080"])
  if (isApi && isPost && random.chance(0.3)) headers.push(["idempotency-key", uuid(random)])

  let body: ReadonlyArray<Buffer> = []
  let type: string | undefined
  if (isDeep ? isPost : random.chance(0.1)) {
    const way = random.below(30)
    const isJson = isApi || route.path.startsWith("/providers")
    const isMultipart = /^\/i\/[^/]+\/answers$/.test(route.path) ? way < 15 : way === 2
    if (way === 0) body = plain(random)
    else if (way === 1) body = []
    else if (isMultipart) body = multipartOf(random, known)
    else body = isJson ? jsonOf(random, known, route) : formOf(random, known, route)
    type = isMultipart
      ? `multipart/form-data; boundary=${boundary}`
      : isJson
        ? "application/json"
        : "application/x-www-form-urlencoded"
    if (route.path.startsWith("/providers") && random.chance(0.9)) {
      headers.push(...Object.entries({ ...SendGrid.signed(Buffer.concat(body).toString()), ...Postmark.basic() }))
    }
  }
  if (type !== undefined) headers.push(["content-type", type])

  for (let i = random.chance(isDeep ? 0.25 : 0.7) ? 1 + random.below(3) : 0; i > 0; i--) {
    const [name, values] = random.oneOf(oddHeaders) ?? ["x-odd", []]
    const at = headers.findIndex(([other]) => other === name)
    const header = [name, headerValue(random, values)] as const
    // replaces the header of the same name, or is sent as a second one
    if (at < 0 || random.chance(0.3)) headers.push(header)
    else headers[at] = header
  }
  return { route, method, path, query, headers, body, isChunked: random.chance(0.05) }
}

export const bytesOf = ({ body, headers, isChunked, method, path, query }: Request): Buffer => {
  const content = Buffer.concat(body.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from("&"), part])))
  const framing =
    content.length === 0 && method !== "POST"
      ? ""
      : isChunked
        ? "transfer-encoding: chunked\r\n"
        : `content-length: ${content.length}\r\n`
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const target = path + (query.length > 0 ? `?${query.join("&")}` : "")
  const sent =
    framing.startsWith("transfer") && content.length > 0
      ? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n0\r\n\r\n")])
      : framing.startsWith("transfer")
        ? Buffer.from("0\r\n\r\n")
        : content
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}${framing}\r\n`, "latin1"), sent])
}

/** Requests with fewer parts than a failing one, in the order to try them. */
export const smaller = (request: Request): ReadonlyArray<Request> => {
  const without = <A>(list: ReadonlyArray<A>, make: (list: ReadonlyArray<A>) => Request): ReadonlyArray<Request> => {
    const half = list.length >> 1
    const halves = list.length < 4 ? [] : [make(list.slice(half)), make(list.slice(0, half))]
    return [...halves, ...list.map((_, i) => make(list.filter((_, j) => j !== i)))]
  }
  return [
    ...without(request.headers, (headers) => ({ ...request, headers })),
    ...without(request.query, (query) => ({ ...request, query })),
    ...without(request.body, (body) => ({ ...request, body })),
  ]
}
