/** A pod that publishes events and runs no workers. Another pod delivers them, woken by NOTIFY. */
import { randomUUIDv7 } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import { Invite } from "../../../src/invitations/Invite.ts"
import { InviteRequest } from "../../../src/invitations/InviteRequest.ts"
import { CandidateId } from "../../../src/values/Ids.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import { Events, type Occurrence } from "../../../src/webhooks/events/Events.ts"
import { sampleFor, subject } from "../../../src/webhooks/events/WebhookSample.ts"
import { interviewSet } from "../api/bodies.ts"
import * as Protocol from "../deliveries/protocol.ts"
import * as settings from "../deliveries/settings.ts"
import { sharedMillis } from "../support/clock.ts"
import { handleCommands, on } from "../support/control.ts"
import { foundation } from "./pod.ts"

const receiver = process.env["RECEIVER"]

/** Creates an organization with endpoints that receive all events, and an event to publish. */
const source = Effect.fnUntraced(function* (endpoints: number) {
  const organization = yield* (yield* Organizations).create(`An event to ${endpoints} endpoints`)
  const set = yield* (yield* InterviewSets).create(operator(organization), interviewSet)
  const candidates = [{ email: "ada@example.com" }]
  const { results } = yield* (yield* Invite).invite(
    operator(organization),
    InviteRequest.make({ com_interview_set_id: set.id, candidates }),
  )
  for (let i = 0; i < endpoints; i++) {
    yield* (yield* Endpoints).create(operator(organization), { name: `${i}`, url: `${receiver}/events/${i}` })
  }
  const { id: submission_id } = yield* Effect.fromNullishOr(results[0]?.submission)
  const occurrence: Occurrence = {
    subject: {
      ...subject,
      interview_set_id: set.id,
      candidate_id: CandidateId.make(randomUUIDv7()),
      invitation_id: null,
      submission_id,
    },
    event: sampleFor(["interview.status.update.completed"], "https://app.example"),
  }
  return { organization, occurrence }
})

const publisher = Effect.gen(function* () {
  const context = yield* Layer.build(foundation)
  const { publish } = yield* Effect.provide(Events, context)
  const run = Effect.runPromiseWith(context)
  const { fanOut, trickle } = settings
  const sources = (count: number, endpoints: number) =>
    Effect.provide(
      Effect.forEach(Array.from({ length: count }), () => source(endpoints)),
      context,
    )
  const many = yield* sources(fanOut.organizations, fanOut.endpoints)
  const single = yield* sources(trickle.endpoints, 1)

  handleCommands([
    on(Protocol.fanOut, async ({ millis }) => {
      let events = 0
      const begin = sharedMillis()
      const loops = many.map(({ occurrence, organization }) =>
        publish(organization, [occurrence]).pipe(
          Effect.tap(() => Effect.sync(() => events++)),
          Effect.repeat({ while: () => sharedMillis() - begin < millis }),
        ),
      )
      await run(Effect.all(loops, { concurrency: "unbounded" }))
      return { events, elapsed: sharedMillis() - begin }
    }),
    on(Protocol.trickle, async ({ events, perSecond }) => {
      const moments: Array<readonly [string, number]> = []
      for (let i = 0; i < events; i++) {
        // exponential pauses do not align with timers of either process
        await sleep((-Math.log(1 - Math.random()) * 1000) / perSecond)
        for (const { occurrence, organization } of single.slice(i % single.length, (i % single.length) + 1)) {
          const [id = ""] = await run(publish(organization, [occurrence]))
          moments.push([id, sharedMillis()])
        }
      }
      return moments
    }),
  ])
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.scoped(publisher))
