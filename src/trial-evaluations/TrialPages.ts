/** Routes of "What would change?". */
import { Effect, Layer, Result, Stream } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { seesAllScores } from "../accounts/Viewer.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { tableDownload } from "../files/TableDownload.ts"
import type { InterviewSet, Requirement } from "../interview-sets/InterviewSet.ts"
import { buildSet } from "../interview-sets/InterviewSetRequest.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { differencesOf } from "../interview-sets/pages/SetDifferences.ts"
import { setHref, setsHref, trialsHref } from "../interview-sets/pages/SetLabels.ts"
import { draftOf, readDraft, requirementDraft, type SetDraft } from "../interview-sets/SetDraft.ts"
import { changeOf } from "../interview-sets/SetFormRequest.ts"
import { press, type Step } from "../interview-sets/SetSteps.ts"
import type { FieldErrors, Notice } from "../platform/http/FormControls.ts"
import { numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { nameOf } from "../submissions/pages/SubmissionLabels.ts"
import { InterviewSetId, parseId, RequirementId } from "../values/Ids.ts"
import { trialConfirmPage, trialFormPage, trialHref } from "./pages/TrialFormPage.ts"
import { directionNames, trialHeader, trialPage } from "./pages/TrialPage.ts"
import { maxSample } from "./Trial.ts"
import { type Direction, directions } from "./TrialEvaluation.ts"
import { outcomesPerPage, Trials } from "./Trials.ts"

interface Shown {
  readonly draft: SetDraft
  readonly sample?: string
  readonly errors?: FieldErrors
  readonly step?: Step
  readonly notice?: Notice
  readonly status?: number
}

const isDirection = (text: string | undefined): text is Direction => directions.some((one) => one === text)

const maxPage = 100_000

const withRequirements = (draft: SetDraft, requirements: ReadonlyArray<Requirement>): SetDraft => ({
  ...draft,
  requirements: requirements.map(requirementDraft),
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeWorkspace
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const trials = yield* Trials

    const renderForm = Effect.fnUntraced(function* (member: Member, set: InterviewSet, shown: Shown) {
      const { draft, errors = {}, notice, sample = String(trials.defaultSample), status = 200, step } = shown
      const content = {
        set,
        draft,
        errors,
        step,
        notice,
        sample,
        requests: trials.requests,
        submissions: yield* trials.count(member, set.id),
        trials: yield* trials.list(member, set.id),
      }
      return page(trialFormPage(member, content), { status })
    })

    const showForm = Effect.fnUntraced(function* ({ member, param, query }: WorkspaceRequest) {
      const { set } = yield* interviewSets.read(member, param("id"))
      const saved = draftOf(set)
      const draft = yield* trials.find(member, set.id, query("from") ?? "").pipe(
        Effect.map(({ trial }) => withRequirements(saved, trial.requirements)),
        Effect.catchTag("NotFound", () => Effect.succeed(saved)),
      )
      return yield* renderForm(member, set, { draft })
    })

    /** The requirements of the form. Those of the set, and of an earlier trial, keep their ids. */
    const requirementsOf = Effect.fnUntraced(function* (set: InterviewSet, draft: SetDraft) {
      const change = changeOf(draft, { set, sources: [], isFixed: false })
      if (Result.isFailure(change)) return Result.fail(change.failure)
      const seen = new Set<string>()
      const kept = change.success.requirements.map((id) => {
        if (id === undefined || seen.has(id)) return undefined
        seen.add(id)
        return id
      })
      const stored = { id: set.id, questions: change.success.questions, requirements: kept }
      const { iai_requirements } = yield* buildSet(ids, change.success.request, stored)
      return Result.succeed(iai_requirements)
    })

    const submit = Effect.fnUntraced(function* ({ http, member, param }: WorkspaceRequest) {
      const { set } = yield* interviewSets.read(member, param("id"))
      const form = yield* readForm(http)
      const saved = draftOf(set)
      const draft = { ...saved, requirements: readDraft(form, saved).requirements }
      const sample = valueOf(form, "sample") ?? String(trials.defaultSample)
      const pressed = valueOf(form, "do") ?? "try"
      const next = press(form, draft, pressed)
      const again = { draft, sample }
      if (next !== undefined) return yield* renderForm(member, set, { ...again, draft: next.draft, step: next.step })
      if (pressed === "back") return yield* renderForm(member, set, again)
      const made = yield* requirementsOf(set, draft)
      if (Result.isFailure(made)) return yield* renderForm(member, set, { ...again, errors: made.failure, status: 422 })
      const size = numberOf(sample)
      if (trials.requests > 0 && !(size >= 1 && size <= maxSample)) {
        const errors = { sample: `Candidates to try must be a whole number from 1 to ${maxSample}.` }
        return yield* renderForm(member, set, { ...again, errors, status: 422 })
      }
      const request = { requirements: made.success, sample: size }
      if (differencesOf(saved, draft, { projects: [], languages: [] }).length === 0) {
        const notice = {
          text: "Nothing differs from the set yet: change a requirement or its importance.",
          isError: true,
        }
        return yield* renderForm(member, set, { ...again, notice, status: 422 })
      }
      const plan = yield* trials.plan(member, set.id, request)
      if (plan.requests > 0 && pressed !== "start") return page(trialConfirmPage(member, { ...plan, set, draft }))
      return yield* trials.begin(member, set.id, request).pipe(
        Effect.map((id) => seeOther(trialHref(set.id, id))),
        Effect.catchTag("Conflict", ({ reason }) =>
          renderForm(member, set, {
            ...again,
            notice: { text: `The trial was not started: ${reason}.`, isError: true },
            status: 409,
          }),
        ),
      )
    })

    const showTrial = Effect.fnUntraced(function* (
      { member, param, query }: WorkspaceRequest,
      refusal?: { readonly notice: Notice; readonly status: number },
    ) {
      const { set, trial } = yield* trials.find(member, param("id"), param("trial"))
      const isHidden = !seesAllScores(member)
      const [direction, number] = [query("direction"), numberOf(query("page") ?? "1")]
      const filter = {
        direction: isDirection(direction) ? direction : undefined,
        criterion: parseId(RequirementId, query("requirement")),
        page: number >= 1 && number <= maxPage ? number : 1,
      }
      const found = trial.state === "running" ? [] : yield* trials.outcomes(member, trial.id, filter)
      const outcomes = found.slice(0, outcomesPerPage)
      const saved = draftOf(set)
      return page(
        trialPage(member, {
          ...filter,
          set,
          trial,
          outcomes,
          isHidden,
          figures: yield* trials.figures(member, trial.id),
          differences: differencesOf(saved, withRequirements(saved, trial.requirements), {
            projects: [],
            languages: [],
          }),
          hasNext: found.length > outcomesPerPage,
          reasons: yield* trials.reasons(
            member,
            set,
            trial.requirements,
            outcomes.map(({ submission_id }) => submission_id),
          ),
          copyId: yield* ids.make(InterviewSetId),
          notice: refusal?.notice,
        }),
        { status: refusal?.status ?? 200 },
      )
    })

    const adopt = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member, param } = request
      const id = parseId(InterviewSetId, valueOf(yield* readForm(http), "id"))
      if (id === undefined) return seeOther(trialHref(param("id"), param("trial")))
      return yield* trials.adopt(member, param("id"), param("trial"), id).pipe(
        Effect.map((copy) => seeOther(`${setHref(copy)}/edit?done=copied`)),
        Effect.catchTags({
          Conflict: ({ reason }) =>
            showTrial(request, { notice: { text: `Nothing was adopted: ${reason}.`, isError: true }, status: 409 }),
          Invalid: Effect.die,
        }),
      )
    })

    const cancel = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      yield* trials.cancel(member, param("id"), param("trial"))
      return seeOther(trialHref(param("id"), param("trial")))
    })

    const remove = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      yield* trials.remove(member, param("id"), param("trial"))
      return seeOther(trialsHref(param("id")))
    })

    const download = Effect.fnUntraced(function* ({ http, member, param }: WorkspaceRequest) {
      const { trial } = yield* trials.find(member, param("id"), param("trial"))
      return tableDownload({
        name: "what-would-change",
        type: "csv",
        languages: http.headers["accept-language"],
        header: trialHeader,
        rows: Stream.map(trials.allOutcomes(member, trial.id), (one) => [
          one.submission_id,
          nameOf(one.candidate),
          directionNames[one.direction],
          one.before,
          one.after,
          one.rank_before,
          one.rank_after,
          one.met_before,
          one.met_after,
          one.reason,
        ]),
      })
    })

    const toTrial = ({ param }: WorkspaceRequest) => trialHref(param("id"), param("trial"))
    const form = `${setsHref}/:id/trials` as const

    yield* get(form, showForm)
    yield* post(form, submit)
    yield* get(`${form}/:trial`, (request) => showTrial(request))
    yield* action(`${form}/:trial/adopt`, adopt, toTrial)
    yield* action(`${form}/:trial/cancel`, cancel, toTrial)
    yield* action(`${form}/:trial/delete`, remove, toTrial)
    yield* get(`${form}/:trial/csv`, download)
  }),
)
