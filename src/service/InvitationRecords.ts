/** Invitations in the workspace: made, looked at and changed by members, within what each may see. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { InvitationId } from "../domain/Ids.ts"
import type { ExtendInvitation, InvitationDetail, InvitationStatus } from "../domain/Invitation.ts"
import type { InviteRequest, InviteResult } from "../domain/Invite.ts"
import type { Member } from "../domain/Member.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { Conflict, type Invalid, NotAllowed, NotFound } from "../domain/Problem.ts"
import { readerOf } from "../domain/Viewer.ts"
import { AuditLog } from "../repository/AuditLog.ts"
import { Database } from "../repository/Database.ts"
import { type InvitationFile, InvitationRecords as Repository } from "../repository/InvitationRecords.ts"
import { notes } from "./Audit.ts"
import { InterviewSets } from "./InterviewSets.ts"
import { Invitations } from "./Invitations.ts"
import { Invite } from "./Invite.ts"

export interface InvitationRecord {
  readonly detail: InvitationDetail
  readonly file: InvitationFile
}

const unknown = new NotFound({ record: "invitation" })
const readId = Schema.decodeUnknownOption(InvitationId)

export class InvitationRecords extends Context.Service<
  InvitationRecords,
  {
    /** Newest first, of one set or of all that the member may see. */
    readonly list: (
      member: Member,
      filter: { readonly set: string | undefined; readonly status: InvitationStatus | undefined },
      page: PageRequest,
    ) => Effect.Effect<Page<InvitationDetail>>
    /** `id` as somebody wrote it. */
    readonly read: (member: Member, id: string) => Effect.Effect<InvitationRecord, NotFound | NotAllowed>
    /** One result for each candidate of the request; to an archived set nobody is invited from here. */
    readonly invite: (
      member: Member,
      set: string,
      request: Omit<InviteRequest, "com_interview_set_id">,
    ) => Effect.Effect<ReadonlyArray<InviteResult>, Invalid | Conflict | NotFound | NotAllowed>
    readonly resend: (member: Member, id: string) => Effect.Effect<void, Conflict | NotFound | NotAllowed>
    readonly cancel: (member: Member, id: string) => Effect.Effect<void, Conflict | NotFound | NotAllowed>
    readonly extend: (
      member: Member,
      id: string,
      request: ExtendInvitation,
    ) => Effect.Effect<InvitationDetail, Invalid | Conflict | NotFound | NotAllowed>
  }
>()("interview-invitations/service/InvitationRecords") {
  static readonly layer = Layer.effect(
    InvitationRecords,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const invitations = yield* Invitations
      const invite = yield* Invite
      const note = notes(yield* AuditLog, "invitation")
      const repository = yield* Repository
      const sets = yield* InterviewSets

      const required = Effect.fnUntraced(function* (member: Member, text: string) {
        const id = Option.getOrUndefined(readId(text))
        if (id === undefined) return yield* unknown
        const file = yield* repository.find(member.organizationId, id, readerOf(member))
        if (file === undefined) return yield* unknown
        return file.readable ? { id, file } : yield* new NotAllowed({ record: "invitation" })
      })

      return InvitationRecords.of({
        list: Effect.fn("InvitationRecords.list")((member, { set, status }, page) =>
          invitations.list(member.organizationId, { interview_set_id: set, status, reader: readerOf(member) }, page),
        ),
        read: Effect.fn("InvitationRecords.read")(function* (member, text) {
          const { file, id } = yield* required(member, text)
          return { detail: yield* invitations.find(member.organizationId, id), file }
        }),
        invite: Effect.fn("InvitationRecords.invite")(function* (member, set, request) {
          const { set: found, standing } = yield* sets.read(member, set)
          if (standing.archived_at !== null) {
            return yield* new Conflict({ reason: "the set is archived: use it again first" })
          }
          return yield* invite.invite(member.organizationId, { ...request, com_interview_set_id: found.id }, member.id)
        }),
        resend: Effect.fn("InvitationRecords.resend")(function* (member, text) {
          const { id } = yield* required(member, text)
          if (!(yield* invitations.sendAgain(member.organizationId, id))) return
          const { email } = yield* invitations.find(member.organizationId, id)
          yield* note(member.organizationId, member.id, "resend", id, { email })
        }, transaction),
        cancel: Effect.fn("InvitationRecords.cancel")(function* (member, text) {
          const { id } = yield* required(member, text)
          const before = yield* invitations.find(member.organizationId, id)
          const { email } = yield* invitations.cancel(member.organizationId, id)
          if (before.status_text !== "cancelled") {
            yield* note(member.organizationId, member.id, "cancel", id, { email })
          }
        }, transaction),
        extend: Effect.fn("InvitationRecords.extend")(function* (member, text, request) {
          const { id } = yield* required(member, text)
          const before = yield* invitations.find(member.organizationId, id)
          const after = yield* invitations.extend(member.organizationId, id, request)
          if (before.expires_at !== after.expires_at || before.time_factor !== after.time_factor) {
            const { email, expires_at, time_factor } = after
            yield* note(member.organizationId, member.id, "extend", id, { email, expires_at, time_factor })
          }
          return after
        }, transaction),
      })
    }),
  )
}
