/** Members write what candidates read before they record. */
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import type { Language } from "../texts/Texts.ts"
import { type OrganizationId, RecordingConsentId } from "../values/Ids.ts"
import { Invalid } from "../values/Problem.ts"
import { consentErrors, type RecordingConsent } from "./RecordingConsent.ts"
import { RecordingConsentRepository } from "./RecordingConsentRepository.ts"

/** The text has changed since the form was opened. `saved` undefined: the service's own is in force. */
export class ConsentOutdated extends Data.TaggedError("ConsentOutdated")<{
  readonly saved: RecordingConsent | undefined
}> {}

export class RecordingConsents extends Context.Service<RecordingConsents>()(
  "interview-invitations/recordings/RecordingConsents",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const ids = yield* Ids
      const repository = yield* RecordingConsentRepository

      const list = ({ organizationId }: Member) => repository.list(organizationId)

      /** Undefined: the service's own is in force. */
      const find = (organization: OrganizationId, language: Language) => repository.find(organization, language)

      /**
       * A blank text is the service's own. `seen`: the id of the text that the member saw, "" of the service's own. Fails with
       * Invalid and ConsentOutdated.
       */
      const change = Effect.fn("RecordingConsents.change")(function* (
        member: Member,
        language: Language,
        typed: string,
        seen: string,
      ) {
        const organization = member.organizationId
        const text = typed.replaceAll("\r\n", "\n").trim()
        const errors = consentErrors(text)
        if (errors.length > 0) return yield* new Invalid({ errors })
        const saved = yield* repository.find(organization, language)
        if (text === (saved?.text ?? "")) return
        if (seen !== (saved?.id ?? "")) return yield* new ConsentOutdated({ saved })
        const isEnded = saved === undefined || (yield* repository.end(organization, saved.id))
        const id = yield* ids.make(RecordingConsentId)
        const isStored = isEnded && (text === "" || (yield* repository.insert(organization, { id, language, text })))
        if (!isStored) return yield* new ConsentOutdated({ saved: yield* repository.find(organization, language) })
        yield* auditLog.note(member, "organization", "set_recording_consent", String(organization), {
          before: { language, text: saved?.text ?? "" },
          after: { language, text },
        })
      }, transaction)

      return { list, find, change }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
