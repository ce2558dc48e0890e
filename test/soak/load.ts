/** A hiring system that never stops inviting, and gives up no request before it was answered. */
import { randomUUID } from "node:crypto"
import { Clock, type Duration, Effect, Fiber, Schema } from "effect"

export interface Load {
  readonly apiKey: string
  readonly interviewSet: string
  readonly cvLink: string
  /** Where requests go now, in turn. */
  readonly pods: () => ReadonlyArray<string>
  readonly isOver: () => boolean
}

export interface Answer {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly status: string
}

/** The submissions that the service acknowledged, and all its answers. */
export interface Done {
  /** Submissions that responses with 200 named. */
  readonly submissions: ReadonlyArray<{ readonly id: string; readonly kind: "mail" | "cv" }>
  /** All answers and lost connections, in their order. */
  readonly answers: ReadonlyArray<Answer>
}

const Invited = Schema.fromJsonString(
  Schema.Struct({ results: Schema.Array(Schema.Struct({ submission: Schema.Struct({ id: Schema.String }) })) }),
)

const callers = 4
/** Between a caller's requests: some 25 a second of all callers, so that four pods and Postgres have room to recover. */
const pause = "150 millis"
/** Every so many invitations one is a CV: reading one takes a process of its own. */
const cvEvery = 60

const inviting = ({ apiKey, cvLink, interviewSet, pods }: Load, retryPause: Duration.Input) => {
  const submissions: Array<Done["submissions"][number]> = []
  const answers: Array<Answer> = []
  let turn = 0
  let count = 0
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
  /** Invites a candidate. A request that failed is sent again with its Idempotency-Key, to the next pod. */
  const invite = Effect.gen(function* () {
    const kind = ++count % cvEvery === 0 ? "cv" : "mail"
    const key = randomUUID()
    const candidate = kind === "cv" ? { cv_link: `${cvLink}/${key}` } : { email: `ada-${key}@example.com`, name: "Ada" }
    const body = JSON.stringify({ com_interview_set_id: interviewSet, candidates: [candidate] })
    for (;;) {
      const { status, text } = yield* post(key, body)
      answers.push({ at: yield* Clock.currentTimeMillis, status })
      if (status === "200") {
        const { results } = yield* Schema.decodeUnknownEffect(Invited)(text)
        for (const { submission } of results) submissions.push({ id: submission.id, kind })
        return
      }
      if (/^4(?!09|29)/.test(status)) return yield* Effect.die(new Error(`refused: ${status} ${text}`))
      yield* Effect.sleep(retryPause)
    }
  })
  return { done: { submissions, answers } satisfies Done, invite }
}

/** Invites until it is over, from several callers that each wait for the answer before the next invitation. */
export const run = Effect.fnUntraced(function* (load: Load) {
  const { done, invite } = inviting(load, "200 millis")
  yield* Effect.forEach(
    Array.from({ length: callers }),
    Effect.fnUntraced(function* () {
      while (!load.isOver()) {
        yield* invite
        yield* Effect.sleep(pause)
      }
    }),
    { concurrency: "unbounded", discard: true },
  )
  return done
})

/**
 * Starts an invitation every `interval` until it is over, without waiting for the answers to earlier ones. So the answers show
 * when the service accepts writes, even while earlier requests hang. `done` is complete when `ended` has ended.
 */
export const startSteadily = Effect.fnUntraced(function* (load: Load, interval: Duration.Input) {
  // the pause of Retry-After: all pending invitations are repeated, which must not overload the service after an outage
  const { done, invite } = inviting(load, "5 seconds")
  const steadily = Effect.gen(function* () {
    const invitations: Array<Fiber.Fiber<void, Schema.SchemaError>> = []
    while (!load.isOver()) {
      invitations.push(yield* Effect.forkChild(invite))
      yield* Effect.sleep(interval)
    }
    yield* Fiber.joinAll(invitations)
  })
  return { done, ended: yield* Effect.forkScoped(steadily) }
})

/** The count of each status. */
export const outcomesOf = ({ answers }: Done): string =>
  [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => `${all.length} × ${status}`).join(", ")
