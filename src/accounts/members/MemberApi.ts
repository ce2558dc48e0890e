/** The API of members: reads only; members are invited and changed in the workspace. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { page, pageQuery, results } from "../../platform/http/IntegrationApi.ts"
import { NotFound, Unprocessable } from "../../platform/http/ProblemApi.ts"
import { extensibleEnum } from "../../values/ExtensibleEnum.ts"
import { MemberId } from "../../values/Ids.ts"
import { Timestamp } from "../../values/Timestamp.ts"
import { Authentication } from "../api-keys/AuthenticationApi.ts"
import { roles } from "./Member.ts"

export const MemberDetail = Schema.Struct({
  id: MemberId,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  role: extensibleEnum(roles).annotate({ description: "What the member may do; more roles may be added" }),
  has_joined: Schema.Boolean.annotate({ description: "false: the member was invited and has not signed in yet" }),
  has_second_factor: Schema.Boolean.annotate({
    description: "Signs in with an authenticator app besides the password",
  }),
  created_at: Timestamp.annotate({ description: "When the member was invited or created" }),
  last_seen_at: Schema.NullOr(Timestamp).annotate({
    description: "When the member last opened a page, to the minute; null: never",
  }),
}).annotate({ identifier: "Member" })
export type MemberDetail = typeof MemberDetail.Type

const path = "/members/v1"

const list = HttpApiEndpoint.get("list", path, {
  query: pageQuery,
  success: page(MemberDetail, "members"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listMembers",
    summary: "List members",
    description:
      "The members of your organization, newest first, without those that were removed. Needs the scope `read`.",
  }),
)

const read = HttpApiEndpoint.get("read", `${path}/:id`, {
  params: { id: MemberId.annotateKey({ description: "The member's id" }) },
  success: results(MemberDetail, "The member"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getMember",
    summary: "Read a member",
    description: "404 also for a member who was removed. Needs the scope `read`.",
  }),
)

export const Members = HttpApiGroup.make("members")
  .add(list, read)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Members", description: "The people of your organization who sign in." }))
