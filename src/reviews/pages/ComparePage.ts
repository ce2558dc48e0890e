/** Candidates of one interview set side by side: requirements, answers, CVs. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import type { CandidateRef } from "../../candidates/Candidate.ts"
import { isByKeywords } from "../../evaluations/Evaluation.ts"
import { outcomeOf } from "../../evaluations/Score.ts"
import { importanceOf } from "../../interview-sets/Importance.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { submissionsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorBox } from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import {
  capitalized,
  decidedNames,
  decisionNames,
  evaluationNames,
  evaluationWarningNames,
  nameOf,
  requirementDots,
  scoreText,
  stateOf,
} from "../../submissions/pages/SubmissionLabels.ts"
import { sizeText } from "../../texts/Formats.ts"
import type { Compared, ComparisonProblem, ComparisonView } from "../Comparison.ts"
import { candidateRange, comparisonLimits } from "../ComparisonLimits.ts"
import { answerId, type WarnedDecision } from "./SubmissionView.ts"

export const compareBase = "/submissions/compare"

export const compareHref = (ids: ReadonlyArray<string>): string => `${compareBase}?ids=${ids.join(",")}`

type Candidate = Compared["candidates"][number]
type Requirement = Compared["requirements"][number]
type Question = Compared["questions"][number]

/** Without half of a surrogate pair at the end. */
const shortened = (text: string, length: number): string => text.slice(0, length).toWellFormed().trimEnd()

const shortName = (candidate: CandidateRef): string => cut(nameOf(candidate), 60)

/** How the score was made; the number stands above. */
const scoreOf = ({ candidate, evaluation, evaluators, id, isScoreHidden }: Candidate): HtmlValue => {
  if (isScoreHidden)
    return html`<span class="quiet">Score hidden</span><a class="screen dotted" href="/submissions/${id}#review">Send your review<span class="unseen"> of ${shortName(candidate)}</span></a>`
  if (evaluation === null) return html`<span class="quiet">No score yet</span>`
  const { override, score, score_status, warnings } = evaluation
  const name = evaluators.some(isByKeywords) ? "keyword match" : "score"
  const found =
    score === null
      ? html`<span class="quiet">${score_status === "cannot_evaluate" ? "Cannot be evaluated" : "Not scored"}</span>`
      : html`${override === null ? null : html`<strong>${scoreText(score)}</strong> `}${evaluationNames[evaluation.evaluation_type]} ${name}${warnings.length === 0 ? null : html` · ⚠ ${warnings.map((code) => wordIn(evaluationWarningNames, code)).join(", ")}`}`
  return override === null ? found : html`Override by <bdi>${cut(override.member.name, 60)}</bdi> · ${found}`
}

/** In the order of the requirements on the page. */
const dots = ({ evaluation }: Candidate, requirements: ReadonlyArray<Requirement>): HtmlValue =>
  evaluation === null
    ? null
    : requirementDots(
        requirements.map(({ id }) => ({
          score: evaluation.ratings.find(({ requirement_id }) => requirement_id === id)?.score ?? null,
        })),
      )

const decisionOf = ({ candidate, decision: { decided_by, decision, reason }, id }: Candidate): Html => {
  const by = decided_by === null ? null : html` by <bdi>${cut(decided_by.name, 60)}</bdi>`
  const made =
    decision === null
      ? html`<span class="quiet">Undecided</span>`
      : html`<strong>${decidedNames[decision]}</strong>${by}`
  return html`${made}${reason === null ? null : html` <q class="reason" dir="auto">${cut(reason, 200)}</q>`}<a class="screen dotted" href="/submissions/${id}#decision">${decision === null ? "Decide with a reason" : "Change the reason"}<span class="unseen"> about ${shortName(candidate)}</span></a>`
}

/** The fields of each form of the page: the compared candidates, and the version of the decision that it shows. */
const formFields = (ids: ReadonlyArray<string>, { decision_changes }: Candidate): Html =>
  html`<input type="hidden" name="ids" value="${ids.join(",")}"><input type="hidden" name="changes" value="${decision_changes}">`

const decisionForm = (ids: ReadonlyArray<string>, one: Candidate): Html => {
  const name = shortName(one.candidate)
  const current = one.decision.decision
  return html`<form method="post" action="/submissions/${one.id}/compared/decision" class="decide-here">${formFields(ids, one)}${Object.entries(
    decisionNames,
  ).map(
    ([value, text]) =>
      html`<button name="decision" value="${value}" class="${value === current ? `chosen ${value}` : "secondary"}"${value === current ? html` aria-current="true"` : null}>${text}<span class="unseen"> ${name}</span></button>\n`,
  )}</form>`
}

/** The number and the signs of the requirements. */
const figures = (one: Candidate, requirements: ReadonlyArray<Requirement>): Html | null => {
  const score = one.evaluation?.override?.score ?? one.evaluation?.score ?? null
  return one.isScoreHidden || score === null
    ? null
    : html` <b class="figure">${scoreText(score)}</b> ${dots(one, requirements)}`
}

/** Sticky above the columns: name, state, score and decision. The last column adds a candidate. */
const head = (view: ComparisonView, { candidates, requirements }: Compared): Html => {
  const ids = candidates.map(({ id }) => id)
  return html`<ul class="side heads" aria-label="Candidates">${candidates.map((one) => {
    const name = shortName(one.candidate)
    const rest = ids.filter((id) => id !== one.id)
    const { kind, name: state } = stateOf({
      status: one.status,
      isDeclined: one.is_declined,
      invitation: one.invitation_status,
      isBeingEvaluated: one.is_being_evaluated,
      waitsForNotice: one.waits_for_notice,
      isCvUnreadable: one.is_cv_unreadable,
      isNotScored: one.evaluation?.score_status === "cannot_evaluate" && one.evaluation.override === null,
    })
    return html`<li><div class="head-line"><h2 dir="auto"><a href="/submissions/${one.id}">${name}</a></h2>
<a class="screen remove" href="${compareHref(rest)}" title="Remove from the comparison"><span aria-hidden="true">×</span><span class="unseen">Remove ${name}</span></a></div>
<p class="about"><span class="tag ${kind}">${state}</span>${figures(one, requirements)}</p>
${decisionForm(ids, one)}</li>
`
  })}${view.others.length === 0 ? null : html`<li class="adds">${addFold(view)}</li>`}</ul>`
}

/** Below the names: how the score was made, who decided, which reviews are hidden. */
const facts = ({ candidates }: Compared): Html =>
  cells(
    candidates,
    (one) => html`<p>${scoreOf(one)}</p>
<p>${decisionOf(one)}</p>
${one.hidden === 0 ? null : html`<p class="note">${countText(one.hidden, "review is", "reviews are")} hidden until you send yours.</p>`}`,
    "backgrounds",
  )

/** One cell for each candidate; narrow screens show the name in each cell. */
const cells = (
  candidates: ReadonlyArray<Candidate>,
  of: (candidate: Candidate, index: number) => HtmlValue,
  className = "",
): Html =>
  html`<ul class="${`side ${className}`.trim()}">${candidates.map(
    (one, index) => html`<li><p class="whose" dir="auto">${shortName(one.candidate)}</p>
${of(one, index)}</li>
`,
  )}</ul>`

const titleOf = (title: string | null, content: string | null, missing: string): string =>
  cut(title?.trim() || content?.trim() || missing, 200)

const ratingOf = ({ evaluation }: Candidate, requirement: Requirement) =>
  evaluation?.ratings.find(({ requirement_id }) => requirement_id === requirement.id)

/** The highest visible score of a requirement; undefined where the candidates do not differ. */
const highest = (candidates: ReadonlyArray<Candidate>, requirement: Requirement): number | undefined => {
  const scores = candidates.flatMap((one) => (one.isScoreHidden ? [] : (ratingOf(one, requirement)?.score ?? [])))
  const most = Math.max(...scores)
  return scores.some((score) => score < most) ? most : undefined
}

/** In one line, so that the verdicts can be scanned; the quote is closed at first. */
const rating = (one: Candidate, requirement: Requirement, most: number | undefined): Html => {
  const { averages, id, isScoreHidden } = one
  const found = ratingOf(one, requirement)
  const outcome = outcomeOf(found?.score ?? null)
  const score = found?.score ?? null
  const average = averages.get(requirement.id)
  const best = found?.best ?? null
  return html`<p class="rating">${isScoreHidden ? html`<span class="quiet">Hidden</span>` : html`<span class="tag ${outcome.replaceAll(" ", "-")}">${capitalized(outcome)}</span>`}${score === null || isScoreHidden || outcome === "no match found" ? null : html` <span${score === most ? html` class="most"` : null}>${scoreText(score)}</span>`}</p>
${average === undefined ? null : html`<p class="note">${countText(average.count, "review", "reviews")}: <strong>${scoreText(average.score)}</strong></p>`}
${best === null ? null : html`<details><summary>Quote<span class="unseen"> of ${shortName(one.candidate)}</span></summary><blockquote dir="auto">${cut(best.quote, comparisonLimits.quote)} <a class="note screen" href="/submissions/${id}${best.source === "cv" ? "#cv" : "#answers"}">${best.source === "cv" ? "CV" : "Answer"}</a></blockquote></details>`}`
}

/** Nothing is known to the member before the own reviews: no outcome, no quote, no average. */
const isAllHidden = ({ candidates }: Compared): boolean =>
  candidates.every(
    ({ averages, evaluation, isScoreHidden }) =>
      isScoreHidden && averages.size === 0 && (evaluation?.ratings ?? []).every(({ best }) => best === null),
  )

const requirementsTable = (compared: Compared): Html | null => {
  const { candidates, moreRequirements, requirements: all } = compared
  if (all.length === 0) return null
  if (isAllHidden(compared))
    return html`<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<p class="note">Hidden until you send your reviews.</p></section>`
  return html`<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
${all.map(
  (
    one,
    index,
  ) => html`<section class="compared verdicts" aria-labelledby="r${index}"><h3 id="r${index}" dir="auto">${titleOf(one.title, one.content, `Requirement ${index + 1}`)} <span class="note">${importanceOf(one.cfg_importance_id).name}</span></h3>
${cells(candidates, (candidate) => rating(candidate, one, highest(candidates, one)))}</section>
`,
)}
${moreRequirements <= 0 ? null : html`<p class="note">The ${all.length} most important requirements are compared; ${moreRequirements} more are on the candidates' pages.</p>`}</section>`
}

const answer = (candidate: Candidate, question: Question, index: number, length: number): Html => {
  const found = question.answers[index]
  const text = found?.content ?? ""
  const isEmpty =
    found === undefined || (text.trim() === "" && found.chosen.length === 0 && found.file === null && !found.is_spoken)
  if (isEmpty) return html`<p class="quiet">${candidate.attempt === 0 ? "Nothing submitted yet." : "No answer."}</p>`
  const href = `/submissions/${candidate.id}#${answerId(found.attempt, question.id)}`
  return html`${
    text.trim() === ""
      ? null
      : html`<p class="written" dir="auto">${shortened(text, length)}${text.length > length ? html`… <a class="screen" href="${href}">Full answer<span class="unseen"> of ${shortName(candidate.candidate)}</span></a>` : null}</p>`
  }${
    found.is_spoken
      ? html`<p class="note"><a class="screen" href="${href}">Listen<span class="unseen"> to ${shortName(candidate.candidate)}</span></a>${text.trim() === "" ? " There is no transcript." : null}</p>`
      : null
  }${
    found.chosen.length === 0
      ? null
      : html`<ul class="chosen">${found.chosen.slice(0, 20).map((title) => html`<li dir="auto">${cut(title, 200)}</li>`)}${found.chosen.length > 20 ? html`<li><a href="${href}">${found.chosen.length - 20} more</a></li>` : null}</ul>`
  }${
    found.file === null
      ? null
      : html`<p><a href="/submissions/${candidate.id}/files/${found.attempt}/${question.id}" download><bdi>${cut(found.file.name ?? "File", 80)}</bdi></a> <span class="note">${sizeText(found.file.size)}</span></p>`
  }`
}

const answers = ({ candidates, length, moreQuestions, questions }: Compared): Html | null =>
  questions.length === 0
    ? null
    : html`<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
${questions.map(
  (
    one,
    number,
  ) => html`<section class="compared" aria-labelledby="q${number}"><h3 id="q${number}" dir="auto">${titleOf(one.title, one.content, "Question without a title")}</h3>
${cells(candidates, (candidate, index) => answer(candidate, one, index, length))}</section>
`,
)}
<p class="note">Texts longer than ${length} characters are shortened.${moreQuestions <= 0 ? null : ` The first ${questions.length} questions are compared; ${moreQuestions} more are on the candidates' pages.`}</p></section>`

const cvText = ({ cv, id }: Candidate): Html => {
  if (cv === null) return html`<p class="quiet">No CV was provided.</p>`
  if (cv.state === "queued") return html`<p class="quiet">The CV is being read.</p>`
  const text = cv.text?.trim() ?? ""
  const limit = comparisonLimits.cv
  return html`${
    text === ""
      ? html`<p class="quiet">${cv.state === "failed" ? "The CV could not be read." : "The CV has no text."}</p>`
      : html`<p class="written" dir="auto">${shortened(text, limit)}${text.length > limit ? html`… <a class="screen" href="/submissions/${id}#cv">Full CV</a>` : null}</p>`
  }${cv.has_file ? html`<p class="screen"><a href="/submissions/${id}/cv" download>Download the file</a></p>` : null}`
}

const cvs = ({ candidates }: Compared): Html | null =>
  candidates.every(({ cv }) => cv === null)
    ? null
    : html`<section aria-labelledby="cvs"><h2 id="cvs">CVs</h2>
<div class="compared">${cells(candidates, cvText)}</div>
<p class="note">Only the first ${comparisonLimits.cv} characters of each CV are shown.</p></section>`

const addForm = ({ chosen, others }: ComparisonView): Html | null =>
  others.length === 0
    ? null
    : html`<form class="narrow add" action="${compareBase}"><input type="hidden" name="ids" value="${chosen.map(({ id }) => id).join(",")}">
<label class="grow"><span class="label">Add a candidate${others.length >= comparisonLimits.others ? ` (the ${comparisonLimits.others} newest with answers)` : null}</span>
<select name="add" required><option value="">Choose…</option>${others.map(({ candidate, id }) => html`<option value="${id}">${shortName(candidate)}</option>`)}</select></label>
<button class="secondary">Add</button></form>`

const addFold = (view: ComparisonView): Html =>
  html`<details class="add-fold"><summary title="Add a candidate"><span aria-hidden="true">+</span><span class="unseen">Add a candidate</span></summary>${addForm(view)}</details>`

/** After a decision on this page. */
const notice = ({ compared }: ComparisonView, done: ComparisonNotice | undefined): Html | null => {
  if (done === undefined) return null
  if (done._tag === "Refused") return errorBox(done.text)
  const candidates = compared?.candidates ?? []
  const found = candidates.find(({ id }) => id === done.submission)
  if (found === undefined) return null
  const ids = candidates.map(({ id }) => id)
  if (done._tag === "Warned")
    return html`<form method="post" action="/submissions/${found.id}/compared/decision" class="alert warm" tabindex="-1" autofocus>${formFields(ids, found)}
<input type="hidden" name="knows" value="${done.decision}">
<p role="alert"><strong>Nothing is decided yet: the score of <bdi>${shortName(found.candidate)}</bdi> may be unreliable.</strong> Read the answers first.</p>
<ul class="plain">${done.warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
<p><button name="decision" value="${done.decision}" class="secondary">${decisionNames[done.decision]} anyway</button></p></form>`
  const { decision } = found.decision
  const name = html`<bdi>${shortName(found.candidate)}</bdi>`
  const text =
    done._tag === "Undone"
      ? html`The last decision about ${name} was undone.`
      : html`${name}: ${decision === null ? "undecided" : decidedNames[decision].toLowerCase()}. The candidate was not notified.`
  return html`<div class="info done" tabindex="-1" autofocus><p role="status">${text}</p>
${done._tag === "Undone" ? null : html`<form method="post" action="/submissions/${found.id}/compared/undo" class="undo">${formFields(ids, found)}<button class="secondary">Undo</button></form>`}</div>`
}

const problems: Readonly<Record<ComparisonProblem, { readonly title: string; readonly text: string }>> = {
  none: {
    title: "Choose candidates to compare",
    text: `Select ${candidateRange} candidates of one interview set in the list of submissions, and press Compare.`,
  },
  one: {
    title: "Choose another candidate",
    text: `A comparison needs ${candidateRange} candidates of one interview set.`,
  },
  too_many: {
    title: `At most ${comparisonLimits.candidates} candidates can be compared`,
    text: `Remove candidates until ${comparisonLimits.candidates} are left.`,
  },
  several_sets: {
    title: "The candidates belong to different interview sets",
    text: "Only candidates of the same interview set can be compared. Choose a set:",
  },
  erased: {
    title: "A candidate's personal data was erased",
    text: "This candidate can no longer be compared. Compare the others instead:",
  },
}

const choices = ({ chosen, problem }: ComparisonView): Html | null => {
  const idsWithout = (id: string) => chosen.flatMap((one) => (one.id === id ? [] : [one.id]))
  if (problem === "erased") {
    const left = chosen.filter(({ is_erased }) => !is_erased).map(({ id }) => id)
    return html`<p><a class="button secondary" href="${compareHref(left)}">Compare the others</a></p>`
  }
  if (problem === "several_sets") {
    return html`<ul class="plain-list">${[...Map.groupBy(chosen, ({ set }) => set.id).values()].map((ofSet) => {
      const items = ofSet.map(({ candidate }) => html`<li><bdi>${shortName(candidate)}</bdi></li>`)
      return html`<li><a href="${compareHref(ofSet.map(({ id }) => id))}"><bdi>${cut(ofSet[0]?.set.title ?? "", 120)}</bdi></a><ul>${items}</ul></li>`
    })}</ul>`
  }
  return chosen.length === 0
    ? null
    : html`<ul class="plain-list">${chosen.map(({ candidate, id }) => html`<li><a href="/submissions/${id}"><bdi>${shortName(candidate)}</bdi></a>${problem === "too_many" ? html` · <a href="${compareHref(idsWithout(id))}">Remove<span class="unseen"> ${shortName(candidate)}</span></a>` : null}</li>`)}</ul>`
}

const back = { href: "/submissions", name: "All submissions" }

/** What became of a form of the page. */
export type ComparisonNotice =
  | { readonly _tag: "Decided" | "Undone"; readonly submission: string }
  | { readonly _tag: "Refused"; readonly text: string }
  | ({ readonly _tag: "Warned"; readonly submission: string } & WarnedDecision)

export const comparePage = (member: Member, view: ComparisonView, done?: ComparisonNotice): Document => {
  const { chosen, compared, problem } = view
  const document = () => {
    if (problem !== undefined || compared === undefined) {
      const { text, title } = problems[problem ?? "none"]
      return recordPage(member, {
        title,
        place: "Submissions",
        back,
        main: html`<header class="lead"><h1>${title}</h1><p class="welcome">${text}</p></header>
${choices(view)}
${addForm(view)}`,
      })
    }
    const set = chosen[0]?.set
    return recordPage(member, {
      title: `${chosen.map(({ candidate }) => shortName(candidate)).join(", ")} – comparison`,
      place: "Submissions",
      back: set === undefined ? back : { href: submissionsHref(set.id), name: `All of ${cut(set.title, 60)}` },
      width: "full",
      main: html`<header class="lead"><h1>Compare candidates</h1></header>
${notice(view, done)}
<div class="comparison">
${head(view, compared)}
${facts(compared)}
${requirementsTable(compared)}
${answers(compared)}
${cvs(compared)}
</div>`,
    })
  }
  const made = document()
  return { ...made, styles: [...(made.styles ?? []), "compare.css"] }
}
