/** The body that a channel of Slack or Teams gets for an event (docs/webhooks.md#slack-and-teams). */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import { parseId, SubmissionId } from "../../values/Ids.ts"
import { EventEnvelope } from "../events/WebhookEvent.ts"
import { bodyOf, type ChatFormat, messageOf } from "./ChatMessage.ts"
import { ChatRepository } from "./ChatRepository.ts"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(EventEnvelope))

/** Of test deliveries. */
const sample = { candidate: "Ada Lovelace", interview: "Backend Engineer" }

export class ChatMessages extends Context.Service<ChatMessages>()("interview-invitations/webhooks/chat/ChatMessages", {
  make: Effect.gen(function* () {
    const { appUrl } = yield* Config
    const repository = yield* ChatRepository

    /** `body`: of the event. */
    const render = Effect.fn("ChatMessages.render")(function* (format: ChatFormat, body: string) {
      const event = Option.getOrUndefined(decode(body))
      if (event === undefined) return yield* Effect.die(new Error("an event cannot be read"))
      const id = parseId(SubmissionId, String(event.data["submission_id"]))
      const found =
        id === undefined || event.is_test === true ? undefined : yield* repository.subject(event.organization_id, id)
      const unknown = event.is_test === true ? sample : { candidate: null, interview: null }
      return bodyOf(format, messageOf(event, found ?? unknown, appUrl))
    })

    return { render }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
