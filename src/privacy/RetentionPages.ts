/** Routes of Settings → Organization → Retention. */
import { Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { type Difference, versionOf } from "../accounts/pages/OutdatedForm.ts"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { named, numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { DataRetention } from "./DataRetention.ts"
import { LegalHolds } from "./LegalHolds.ts"
import {
  confirmationOf,
  kinds,
  periodLabels,
  type RetentionForm,
  retentionHref,
  retentionPage,
} from "./pages/RetentionPage.ts"
import { retainedKinds, type TypedPeriods, typedPeriods } from "./RetentionPeriods.ts"

const notices: Readonly<Record<string, string>> = {
  saved: "Your changes were saved. What is old enough is deleted within ten minutes.",
  held: "The legal hold is in force.",
  released: "The legal hold was released.",
}

const fromText = (from: string): string => (from === "decision" ? "the decision" : "the end of the interview")

const differencesOf = (saved: TypedPeriods, own: TypedPeriods): ReadonlyArray<Difference> => [
  ...retainedKinds
    .filter((kind) => saved[kind] !== own[kind].trim())
    .map((kind) => ({ name: kinds[kind].label, saved: saved[kind], own: own[kind] })),
  ...(saved.from === own.from ? [] : [{ name: "Counted from", saved: fromText(saved.from), own: fromText(own.from) }]),
]

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const auditLog = yield* AuditLog
    const dataRetention = yield* DataRetention
    const legalHolds = yield* LegalHolds

    const render = Effect.fnUntraced(function* (member: Member, form: RetentionForm, notice?: Notice, status = 200) {
      const holds = yield* legalHolds.list(member)
      return page(retentionPage(member, form, { eventDays: dataRetention.eventDays, holds, notice }), { status })
    })

    const show = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const { version, ...periods } = yield* dataRetention.find(member)
      const text = named(notices, query("done"))
      const form = { ...typedPeriods(periods), version: String(version), errors: {} }
      return yield* render(member, form, text === undefined ? undefined : { text })
    })

    const send = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const own = {
        recordings: typed(form, "recordings"),
        cvs: typed(form, "cvs"),
        answers: typed(form, "answers"),
        candidates: typed(form, "candidates"),
        events: typed(form, "events"),
        audit: typed(form, "audit"),
        from: typed(form, "from"),
      }
      const version = versionOf(form)
      const again = (rest: Pick<RetentionForm, "errors" | "outdated" | "counts" | "isAsking">, status: number) =>
        render(member, { ...own, version, ...rest }, undefined, status)
      const change =
        valueOf(form, "do") === "count"
          ? Effect.flatMap(dataRetention.count(member, own), (counts) => again({ errors: {}, counts }, 200))
          : Effect.as(
              dataRetention.save(member, own, numberOf(version), valueOf(form, "confirmed") === confirmationOf(own)),
              seeOther(`${retentionHref}?done=saved`),
            )
      return yield* change.pipe(
        Effect.catchTags({
          RetentionUnconfirmed: ({ counts }) => again({ errors: {}, counts, isAsking: true }, 409),
          Invalid: ({ errors }) => again({ errors: fieldErrors(errors, periodLabels) }, 422),
          RetentionOutdated: Effect.fnUntraced(function* ({ saved }) {
            const last = yield* auditLog.last(member, "organization", String(member.organizationId))
            const differences = differencesOf(typedPeriods(saved), own)
            return yield* again({ errors: {}, outdated: { version: String(saved.version), last, differences } }, 409)
          }),
        }),
      )
    })

    yield* get(retentionHref, show)
    yield* post(retentionHref, send)
  }),
)
