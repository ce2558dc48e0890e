/** Fixtures of tests that request all routes of the workspace. */
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import * as App from "../../src/App.ts"
import * as Api from "./Api.ts"
import { type Furnished, furnished } from "./Furnished.ts"
import * as Members from "./Members.ts"
import * as Pod from "./Pod.ts"
import { type Route, Routes, recorded } from "./Routes.ts"

/** Part of all texts of the other organization; the own one's pages must not contain it. */
export const mark = "Quillfeather"

export class World extends Context.Service<World, { readonly own: Furnished; readonly theirs: Furnished }>()(
  "interview-invitations/test/World",
) {
  static readonly layer = Layer.effect(
    World,
    Effect.all({
      own: furnished((what) => `Our ${what} in words`),
      theirs: furnished((what) => `${mark}'s ${what} in words`),
    }),
  )
}

export const stageWith = (settings: Record<string, string>) =>
  Api.Server.layer.pipe(
    Layer.provide(App.serve(recorded(Layer.merge(App.api, App.pages)))),
    Layer.provideMerge(Routes.layer),
    Layer.provideMerge(Pod.layer({ settings: { ...Members.settings, MAX_BODY: "100 KiB", ...settings } })),
  )

export const stage = World.layer.pipe(Layer.provideMerge(stageWith({})))

/** Routes outside the workspace, and those of emails, which are in test mode only: WorkspaceWalk.test.ts visits them there. */
const others =
  /^\/(test-mode\/mail\/|company|docs|openapi|health|metrics|providers|hiring-systems|assets|colours|logos|i\/(?!preview\/)|o\/|c\/|notices\/|unsubscribe|shared\/|notifications\/)/

const open = /^\/(sign-(in|out)|setup|forgot-password|password\/)/

/** The routes of the workspace. */
export const all = Effect.map(Routes, ({ all }) => {
  const seen = new Map(all.map((route) => [`${route.method} ${route.path}`, route]))
  const routes = [...seen.values()].filter(({ path }) => !others.test(path))
  // routes that delete records come last
  const rank = ({ path }: Route) => (/\/(delete|remove|erase|end|end-others)$/.test(path) ? 1 : 0)
  return routes.toSorted((a, b) => rank(a) - rank(b))
})
/** The routes of the workspace that need a session. */
export const closed = Effect.map(all, (routes) => routes.filter(({ path }) => !open.test(path)))

/** The fields of all forms, with valid values. */
export const fieldsFor = ({ ids }: Furnished): Record<string, string> => ({
  id: randomUUID(),
  name: "A name",
  title: "A title",
  [`title-${ids.post}`]: "A title",
  description: "A description",
  email: `${randomUUID().slice(0, 8)}@example.com`,
  role: "owner",
  system: "greenhouse",
  access: "all",
  scopes: "read",
  status: "inactive",
  events: "interview.status.update.completed",
  url: "https://receiver.example/other",
  confirm: "erase",
  recordings: "180",
  score: "5",
  decision: "hold",
  changes: "1",
  selected: `${ids.submission}:1`,
  reason: "Because the answers say so.",
  evaluation_type: "interview",
  until: "2099-01-01T00:00",
  factor: "2",
  event: "interview.status.update.started",
  endpoint: ids.endpoint,
  header: "t=1,v1=00",
  body: "{}",
  contact: "help@example.com",
  privacy_contact: "privacy@example.com",
  current: "not the password",
  password: "a new and long password",
  organization: "An organization",
  code: "a code",
  session: "A".repeat(43),
  parked: "send",
  since: "24h",
  parts: "about",
  part: "about",
  position: "A role",
  set_type: "1",
  "c.0.name": "Cy",
  "c.0.email": "cy@example.com",
  "c.0.cv": "",
  table: "",
  message: "Welcome, dear candidate.",
  send: "mails",
  question: ids.question,
  request: ids.accommodation,
  person_review: ids.personReview,
  outcome: "declined",
  person_review_days: "14",
  result_page: "evaluation",
  need: "other",
  do: "grant",
  go: "next",
  from: ids.set,
  tag: ids.tag,
  next: "/submissions",
  mails_mentions: "off",
  invitation: "Join us: {{interview}}",
  asks: "sex",
  text: "A text in words",
})

export interface Asking extends Api.Sent {
  readonly cookie?: string | undefined
}

/** Sends the headers of a browser on a page of this service; `headers` override them. */
const ask = (method: string, path: string, { cookie, headers, raw }: Asking = {}) =>
  Api.call(method, path, {
    raw,
    headers: {
      accept: "text/html",
      "x-forwarded-for": "203.0.113.250",
      ...(method === "GET" ? {} : { origin: "http://localhost:8080" }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
  })

export const formOf = (fields: Record<string, string>): Pick<Api.Sent, "raw" | "headers"> => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
})

const textOf = ({ body }: Api.Answer) => (typeof body === "string" ? body : JSON.stringify(body ?? ""))

/** Errors that no response may have, to any request. */
const faultsOf = (answer: Api.Answer): ReadonlyArray<string> => {
  const header = (name: string) => answer.headers.get(name) ?? ""
  const type = header("content-type")
  const isPage = type.startsWith("text/html")
  const sent = header("content-security-policy")
  // the frame of an email inherits the policy, and emails have inline styles
  const policy = textOf(answer).includes('<iframe class="mail"') ? sent.replace(" 'unsafe-inline'", "") : sent
  const wanted = ["default-src 'none'", "base-uri 'none'", "form-action 'self'"]
  const rules: ReadonlyArray<readonly [string, boolean]> = [
    [`server error: ${textOf(answer).slice(0, 200)}`, answer.status < 500],
    [
      "content-security-policy",
      // a sandbox, as of the preview of an email, allows no script, form or navigation
      !isPage ||
        /^default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; sandbox$/.test(
          policy,
        ) ||
        // 'self': previews beside forms
        (wanted.every((part) => policy.includes(part)) &&
          /frame-ancestors '(none|self)'/.test(policy) &&
          !/unsafe|\*|https?:/.test(policy)),
    ],
    ["referrer-policy", !isPage || header("referrer-policy") === "same-origin"],
    ["x-content-type-options", header("x-content-type-options") === "nosniff"],
    [
      "content-disposition of a file",
      answer.status >= 300 ||
        isPage ||
        // what scripts read
        type === "application/json" ||
        // what players read
        /^(?:audio|video)\/|^text\/vtt\b/.test(type) ||
        header("content-disposition").startsWith("attachment; "),
    ],
    ["cache-control", header("cache-control") === "no-store"],
    ["redirect to another site", header("location") === "" || /^\/(?![/\\])/.test(header("location"))],
  ]
  return rules.flatMap(([fault, holds]) => (holds ? [] : [fault]))
}

/** Follows up to three redirects; appends the faults of all answers to `faults`. */
export const visit = Effect.fnUntraced(function* (
  faults: Array<string>,
  method: string,
  path: string,
  asking: Asking = {},
  follows = true,
) {
  const what = `${method} ${path.slice(0, 200)} ${String(asking.raw ?? "").slice(0, 200)}`
  let answer = yield* ask(method, path, asking)
  faults.push(...faultsOf(answer).map((fault) => `${what} ${answer.status}: ${fault}`))
  const first = answer.headers.get("location")
  for (let to = first, i = 0; follows && to !== null && !to.startsWith("/sign-in") && i < 3; i++) {
    answer = yield* ask("GET", to, { cookie: asking.cookie })
    faults.push(...faultsOf(answer).map((fault) => `${what}, then ${to}: ${answer.status} ${fault}`))
    to = answer.headers.get("location")
  }
  return { answer, told: `${what} ${answer.status} ${first ?? ""}`, first, text: textOf(answer) }
})
