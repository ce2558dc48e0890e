/** What the candidate wrote and sent, with what was quoted from it marked. */

import { cut } from "../../accounts/pages/WorkspacePage.ts"
import type { Evidence } from "../../evaluations/Evaluation.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { SubmissionDetail } from "../../submissions/SubmissionDetail.ts"
import { numberText } from "../../texts/Formats.ts"
import { highlights, type Quote } from "../Highlights.ts"
import { inFull, type SubmissionView } from "./SubmissionView.ts"

type Answer = SubmissionDetail["answers"][number]

/** The quotes of the evaluation that is shown, each with the number of its requirement. */
const quotesOf = ({ shown }: SubmissionView, isOfSource: (evidence: Evidence) => boolean): ReadonlyArray<Quote> =>
  (shown?.criteria ?? []).flatMap(({ evidence }, index) =>
    evidence.filter(isOfSource).map(({ quote }) => ({ text: quote, mark: index + 1 })),
  )

/** A text with its quotes marked; behind each stands which requirement it speaks for. */
export const marked = (text: string, quotes: ReadonlyArray<Quote>): Html => {
  const pieces = highlights(text, quotes)
  const parts = pieces.map(({ marks, text: part }, index) => {
    if (marks.length === 0) return html`${part}`
    const next = pieces[index + 1]?.marks ?? []
    const ended = marks.filter((mark) => !next.includes(mark))
    const refs = ended.map(
      (mark) =>
        html`<a class="ref" href="#requirement-${mark}" aria-label="speaks for requirement ${mark}">${mark}</a>`,
    )
    return html`<mark>${part}${refs}</mark>`
  })
  return html`<div class="written source" dir="auto">${parts}</div>`
}

/** "1.2 MB" */
const sizeText = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const answer = (view: SubmissionView, one: Answer, isEvaluated: boolean): Html => {
  const { attempt, content, file, options, question_id, title } = one
  const quotes = isEvaluated ? quotesOf(view, (evidence) => evidence.question_id === question_id) : []
  const isEmpty = !content?.trim() && options.length === 0 && file === null
  return html`<li id="answer-${attempt}-${question_id}" class="answer"><h3 dir="auto">${title?.trim() || "Question without a title"}</h3>
${inFull(view, question_id, title)}
${content?.trim() ? marked(content, quotes) : null}
${
  options.length === 0
    ? null
    : html`<ul class="chosen">${options.map((option) => html`<li>${marked(option.title ?? String(option.id), quotes)}</li>`)}</ul>`
}
${
  file === null
    ? null
    : html`<p><a href="/submissions/${view.detail.id}/files/${attempt}/${question_id}" download><bdi>${file.name ?? "File"}</bdi></a> <span class="note">${sizeText(file.size)}</span></p>`
}
${isEmpty ? html`<p class="quiet">No answer.</p>` : null}
</li>`
}

/** The answers of every attempt that was submitted: the newest open, earlier ones folded. */
export const answers = (view: SubmissionView): Html | null => {
  const { detail, facts, shownFacts } = view
  const attempts = [...Map.groupBy(detail.answers, ({ attempt }) => attempt)].toSorted(([a], [b]) => b - a)
  const [newest] = attempts
  if (newest === undefined) return null
  const isEvaluated = (attempt: number) => attempt === (shownFacts?.attempt ?? facts.attempt)
  const list = ([attempt, all]: readonly [number, ReadonlyArray<Answer>]) =>
    html`<ol class="answers">${all.map((one) => answer(view, one, isEvaluated(attempt)))}</ol>`
  const submitted = (attempt: number) => {
    const at = facts.attempts.find((one) => one.attempt === attempt)?.completed_at
    return at ? html` <span class="note">submitted ${moment(new Date(at), "short")}</span>` : null
  }
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers${attempts.length > 1 ? ` of attempt ${newest[0]}` : null}</h2>
${list(newest)}
${attempts.slice(1).map(
  (one) => html`<details class="earlier"><summary>Answers of attempt ${one[0]}</summary>${submitted(one[0])}
${list(one)}</details>`,
)}
</section>`
}

/** What the file was called where it came from; null: the link does not say. */
const fileName = (link: string): string | null => {
  const last = URL.canParse(link) ? new URL(link).pathname.split("/").at(-1) : undefined
  if (last === undefined || !/[^.]\.[a-z0-9]{1,5}$/i.test(last)) return null
  try {
    return decodeURIComponent(last).toWellFormed()
  } catch {
    return last
  }
}

/** The CV: its text as it was read, and the file. */
export const cv = (view: SubmissionView): Html | null => {
  const { detail, facts } = view
  if (facts.cv === null) return null
  const { has_file, link, notes, read_at, text } = facts.cv
  const quotes = quotesOf(view, ({ source }) => source === "cv")
  const name = fileName(link)
  const isLink = /^https?:\/\//i.test(link)
  return html`<section aria-labelledby="cv"><h2 id="cv">CV</h2>
<p class="note files">${has_file ? html`<a href="/submissions/${detail.id}/cv" download>Download the file</a>${name === null ? null : html` <bdi>${cut(name, 100)}</bdi>`} · ` : null}${
    isLink ? html`<a href="${link}" rel="noreferrer noopener">Where it comes from</a>` : null
  }${
    read_at === null || text === null
      ? null
      : html` · read ${moment(new Date(read_at), "short")}, ${numberText("en", [...text].length)} characters`
  }</p>
${notes.map((note) => html`<p class="info note" dir="auto">${note}</p>`)}
${text?.trim() ? marked(text, quotes) : null}
</section>`
}
