/** Iterates over the records of lists, and over events. */
import type { WebhookEvent, WebhookEventPage } from "./Contract.ts"
import type { QueryOf, RequestOptions } from "./Requests.ts"
import type { Sleep } from "./Retry.ts"

export interface ListPage<Item, Cursor extends string | null = string | null> {
  readonly results: ReadonlyArray<Item>
  /** null on the last page. */
  readonly next_cursor: Cursor
}

/**
 * Yields all records of a list, newest first. Requests each page only when it is needed. For `listEvents`, whose
 * `next_cursor` is never null, use `readEvents`.
 *
 * ```ts
 * for await (const submission of paginate(client.listSubmissions, { status: "completed" })) …
 * for await (const delivery of paginate((page) => client.listWebhookDeliveries(id, { ...page, state: "failed" }))) …
 * ```
 */
export async function* paginate<
  Query extends { readonly cursor?: string | undefined },
  Item,
  Cursor extends string | null,
>(
  list: ((query?: Query, options?: RequestOptions) => Promise<ListPage<Item, Cursor>>) &
    (null extends Cursor ? unknown : never),
  query?: NoInfer<Query>,
  options?: RequestOptions,
): AsyncGenerator<Item, void, undefined> {
  let cursor = query?.cursor
  let page = await list(query, options)
  yield* page.results
  while (typeof page.next_cursor === "string" && page.next_cursor !== cursor) {
    cursor = page.next_cursor
    page = await list(Object.assign({}, query, { cursor }), options)
    yield* page.results
  }
}

export interface EventsOptions extends RequestOptions {
  /** Milliseconds between requests after the newest event, at least 100. Without it, the iteration ends there. */
  readonly pollEvery?: number
}

/** Events after a cursor, oldest first. Iterate over the reader for single events, or over `pages()`. */
export interface EventReader extends AsyncIterable<WebhookEvent> {
  /**
   * The cursor after the last page whose events were all consumed: store it and pass it as `cursor` to continue. Initially
   * the `cursor` that was passed to the reader.
   */
  readonly cursor: string | undefined
  /** Pages with their `next_cursor`. The page after the newest event is empty. */
  readonly pages: () => AsyncGenerator<WebhookEventPage, void, undefined>
}

const minPoll = 100

type EventQuery = QueryOf<"listEvents">
type List = (query: EventQuery, options?: RequestOptions) => Promise<WebhookEventPage>

/** The query with `cursor` instead of `from` and `since`. */
const after = (cursor: string, { from: _from, since: _since, ...filters }: EventQuery): EventQuery => ({
  ...filters,
  cursor,
})

export const readEvents = (
  list: List,
  sleep: Sleep,
  query: EventQuery,
  { pollEvery, ...options }: EventsOptions,
): EventReader => {
  let position = query.cursor
  async function* pages() {
    for (;;) {
      const previous = position
      const page = await list(previous === undefined ? query : after(previous, query), options)
      yield page
      if (typeof page.next_cursor === "string") position = page.next_cursor
      if (page.results.length > 0 && position !== previous) continue
      if (pollEvery === undefined) return
      // also for NaN
      await sleep(pollEvery > minPoll ? pollEvery : minPoll, options.signal)
    }
  }
  return {
    get cursor() {
      return position
    },
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { results } of pages()) yield* results
    },
  }
}
