/**
 * Fills the sample organization (docs/workspace.md) as candidates, members and workers would: with the services of the
 * product, its email queue, CV reader and evaluator, each action at a moment of the last weeks. Requests nothing, but for
 * EVALUATOR and EMBEDDINGS_URL with a model.
 */
import { Effect, Redacted, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../accounts/AuditLog.ts"
import type { Member } from "../../accounts/members/Member.ts"
import { MemberRepository } from "../../accounts/members/MemberRepository.ts"
import { Passwords } from "../../accounts/sign-in/Passwords.ts"
import { operator } from "../../accounts/Viewer.ts"
import { CvFetcher, CvNotFetched } from "../../cv/CvFetcher.ts"
import { InterviewSets } from "../../interview-sets/InterviewSets.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import { HiringStages } from "../../reviews/HiringStages.ts"
import { SampleRepository } from "../../sample/SampleRepository.ts"
import { Samples, sampleName } from "../../sample/Samples.ts"
import { HiringStageId, InterviewSetId, MemberId, type OrganizationId } from "../../values/Ids.ts"
import { Endpoints } from "../../webhooks/endpoints/Endpoints.ts"
import { cvLink, makeCandidateActions } from "./candidateActions.ts"
import { engineers } from "./engineers.ts"
import { nurses } from "./nurses.ts"
import {
  type MemberKey,
  members,
  type SampleCandidate,
  type SampleCv,
  type SetKey,
  type StageKey,
  sets,
  stages,
} from "./SampleCandidate.ts"
import { salespeople } from "./salespeople.ts"
import { endedDeliveries } from "./sampleDeliveries.ts"
import { makeHistory } from "./sampleHistory.ts"
import { samplePdf } from "./samplePdf.ts"
import { at, day, hour, later } from "./sampleTime.ts"

const candidates: ReadonlyArray<SampleCandidate> = [...engineers, ...nurses, ...salespeople]

/** How long ago the sample begins. */
const beginning = 41 * day

export const workingHookName = "Hiring system"

/** When the webhooks were created. */
const hooked = { working: 26 * day, failing: 12 * day } as const

/** Of a damaged file: reading a page without text by OCR would take longer than all else. */
const damagedLength = 300

const fileOf = ({ lines }: SampleCv): Uint8Array =>
  lines.length === 0 ? samplePdf([sampleName]).subarray(0, damagedLength) : samplePdf(lines)

const fetcher = CvFetcher.of({
  fetch: (link) => {
    const cv = candidates.find((candidate) => cvLink(candidate) === link)?.cv
    return cv === undefined
      ? Effect.fail(new CvNotFetched({ reason: "The sample has no such file", permanent: true }))
      : Effect.sync(() => fileOf(cv))
  },
})

const refusals = new Map(
  candidates.flatMap(({ email, refusal }) => (email === null || refusal === undefined ? [] : [[email, refusal]])),
)

export interface FilledSample {
  readonly organization: OrganizationId
  readonly candidates: number
  /** Of its owner. */
  readonly email: string
  /** Of all its members. */
  readonly password: Redacted.Redacted
}

/**
 * Creates and fills it. `receiver`: the address of the webhook that works. Fails with Conflict if there is a sample
 * organization; dies if it is removed meanwhile.
 */
export const fillSample = Effect.fn("SampleFilling.fillSample")(
  function* (receiver: string) {
    const auditLog = yield* AuditLog
    const { time, transaction } = yield* Database
    const endpoints = yield* Endpoints
    const hiringStages = yield* HiringStages
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const memberRepository = yield* MemberRepository
    const passwords = yield* Passwords
    const random = yield* SecureRandom.SecureRandom
    const sampleRepository = yield* SampleRepository
    const samples = yield* Samples

    const now = yield* time
    const begunAt = later(now, -beginning)
    const organization = yield* at(begunAt)(samples.create)
    const { act, deliveries } = yield* makeHistory({ organization, now, fetcher, refusals })

    const password = Redacted.make(Buffer.from(yield* random.randomBytes(12)).toString("base64url"))
    const password_hash = yield* passwords.hash(password)

    const addMember = Effect.fnUntraced(function* (key: MemberKey) {
      const { email, name, role } = members[key]
      const id = yield* ids.make(MemberId)
      const isNew = yield* memberRepository.insert(organization, { id, email, name, role, password_hash })
      if (!isNew) return yield* Effect.die(new Error(`${email} is a member of another organization`))
      yield* auditLog.note(operator(organization), "member", "create", id, { email, role })
      return {
        ...({ _tag: "Member", id, email, name, role, timeZone: "UTC", seesScores: false } as const),
        ...{ organizationId: organization, organizationName: sampleName },
      } satisfies Member
    })

    const team = {
      maya: yield* act(begunAt, addMember("maya")),
      tomas: yield* act(later(begunAt, hour), addMember("tomas")),
      priya: yield* act(later(begunAt, 2 * hour), addMember("priya")),
      jonas: yield* act(later(begunAt, 3 * hour), addMember("jonas")),
    }

    const addSet = Effect.fnUntraced(function* (key: SetKey, moment: Date) {
      const id = yield* ids.make(InterviewSetId)
      yield* act(moment, interviewSets.createOnce(team.maya, id, sets[key]))
      return yield* interviewSets.find(team.maya, id)
    })

    const addStage = Effect.fnUntraced(function* (key: StageKey) {
      const id = yield* ids.make(HiringStageId)
      yield* act(later(begunAt, 6 * hour), hiringStages.add(team.maya, id, stages[key]))
      return id
    })

    const office = {
      organization,
      team,
      now,
      sets: {
        engineer: yield* addSet("engineer", later(begunAt, 3 * hour)),
        sales: yield* addSet("sales", later(begunAt, 4 * hour)),
        nurse: yield* addSet("nurse", later(begunAt, 5 * hour)),
      },
      stages: { call: yield* addStage("call"), onSite: yield* addStage("onSite"), offer: yield* addStage("offer") },
    }

    const addWorkingHook = endpoints.create(team.tomas, {
      name: workingHookName,
      description: "It acknowledges every delivery.",
      url: receiver,
      events: [
        ...(["invitation.status.update", "interview.status.update"] as const),
        ...(["interview.evaluation.update", "submission.decision.update", "submission.stage.update"] as const),
      ],
    })

    const addFailingHook = endpoints.create(team.tomas, {
      name: "Payroll",
      description: "Its server has begun to answer 503.",
      url: "https://payroll.lindhaven.test/hooks/interviews",
      events: ["interview.evaluation.update"],
    })

    const actionsOf = yield* makeCandidateActions(office)
    const actions = [
      { moment: later(now, -hooked.working), action: addWorkingHook },
      { moment: later(now, -hooked.failing), action: addFailingHook },
      ...candidates.flatMap(actionsOf),
    ].toSorted((one, other) => one.moment.getTime() - other.moment.getTime())
    for (const { action, moment } of actions) yield* act(moment < now ? moment : now, action)

    const failing = (yield* endpoints.list(team.maya)).find(({ url }) => url !== receiver)
    yield* transaction(
      Effect.gen(function* () {
        yield* sampleRepository.insertDeliveries(organization, endedDeliveries(deliveries, failing?.id, now))
        yield* sampleRepository.dateChanges(organization)
        yield* sampleRepository.setReady(organization)
      }),
    )
    return { organization, candidates: candidates.length, email: team.maya.email, password } satisfies FilledSample
  },
  Effect.provideService(References.MinimumLogLevel, "Error"),
)
