import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPrincipal } from "../accounts/api-keys/AuthenticationApi.ts"
import { found, listed, performed } from "../accounts/api-keys/OperationHandlers.ts"
import { conflict, notFound } from "../platform/http/ApiRequests.ts"
import * as Body from "../platform/http/Body.ts"
import { integrationApi } from "../platform/http/IntegrationApi.ts"
import type { Warning } from "../values/Warning.ts"
import { LegalHolds } from "./LegalHolds.ts"
import { isConfirmed, People } from "./People.ts"
import { ErasePerson } from "./Person.ts"
import * as Contract from "./PersonApi.ts"
import type { PersonCounts, PersonEntry } from "./PersonRepository.ts"

const countsOf = ({ answers, cvs, evaluations, events, files, invitations, mails, submissions }: PersonCounts) => ({
  submissions,
  invitations,
  emails: mails,
  answers,
  files,
  cvs,
  evaluations,
  events,
})

/** What is around `results` in the answer, which is sent as a stream. */
const exportAround = (warnings: ReadonlyArray<Warning>) => ({
  before: '{"results":',
  after: warnings.length === 0 ? "}" : `,"warnings":${JSON.stringify(warnings)}}`,
})

/** An erased candidate has no address to compare. */
const unconfirmed = ({ email, erased_at }: PersonEntry) =>
  Body.invalid([
    {
      pointer: "#/confirm",
      code: "invalid",
      message:
        email === null && erased_at !== null
          ? `must be the id of the candidate in the path, who is erased already, since ${erased_at.toISOString()}: no address is left to compare`
          : "must be the id or the email address of the candidate in the path; nothing was erased",
    },
  ])

export const layer = HttpApiBuilder.group(
  integrationApi(Contract.Candidates),
  "candidates",
  Effect.fnUntraced(function* (handlers) {
    const legalHolds = yield* LegalHolds
    const people = yield* People
    const confirmation = Body.request(ErasePerson)
    return handlers
      .handleRaw(
        "erase",
        performed(confirmation, (principal, { confirm }, { params: { id } }) =>
          Effect.gen(function* () {
            const { entry } = yield* people.show(principal, id)
            if (!isConfirmed(entry, confirm)) return yield* unconfirmed(entry)
            const { erasedAt, erasedBefore, removed } = yield* people.erase(principal, id)
            return {
              id,
              erased: true as const,
              erased_at: erasedAt.toISOString(),
              previously_erased_at: erasedBefore?.toISOString() ?? null,
              removed: countsOf(removed),
            }
          }).pipe(Effect.catchTags({ Conflict: conflict, NotFound: notFound })),
        ),
      )
      .handleAll({
        list: listed("candidates", (principal, { query }, page) => people.list(principal, query, page)),
        read: found((principal, { params }) =>
          Effect.gen(function* () {
            const { counts, entry } = yield* people.show(principal, params.id)
            const holds = yield* legalHolds.ofCandidate(principal, params.id)
            return {
              ...entry,
              created_at: entry.created_at.toISOString(),
              erased_at: entry.erased_at?.toISOString() ?? null,
              is_on_legal_hold: holds.length > 0,
              stored: countsOf(counts),
            }
          }),
        ),
        export: Effect.fnUntraced(
          function* ({ params }) {
            const around = exportAround((yield* Body.parameters).warnings)
            const content = yield* people.everything(yield* CurrentPrincipal, params.id, around)
            return HttpServerResponse.stream(Stream.encodeText(content), { contentType: "application/json" })
          },
          Effect.catchTag("NotFound", notFound),
        ),
      })
  }),
)
