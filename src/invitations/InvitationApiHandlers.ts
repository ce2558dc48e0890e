import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Principal } from "../accounts/api-keys/ApiKey.ts"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { found, inputRefusals, listed, performed, refusals } from "../accounts/api-keys/OperationHandlers.ts"
import { allows, permissions } from "../accounts/Permissions.ts"
import { Config } from "../config/Config.ts"
import { answer, notFound, unprocessable } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import { pageAs } from "../values/Cursor.ts"
import { CorrectInvitation, ExtendInvitation, type InvitationDetail } from "./Invitation.ts"
import * as Contract from "./InvitationApi.ts"
import { Invitations } from "./Invitations.ts"
import { Invite } from "./Invite.ts"
import { InviteRequest, inviteRuleErrors } from "./InviteRequest.ts"
import { InviteResult } from "./InviteResult.ts"

/** The link lets its holder answer, so only keys that may invite see it. */
const visibleTo =
  (principal: Principal) =>
  (invitation: InvitationDetail): InvitationDetail =>
    allows(principal, permissions.inviteCandidates.scopes) ? invitation : { ...invitation, interview_url: null }

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Invitations),
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const invitations = yield* Invitations
    const invite = yield* Invite
    const { inviteMaxCandidates } = yield* Config
    const payload = Body.request(InviteRequest, (request) => inviteRuleErrors(request, inviteMaxCandidates))
    const invited = answer(Schema.Array(InviteResult))
    const correction = Body.request(CorrectInvitation)
    const extension = Body.request(ExtendInvitation)
    return handlers
      .handleRaw(
        "invite",
        Effect.fnUntraced(
          function* () {
            const { request, warnings } = yield* payload
            const done = yield* invite.invite(yield* CurrentPrincipal, request)
            return invited(done.results, [...warnings, ...done.warnings])
          },
          Effect.catchTags({ Invalid: unprocessable, NotFound: notFound }),
        ),
      )
      .handleRaw(
        "correct",
        performed(correction, (principal, { email, previous_email: seen }, { params }) =>
          invitations
            .correctAddress(principal, params.id, { email, seen: seen ?? undefined })
            .pipe(Effect.catchTags(inputRefusals)),
        ),
      )
      .handleRaw(
        "extend",
        performed(extension, (principal, request, { params }) =>
          invitations.extend(principal, params.id, request).pipe(Effect.catchTags(inputRefusals)),
        ),
      )
      .handleAll({
        list: listed("invitations", (principal, { query }, page) =>
          Effect.map(invitations.list(principal, query, page), pageAs(visibleTo(principal))),
        ),
        read: found((principal, { params }) =>
          Effect.map(invitations.find(principal, params.id), visibleTo(principal)),
        ),
        resend: performed(Body.none, (principal, _, { params }) =>
          invitations.resend(principal, params.id).pipe(Effect.catchTags(refusals)),
        ),
        cancel: performed(Body.none, (principal, _, { params }) =>
          invitations.cancel(principal, params.id).pipe(Effect.catchTags(refusals)),
        ),
      })
  }),
)
