import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { integrationApi } from "../../platform/http/IntegrationApi.ts"
import { pageAs } from "../../values/Cursor.ts"
import { found, listed } from "../api-keys/OperationHandlers.ts"
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
      list: listed("members", (principal, _, page) => Effect.map(members.page(principal, page), pageAs(detailOf))),
      read: found((principal, { params }) => Effect.map(members.show(principal, params.id), detailOf)),
    })
  }),
)
