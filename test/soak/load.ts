/** A hiring system that never stops inviting, and gives up no request before it was answered. */
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"

export interface Load {
  readonly apiKey: string
  readonly interviewSet: string
  readonly cvLink: string
  /** Where requests go now, in turn. */
  readonly pods: () => ReadonlyArray<string>
  readonly isOver: () => boolean
}

/** What the service said that it had done, and what it took to hear it. */
export interface Done {
  /** Submissions that were answered for. */
  readonly submissions: Array<{ readonly id: string; readonly kind: "mail" | "cv" }>
  /** Answers by status, and connections that were lost. */
  readonly outcomes: Map<string, number>
}

const Invited = Schema.fromJsonString(
  Schema.Struct({ results: Schema.Array(Schema.Struct({ submission: Schema.Struct({ id: Schema.String }) })) }),
)

const callers = 4
/** Between a caller's requests: some 25 a second of all callers, so that four pods and Postgres have room to recover. */
const pause = "150 millis"
/** Every so many invitations one is a CV: reading one takes a process of its own. */
const cvEvery = 60

/** Invites until it is over. A request that failed is sent again with its Idempotency-Key, to whoever answers. */
export const run = Effect.fnUntraced(function* ({ apiKey, cvLink, interviewSet, isOver, pods }: Load) {
  const done: Done = { submissions: [], outcomes: new Map() }
  const note = (outcome: string) => done.outcomes.set(outcome, (done.outcomes.get(outcome) ?? 0) + 1)
  let turn = 0
  const post = (key: string, body: string) =>
    Effect.promise(async () => {
      const all = pods()
      const pod = all[turn++ % all.length]
      try {
        const answer = await fetch(`${pod}/company/integration/interview/candidate/invite/v1`, {
          method: "POST",
          headers: { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": key },
          body,
          signal: AbortSignal.timeout(30_000),
        })
        return { status: String(answer.status), text: await answer.text() }
      } catch {
        return { status: "connection lost", text: "" }
      }
    })
  const invite = Effect.fnUntraced(function* (count: number) {
    const kind = count % cvEvery === 0 ? "cv" : "mail"
    const key = randomUUID()
    const candidate = kind === "cv" ? { cv_link: `${cvLink}/${key}` } : { email: `ada-${key}@example.com`, name: "Ada" }
    const body = JSON.stringify({ com_interview_set_id: interviewSet, candidates: [candidate] })
    for (;;) {
      const { status, text } = yield* post(key, body)
      note(status)
      if (status === "200") {
        const { results } = yield* Schema.decodeUnknownEffect(Invited)(text)
        for (const { submission } of results) done.submissions.push({ id: submission.id, kind })
        return
      }
      if (/^4(?!09|29)/.test(status)) return yield* Effect.die(new Error(`refused: ${status} ${text}`))
      yield* Effect.sleep("200 millis")
    }
  })
  let count = 0
  yield* Effect.forEach(
    Array.from({ length: callers }),
    Effect.fnUntraced(function* () {
      while (!isOver()) {
        yield* invite(++count)
        yield* Effect.sleep(pause)
      }
    }),
    { concurrency: "unbounded", discard: true },
  )
  return done
})
