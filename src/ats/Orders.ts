/** Operations for hiring systems: list interview sets, order an interview, read an order's state, cancel an order. */
import { Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { operator } from "../accounts/Viewer.ts"
import { Config, type Settings } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { SetType } from "../interview-sets/InterviewSet.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { Invite } from "../invitations/Invite.ts"
import { CheckedInvite, InviteRequest } from "../invitations/InviteRequest.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { isStorable } from "../values/Fields.ts"
import { OrderId, SubmissionId } from "../values/Ids.ts"
import { Conflict, fieldError, Invalid, NotFound } from "../values/Problem.ts"
import { fieldErrorsOf } from "../values/ValidationErrors.ts"
import type { Connected } from "./Connection.ts"
import { type NewOrder, stateOf } from "./Order.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { isReportAddress } from "./ReportAddress.ts"

const readRequest = Schema.decodeUnknownResult(InviteRequest, { errors: "all" })
const maxText = 2048
const interviewType: SetType = 1

const parseGiven = Schema.decodeUnknownOption(Schema.Union([OrderId, SubmissionId]))

const requestOf = ({ candidate, interview_set_id }: NewOrder) =>
  readRequest({ com_interview_set_id: interview_set_id, candidates: [candidate] })

/** Checks the order's own texts; `InviteRequest` checks the candidate's fields, as for every invitation. */
const textErrors = ({ callback_url, external_id, job, ordered_by, profile_url }: NewOrder) =>
  Object.entries({ external_id, callback_url, profile_url, ordered_by, job }).flatMap(([name, text]) => {
    if (text === null) return []
    if (!isStorable(text)) {
      return [fieldError(`#/${name}`, "unstorable_text", "must not contain U+0000 or half of a surrogate pair")]
    }
    return text.length <= maxText
      ? []
      : [fieldError(`#/${name}`, "too_long", `must have at most ${maxText} characters`)]
  })

const callbackErrors = ({ callback_hosts, callback_url }: NewOrder, { hiringSystemHosts }: Settings) =>
  callback_url === null || isReportAddress(callback_url, callback_hosts, hiringSystemHosts)
    ? []
    : [
        fieldError(
          "#/callback_url",
          "invalid",
          `must be an https address of ${callback_hosts[0] ?? "the hiring system"}`,
        ),
      ]

/** `error`: of an invite's result. */
const cannotInvite = (error = "the email address is not valid"): string =>
  `The candidate cannot be invited: ${error.replace(": no invitation was sent", "")}.`

export class Orders extends Context.Service<Orders>()("interview-invitations/ats/Orders", {
  make: Effect.gen(function* () {
    const config = yield* Config
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const invitations = yield* Invitations
    const invite = yield* Invite
    const repository = yield* OrderRepository

    /** The operator has credentials at the vendor, for all organizations. */
    const hasPartner = ({ system }: Connected) => Redacted.value(config.hiringSystemPartners)[system] !== undefined

    /** All interview sets that are not archived, newest first. */
    const offered = Effect.fn("Orders.offered")(({ organizationId }: Connected) =>
      interviewSets.offered(operator(organizationId)),
    )

    const place = Effect.fnUntraced(function* (connection: Connected, wanted: NewOrder) {
      if (wanted.isReportedAsPartner === true && hasPartner(connection)) {
        if (yield* repository.isElsewhere(connection, wanted.external_id))
          return yield* new Conflict({ reason: "This order is one of another company." })
      }
      const id = yield* ids.make(OrderId)
      // the same order, placed concurrently
      if (!(yield* repository.reserve(connection, id, wanted))) {
        return (yield* repository.find(connection, wanted.external_id)) ?? (yield* new NotFound({ record: "order" }))
      }
      const request = requestOf(wanted)
      if (Result.isFailure(request)) return yield* new Invalid({ errors: fieldErrorsOf(request.failure.issue) })
      const viewer = operator(connection.organizationId)
      const target = yield* invite.begin(viewer, request.success)
      if (target.set === undefined || target.set.is_archived) return yield* new NotFound({ record: "interview set" })
      if (target.set.set_type !== interviewType) {
        return yield* new Conflict({ reason: "This test has no interview to send. Choose another one." })
      }
      const { results } = yield* invite.complete(viewer, target, CheckedInvite(request.success))
      const [result] = results
      // a failed invitation: the candidate can never be reached
      if (result?.submission == null || result.invitation?.status_text === "failed") {
        return yield* new Conflict({ reason: cannotInvite(result?.error_message) })
      }
      return yield* repository.attach(connection, id, result.submission.id, wanted.isReportedAtOnce === true)
    }, transaction)

    /**
     * Invites at most once per order id of the hiring system, even if the order is repeated concurrently. Conflict: a sentence about the
     * candidate or the test.
     */
    const order = Effect.fn("Orders.order")(function* (connection: Connected, wanted: NewOrder) {
      const errors = [...textErrors(wanted), ...callbackErrors(wanted, config)]
      if (errors.length > 0) return yield* new Invalid({ errors })
      const known = yield* repository.find(connection, wanted.external_id)
      return known ?? (yield* invite.inTurn(connection.organizationId)(place(connection, wanted)))
    })

    /** `text`: the id that the hiring system was given. */
    const standing = Effect.fn("Orders.standing")(function* (connection: Connected, text: string) {
      const id = Option.getOrUndefined(parseGiven(text))
      const facts = id === undefined ? undefined : yield* repository.facts(connection, id)
      if (facts === undefined) return yield* new NotFound({ record: "order" })
      return { facts, url: emailLinks.submission(facts.submission_id) }
    })

    /** Returns the candidate's link to the interview. NotFound: there is no such order, or it has no link. */
    const linkOf = Effect.fn("Orders.linkOf")(function* (connection: Connected, text: string) {
      const { facts } = yield* standing(connection, text)
      if (facts.invitation_id === null) return yield* new NotFound({ record: "link" })
      const read = invitations.read(operator(connection.organizationId), facts.invitation_id)
      const { detail } = yield* Effect.catchTag(read, "NotAllowed", Effect.die)
      return detail.interview_url ?? (yield* new NotFound({ record: "link" }))
    })

    /** The order that a hiring system's message is about: by the id that it was given, or else by the candidate's address. */
    const mentioned = Effect.fn("Orders.mentioned")(function* (
      connection: Connected,
      text: string | null,
      email: string | null,
    ) {
      const id = Option.getOrUndefined(parseGiven(text))
      const found = id === undefined ? undefined : (yield* repository.facts(connection, id))?.id
      if (found !== undefined || email === null || !isStorable(email)) return found
      return yield* repository.ofAddress(connection, email)
    })

    /**
     * Cancels the order, and the invitation unless another order of the interview is open. Conflict: the candidate has submitted,
     * or the interview has ended.
     */
    const cancel = Effect.fn("Orders.cancel")(function* (connection: Connected, text: string) {
      const { facts } = yield* standing(connection, text)
      const state = stateOf(facts)
      if (state === "completed" || state === "evaluated") {
        return yield* new Conflict({ reason: "The candidate has already submitted the interview." })
      }
      if (facts.cancelled_at !== null) return facts.id
      if (!(yield* repository.cancel(connection, facts))) return facts.id
      if (facts.invitation_id === null) return facts.id
      const cancelled = invitations.cancel(operator(connection.organizationId), facts.invitation_id)
      // an operator may see every invitation
      yield* Effect.catchTag(cancelled, "NotAllowed", Effect.die)
      return facts.id
    }, transaction)

    /** As `cancel`, by the order's id in the hiring system. */
    const cancelExternal = Effect.fn("Orders.cancelExternal")(function* (connection: Connected, externalId: string) {
      const found = yield* repository.find(connection, externalId)
      return yield* found === undefined ? new NotFound({ record: "order" }) : cancel(connection, found.given_id)
    })

    /** The invitation of an order, by the order's id in the hiring system. */
    const invitationOf = Effect.fnUntraced(function* (connection: Connected, externalId: string) {
      const found = yield* repository.find(connection, externalId)
      const facts = found === undefined ? undefined : yield* repository.facts(connection, found.given_id)
      if (facts === undefined || facts.invitation_id === null) return yield* new NotFound({ record: "order" })
      return { order: facts.id, invitation: facts.invitation_id }
    })

    /**
     * Cancels the interview, as a member does in the workspace: unlike `cancel`, for all of its orders, which are reported.
     * Conflict: a sentence about the interview.
     */
    const withdraw = Effect.fn("Orders.withdraw")(function* (connection: Connected, externalId: string) {
      const { invitation, order: id } = yield* invitationOf(connection, externalId)
      yield* invitations.cancel(operator(connection.organizationId), invitation).pipe(
        Effect.catchTags({
          NotAllowed: Effect.die,
          Conflict: ({ reason }) => new Conflict({ reason: `The interview was not cancelled: ${reason}.` }),
        }),
      )
      return id
    }, transaction)

    /** Sends the invitation's email again. Conflict: a sentence about the invitation. */
    const resend = Effect.fn("Orders.resend")(function* (connection: Connected, externalId: string) {
      const { invitation, order: id } = yield* invitationOf(connection, externalId)
      yield* invitations.resend(operator(connection.organizationId), invitation).pipe(
        Effect.catchTags({
          NotAllowed: Effect.die,
          Conflict: ({ reason }) => new Conflict({ reason: `The invitation was not sent again: ${reason}.` }),
        }),
      )
      return id
    }, transaction)

    return { offered, order, standing, mentioned, linkOf, cancel, cancelExternal, withdraw, resend }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
