/** Measures each page's time and size, the time of the smallest page, and sequential scans of large tables. */
import { Console, Effect, Redacted } from "effect"
import { Client } from "undici"
import { settings } from "../api/settings.ts"
import { BenchFailed } from "../support/BenchFailed.ts"
import * as Postgres from "../support/postgres.ts"
import { percentile } from "../support/statistics.ts"
import { type Account, password } from "./accounts.ts"
import type { Caller, Page } from "./pages.ts"
import { requests } from "./settings.ts"

export interface Figures {
  readonly name: string
  readonly as: Caller
  /** Milliseconds, from the first byte sent to the last received. */
  readonly p50: number
  readonly p99: number
  /** p50 of the smallest page, requested in turn with this one. */
  readonly smallest: number
  readonly kilobytes: number
  /** Large tables that were scanned sequentially. */
  readonly scanned: ReadonlyArray<string>
}

/** The smallest page of the workspace and the smallest response of the API. */
const smallest = { page: "/account", response: "/company/integration/me/v1" }

const minRowsOfLargeTable = 10_000

const origin = settings.APP_URL

type Headers = Readonly<Record<string, string>>

export const signIn = async (server: string, email: string): Promise<Headers> => {
  const body = new URLSearchParams({ email, password: Redacted.value(password) })
  const response = await fetch(`${server}/sign-in`, { method: "POST", redirect: "manual", headers: { origin }, body })
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ")
  if (response.status !== 303) throw new Error(`the sign-in of ${email} returned ${response.status}`)
  return { cookie, origin, accept: "text/html", "content-type": "application/x-www-form-urlencoded" }
}

/** Rows that sequential scans have read, by large table. */
const scans = (url: string) =>
  Effect.map(
    Postgres.query<{ read: Record<string, number> }>(
      url,
      `select jsonb_object_agg(relname, seq_tup_read) as read from pg_stat_user_tables where n_live_tup >= ${minRowsOfLargeTable}`,
    ),
    ({ read }) => read,
  )

interface Guest {
  readonly path: string
  readonly headers: Headers
}

/** Shares a submission by a link, as a member, and opens it as a guest. */
const openShared = async (server: string, owner: Headers, submission: string): Promise<Guest> => {
  const page = `${server}/submissions/${submission}`
  await fetch(`${page}/links`, {
    method: "POST",
    redirect: "manual",
    headers: owner,
    body: new URLSearchParams({ days: "7", may_review: "yes" }),
  })
  const [path] = /\/shared\/[\w-]+/.exec(await (await fetch(page, { headers: owner })).text()) ?? []
  if (path === undefined) throw new Error(`${page} has no link`)
  const body = new URLSearchParams({ name: "Guest", email: "guest@example.com" })
  const opened = await fetch(`${server}${path}`, { method: "POST", redirect: "manual", headers: { origin }, body })
  const cookie = opened.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ")
  return { path, headers: { cookie, origin, accept: "text/html" } }
}

const sendRequest = async (client: Client, path: string, headers: Headers, { isStream, posts }: Partial<Page> = {}) => {
  const begin = performance.now()
  const response = await client.request({
    path,
    headers,
    method: posts === undefined ? "GET" : "POST",
    ...(posts === undefined ? {} : { body: posts.body }),
  })
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += Buffer.byteLength(chunk)
    if (isStream) break
  }
  const millis = performance.now() - begin
  if (response.statusCode !== (posts?.status ?? 200)) throw new Error(`${path} returned ${response.statusCode}`)
  return { millis, bytes }
}

export const measure = Effect.fnUntraced(function* (
  server: string,
  url: string,
  account: Account,
  pages: ReadonlyArray<Page>,
  /** The submission that a guest reads. */
  shared: string,
) {
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (why) => new BenchFailed({ message: String(why) }) })
  const owner = yield* attempt(() => signIn(server, account.owner))
  const guest = yield* attempt(() => openShared(server, owner, shared))
  const headers: Record<Caller, Headers> = {
    owner,
    guest: guest.headers,
    reviewer: yield* attempt(() => signIn(server, account.reviewer)),
    recruiter: yield* attempt(() => signIn(server, account.reader)),
    key: { "x-api-key": account.key },
  }
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new Client(server, { pipelining: 1, bodyTimeout: 120_000, headersTimeout: 120_000 })),
    (client) => Effect.promise(() => client.destroy()),
  )
  // a Postgres connection reports its table statistics at most once a second, when a transaction ends
  const readScans = (as: Caller) =>
    Effect.sleep("1100 millis").pipe(
      Effect.andThen(
        attempt(async () => {
          for (let i = 0; i < 4; i++)
            await sendRequest(client, as === "key" ? smallest.response : smallest.page, headers[as])
        }),
      ),
      Effect.andThen(scans(url)),
    )
  let before = yield* readScans("owner")
  return yield* Effect.forEach(pages, (page) =>
    Effect.gen(function* () {
      const own = headers[page.as]
      const base = page.as === "key" ? smallest.response : smallest.page
      const { bytes, millis, smallestMillis } = yield* attempt(async () => {
        const millis: Array<number> = []
        const smallestMillis: Array<number> = []
        let bytes = 0
        for (let i = -requests.warm; i < requests.counted; i++) {
          const index = (i + requests.warm) % page.paths.length
          const path = page.as === "guest" ? guest.path : (page.paths[index] ?? "")
          const measured = await sendRequest(client, path, own, page)
          const small = await sendRequest(client, base, page.as === "guest" ? owner : own)
          if (i < 0) continue
          bytes = Math.max(bytes, measured.bytes)
          millis.push(measured.millis)
          smallestMillis.push(small.millis)
        }
        return { millis, smallestMillis, bytes }
      })
      const [earlier, after] = [before, yield* readScans(page.as === "guest" ? "owner" : page.as)]
      before = after
      const figures: Figures = {
        name: page.name.replaceAll(/[0-9a-f-]{36}/g, ":id"),
        as: page.as,
        p50: percentile(millis, 0.5),
        p99: percentile(millis, 0.99),
        smallest: percentile(smallestMillis, 0.5),
        kilobytes: page.isStream ? 0 : bytes / 1000,
        scanned: Object.keys(after).filter((table) => (after[table] ?? 0) > (earlier[table] ?? 0)),
      }
      const { as, kilobytes, name, p50, p99, scanned } = figures
      yield* Console.error(
        `${as} ${name}: ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)}, smallest ${figures.smallest.toFixed(1)}, ${kilobytes.toFixed(0)} KB ${scanned.join(" ")}`,
      )
      return figures
    }),
  )
})
