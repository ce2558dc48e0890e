import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../../platform/http/ApiRequests.ts"
import * as Body from "../../platform/http/Body.ts"
import { pageRequest } from "../../platform/http/CursorFilters.ts"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { optionalWarnings } from "../../values/Warning.ts"
import { CurrentPrincipal } from "../api-keys/AuthenticationApi.ts"
import * as Contract from "./MemberApi.ts"
import type { MemberEntry } from "./MemberRepository.ts"
import { Members } from "./Members.ts"

const detailOf = ({ created_at, email, has_second_factor, id, joined, name, role, seen_at }: MemberEntry) => ({
  id,
  email,
  name,
  role,
  has_joined: joined,
  has_second_factor,
  created_at: created_at.toISOString(),
  last_seen_at: seen_at?.toISOString() ?? null,
})

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Members),
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const found = yield* members.page(yield* CurrentPrincipal, yield* pageRequest("members", query))
        return { ...found, results: found.results.map(detailOf) }
      }),
      read: Effect.fnUntraced(
        function* ({ params }) {
          const results = detailOf(yield* members.show(yield* CurrentPrincipal, params.id))
          return { results, ...optionalWarnings(yield* Body.unknownParameters) }
        },
        Effect.catchTag("NotFound", notFound),
      ),
    })
  }),
)
