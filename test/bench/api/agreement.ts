/** Checks that all servers return equal responses to equal requests, except for generated ids, links and times. */
import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { request as send } from "undici"
import { BenchFailed } from "../support/BenchFailed.ts"
import type { Account } from "./accounts.ts"
import type { Server } from "./measure.ts"
import { createSet, invite1, readSubmission } from "./scenarios.ts"

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** When a set was made, and its version. */
const time = /"(version|created_at|updated_at)":"[^"]*"/g
const link = /\/i\/[\w-]{44}"/g

export const checkAgreement = Effect.fnUntraced(function* (servers: ReadonlyArray<Server>, account: Account) {
  const invitation = invite1.request(account)
  const [submission = ""] = account.submissionIds
  const checks = [
    { scenario: invite1, request: invitation },
    // repeated: returns the existing invitation
    { scenario: invite1, request: invitation },
    { scenario: createSet, request: createSet.request(account) },
    { scenario: readSubmission, request: readSubmission.request({ ...account, submissionIds: [submission] }) },
  ]
  for (const { request, scenario } of checks) {
    const responses = yield* Effect.forEach(
      servers.filter(({ scenarios }) => scenarios.includes(scenario)),
      ({ name, origin }) =>
        Effect.promise(async () => {
          const { path, ...options } = request
          const { body, statusCode } = await send(origin + path, options)
          const text = (await body.text()).replace(uuid, "id").replace(link, '/i/token"').replace(time, '"$1":""')
          return { name, status: statusCode, body: JSON.parse(text) }
        }),
    )
    const [first, ...others] = responses
    const other = others.find(({ body, status }) => status !== first?.status || !isDeepStrictEqual(body, first.body))
    if (first?.status !== scenario.status || other !== undefined) {
      const message = `${scenario.name}: responses differ: ${[first, other].map((one) => JSON.stringify(one)).join("\n")}`
      return yield* new BenchFailed({ message })
    }
  }
})
