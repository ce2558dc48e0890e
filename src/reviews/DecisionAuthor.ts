/** The member or the API key that decides about candidates, as responses, events and the record name it. */
import { Effect } from "effect"
import type { Principal } from "../accounts/api-keys/ApiKey.ts"
import { ApiKeyRepository } from "../accounts/api-keys/ApiKeyRepository.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import type { DecisionAuthor } from "../webhooks/events/WebhookEvent.ts"

export type Decider = Member | Principal

export const makeDecisionAuthor = Effect.gen(function* () {
  const repository = yield* ApiKeyRepository
  return Effect.fnUntraced(function* (decider: Decider): Effect.fn.Return<DecisionAuthor> {
    if (decider._tag === "Member") return { id: decider.id, name: memberName(decider) }
    const key = yield* repository.find(decider.organizationId, decider.apiKeyId)
    // deleted while its request runs
    const name = key === undefined ? "" : ` ${key.name?.trim() || key.prefix}`
    return { id: decider.apiKeyId, name: `API key${name}`, type: "api_key" }
  })
})
