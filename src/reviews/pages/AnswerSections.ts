/** The candidate's answers and CV, with marked quotes and previews of files. */
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import type { Evidence } from "../../evaluations/Evaluation.ts"
import { cvFileName, isImage, isPdf, isViewable } from "../../files/Download.ts"
import { shortened } from "../../interview-sets/QuestionName.ts"
import { rulesOf } from "../../interview-sets/QuestionRules.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { isTooLong } from "../../recordings/Recording.ts"
import { clockText, sampleModel, segmentOf, textOf } from "../../recordings/Transcript.ts"
import type { RecordingFacts } from "../../submissions/SubmissionRepository.ts"
import { sizeText } from "../../texts/Formats.ts"
import { highlights, type Quote } from "../Highlights.ts"
import { commentsOfAnswer } from "./CommentSection.ts"
import {
  type Answer,
  answerId,
  attemptOf,
  cvFailure,
  inFull,
  isOnlyCvUnreadable,
  quoteId,
  type SubmissionView,
} from "./SubmissionView.ts"

/** Characters of a question's name above its answer. */
const maxName = 200

const quotesOf = ({ shown }: SubmissionView, isOfSource: (evidence: Evidence) => boolean): ReadonlyArray<Quote> =>
  (shown?.criteria ?? []).flatMap(({ evidence }, index) =>
    evidence.flatMap((one, place) =>
      isOfSource(one) ? [{ text: one.quote, mark: index + 1, id: quoteId(index + 1, place + 1) }] : [],
    ),
  )

/** `shown`: the requirement whose marks are visible. */
const marked = (text: string, quotes: ReadonlyArray<Quote>, shown: number | undefined): Html => {
  const pieces = highlights(text, quotes)
  const parts = pieces.map(({ ids, marks, text: part }, index) => {
    if (marks.length === 0) return html`${part}`
    const next = pieces[index + 1]?.marks ?? []
    const ended = marks.filter((mark) => !next.includes(mark))
    const refs = ended.map(
      (mark) =>
        html`<a class="ref" href="#requirement-${mark}" aria-label="evidence for requirement ${mark}">${mark}</a>`,
    )
    const [id, ...others] = ids
    const anchors = others.map((one) => html`<span id="${one}"></span>`)
    const isShown = shown !== undefined && marks.includes(shown)
    return html`<mark${id === undefined ? null : html` id="${id}"`} data-of="${marks.join(" ")}"${isShown ? html` class="on"` : null}>${anchors}${part}${refs}</mark>`
  })
  return html`<div class="written source" dir="auto">${parts}</div>`
}

/** A recording with its captions; without scripts, a link to a second opens the recording there. */
const recordingPlayer = ({ base }: SubmissionView, { id, kind, segments }: RecordingFacts): Html => {
  const captions =
    segments === null ? null : html`<track kind="captions" src="${base}/recordings/${id}/captions" label="Transcript">`
  const source = html`controls preload="none" src="${base}/recordings/${id}" data-recording="${id}"`
  return kind === "video"
    ? html`<video class="recorded" playsinline ${source}>${captions}</video>`
    : html`<audio class="recorded" ${source}>${captions}</audio>`
}

/** Where each quote is said. */
const secondsOf = (
  { base }: SubmissionView,
  { id, segments }: RecordingFacts,
  quotes: ReadonlyArray<Quote>,
): Html | null => {
  const places = [...new Set(quotes.map(({ text }) => segmentOf(segments ?? [], text)))].filter(
    (segment) => segment !== undefined,
  )
  return places.length === 0
    ? null
    : html`<p class="note seconds">Quoted at ${places.map(({ start, text }) => html`<a href="${base}/recordings/${id}#t=${start}" data-second="${start}" data-of="${id}" title="${cut(text, 80)}">${clockText(start)}</a> `)}</p>`
}

const speeds = ["1", "1.5", "2"] as const

/** How long a recording is and how fast it plays, which the script changes. */
const recordingLine = ({ is_deleted, max_seconds, seconds }: RecordingFacts): Html | null => {
  if (seconds === null) return null
  const rules = rulesOf({ attributes: { max_seconds } })
  const choices = speeds.map(
    (speed) =>
      html`<button type="button" data-speed="${speed}" aria-pressed="${speed === "1" ? "true" : "false"}">${speed}×</button>`,
  )
  const over = isTooLong(seconds, rules)
    ? html` – longer than the ${clockText(rules.maxSeconds)} that the question allows`
    : null
  return html`<div class="length"><span class="note">${clockText(seconds)}${over}</span>${is_deleted ? null : html`<span class="speeds" role="group" aria-label="Speed" hidden>${choices}</span>`}</div>`
}

const recordingText = ({
  correction,
  error,
  is_deleted,
  is_queued,
  segments,
  transcriber,
}: RecordingFacts): string | null => {
  if (is_deleted) return "The recording was deleted: your organization keeps recordings for a limited time."
  if (error !== null) return error
  if (correction !== null) return "The candidate corrected the transcript."
  if (is_queued) return "The transcript is being written."
  if (transcriber === sampleModel) return "This transcript is a sample: no speech was recognized."
  return segments === null ? "There is no transcript: listen to the recording." : null
}

const isAnswer = ({ answer_attempts, question_id }: RecordingFacts, one: Answer): boolean =>
  question_id === one.question_id && answer_attempts.includes(one.attempt)

/** The recordings of an answer; one that is not the answer was interrupted by a later take. */
const recordings = (view: SubmissionView, one: Answer, quotes: ReadonlyArray<Quote>): Html | null => {
  const own = view.facts.recordings.filter(
    (recording) =>
      isAnswer(recording, one) || (recording.attempt === one.attempt && recording.question_id === one.question_id),
  )
  return own.length === 0
    ? null
    : html`${own.map((recording) => {
        const text = recordingText(recording)
        return html`<div class="spoken">${isAnswer(recording, one) ? null : html`<p class="note">Another take, which was interrupted</p>`}
${recording.is_deleted ? null : recordingPlayer(view, recording)}${recordingLine(recording)}
${text === null ? null : html`<p class="info note">${text}</p>`}${isAnswer(recording, one) && !recording.is_deleted ? secondsOf(view, recording, quotes) : null}</div>`
      })}`
}

/** What the candidate said in the recording that is the answer; null: there is no transcript. */
const transcriptOf = ({ facts }: SubmissionView, one: Answer): string | null => {
  const found = facts.recordings.find((recording) => isAnswer(recording, one))
  if (found === undefined) return null
  return found.correction ?? (found.segments === null ? null : textOf(found.segments))
}

/** Only the first occurrence of a quote gets its id, because ids are unique on a page. */
const markedTexts = (
  { requirement }: SubmissionView,
  texts: ReadonlyArray<string>,
  quotes: ReadonlyArray<Quote>,
): ReadonlyArray<Html> => {
  const placed = new Set<string>()
  return texts.map((text) => {
    const own = quotes.map((quote) =>
      quote.id !== undefined && placed.has(quote.id) ? { ...quote, id: undefined } : quote,
    )
    for (const { id, text: quote } of own) if (id !== undefined && text.includes(quote)) placed.add(id)
    return marked(text, own, requirement)
  })
}

interface ShownFile {
  readonly href: string
  readonly name: string
  readonly type: string | null
  readonly size: number | null
}

/**
 * A browser without a viewer for PDFs downloads the file when the preview opens: it is loaded only then. Without
 * `navpanes=0`, Chromium's viewer shows thumbnails beside the page, which leave no room for it on a phone.
 */
const preview = ({ href, name, type }: ShownFile): Html | null => {
  if (isImage(type)) return html`<img class="preview" src="${href}?show=1" alt="${name}" loading="lazy">`
  if (type === "image/heic") {
    return html`<p class="note">Most browsers do not show pictures of this format (HEIC): download it to see it.</p>`
  }
  return isPdf(type)
    ? html`<details><summary>Preview<span class="unseen"> ${name}</span></summary><iframe class="preview" src="${href}?show=1#navpanes=0" title="${name}" loading="lazy"></iframe></details>`
    : null
}

const file = (shown: ShownFile): Html => {
  const { href, name, size, type } = shown
  return html`<p class="file"><bdi>${cut(name, 150)}</bdi>${size === null ? null : html` <span class="note">${sizeText(size)}</span>`}
<a href="${href}" download>Download<span class="unseen"> ${name}</span></a>${isViewable(type) ? html` <a href="${href}?show=1" target="_blank" rel="noopener">Open in a new tab<span class="unseen"> ${name}</span></a>` : null}</p>
${preview(shown)}`
}

interface OfAttempt {
  readonly isEvaluated: boolean
  readonly isNewest: boolean
}

const answer = (view: SubmissionView, one: Answer, { isEvaluated, isNewest }: OfAttempt): Html => {
  const { attempt, content, file: uploaded, options, question_id, title } = one
  const quotes = isEvaluated ? quotesOf(view, (evidence) => evidence.question_id === question_id) : []
  const spoken = transcriptOf(view, one)
  const players = recordings(view, one, quotes)
  const isEmpty = !content?.trim() && options.length === 0 && uploaded === null && players === null
  const written = [content, spoken].filter((text): text is string => Boolean(text?.trim()))
  const texts = markedTexts(view, [...written, ...options.map((option) => option.title ?? String(option.id))], quotes)
  const chosen = texts.slice(written.length)
  const whole = title?.trim() ?? ""
  const name = shortened(whole, maxName)
  return html`<li id="${answerId(attempt, question_id)}" class="answer"><h3 dir="auto">${name || "Question without a title"}</h3>${isNewest ? commentsOfAnswer(view, question_id) : null}
${name.endsWith("…") && name !== whole ? html`<p class="quiet written" dir="auto">${whole}</p>` : null}${inFull(view, question_id, title)}
${players}${texts.slice(0, written.length)}
${chosen.length === 0 ? null : html`<ul class="chosen">${chosen.map((option, i) => html`<li>${option}${options[i]?.is_knock_out ? html` <span class="tag knock-out">Knock-out answer</span>` : null}</li>`)}</ul>`}
${
  uploaded === null
    ? null
    : file({
        href: `${view.base}/files/${attempt}/${question_id}`,
        name: uploaded.name ?? "File",
        type: uploaded.type,
        size: uploaded.size,
      })
}
${isEmpty ? html`<p class="quiet">No answer.</p>` : null}
</li>`
}

/** Answers in the order of the set, empty ones for questions without an answer. */
const withUnanswered = (
  { facts }: SubmissionView,
  attempt: number,
  all: ReadonlyArray<Answer>,
): ReadonlyArray<Answer> =>
  facts.questions.map(
    (one) =>
      all.find(({ question_id }) => question_id === one.question_id) ?? {
        ...one,
        attempt,
        content: null,
        options: [],
        file: null,
      },
  )

export const answers = (view: SubmissionView): Html | null => {
  const { detail, facts } = view
  const attempts = [...Map.groupBy(detail.answers, ({ attempt }) => attempt)].toSorted(([a], [b]) => b - a)
  const [newest] = attempts
  if (newest === undefined) return null
  const list = ([attempt, all]: readonly [number, ReadonlyArray<Answer>]) =>
    html`<ol class="answers">${withUnanswered(view, attempt, all).map((one) =>
      answer(view, one, { isEvaluated: attempt === attemptOf(view), isNewest: attempt === newest[0] }),
    )}</ol>`
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

const nameInLink = (link: string): string | null => {
  const last = URL.canParse(link) ? new URL(link).pathname.split("/").at(-1) : undefined
  if (last === undefined || !/[^.]\.[a-z0-9]{1,5}$/i.test(last)) return null
  try {
    return decodeURIComponent(last).toWellFormed()
  } catch {
    return last
  }
}

/** In place of a CV that was deleted after the organization's retention. */
const deletedCv = ({ facts }: SubmissionView): Html | null =>
  facts.is_erased || facts.cv_deleted_at === null
    ? null
    : html`<section aria-labelledby="cv"><h2 id="cv">CV</h2>
<p class="info">The CV was deleted on ${moment(new Date(facts.cv_deleted_at), "day")}: your organization keeps CVs for a limited time.</p></section>`

export const cv = (view: SubmissionView): Html | null => {
  const { audience, base, facts } = view
  if (facts.cv === null) return deletedCv(view)
  const { error, has_file, link, notes, read_at, size, state, text, type } = facts.cv
  const quotes = quotesOf(view, ({ source }) => source === "cv")
  const isLink = audience === "recruiting" && /^https?:\/\//i.test(link) && !has_file
  const isRead = read_at !== null && text !== null
  return html`<section aria-labelledby="cv"><h2 id="cv">CV</h2>
${has_file ? html`<div class="files">${file({ href: `${base}/cv`, name: nameInLink(link) ?? cvFileName(type), type, size })}</div>` : null}
<p class="note files">${isLink ? html`<a href="${link}" rel="noreferrer noopener">Original file</a>` : null}${isLink && isRead ? " · " : null}${
    isRead ? html`${isLink ? "read" : "Read"} ${moment(new Date(read_at), "day")}` : null
  }</p>
${state !== "queued" ? null : error !== null ? html`<p class="info"><bdi>${error}</bdi> It is retried for about 40 minutes.</p>` : facts.flow === "cv" ? null : html`<p class="info">The CV is being fetched and read.</p>`}
${notes.map((note) => html`<p class="info note" dir="auto">${note}</p>`)}
${text?.trim() ? markedTexts(view, [text], quotes) : state === "read" ? html`<p class="quiet">The CV has no text.</p>` : null}
</section>`
}

/** Why the CV could not be read, and forms that fetch it again. */
const cvFailureParts = (view: SubmissionView, failure: string, kind: "primary" | "secondary"): Html => {
  const { base, detail, facts } = view
  const href = `${base}/cv`
  const { email } = detail.candidate
  const subject = `Your CV for ${detail.interview_set.title ?? "the interview"}`
  return html`<p><bdi>${failure.replace(/^The CV could not be read\. /, "")}</bdi>${email === null ? " Ask the candidate for another file, then correct the link." : null}</p>
${email === null ? null : html`<a class="button ${kind}" href="mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}">Ask for another file</a>`}
<form method="post" action="${href}/retry"><button class="secondary">Try again</button></form>
<details><summary>Correct the link</summary>
<form method="post" action="${href}/link" class="fields" novalidate><p><label for="cv_link">Link to the CV</label>
<input id="cv_link" name="cv_link" type="url" required autocomplete="off" value="${facts.cv?.link ?? ""}"></p>
<p><button class="secondary">Fetch from this link</button></p></form></details>`
}

/** In the panel, where the CV alone is evaluated. */
export const cvCorrection = (view: SubmissionView): Html =>
  html`<section class="unanswered failed" aria-labelledby="standing"><h2 id="standing">The CV could not be read</h2>
<div class="failed-cv">${cvFailureParts(view, cvFailure(view) ?? "", "primary")}</div></section>`

/** Above the answers. */
export const cvFailureBox = (view: SubmissionView): Html | null => {
  const failure = cvFailure(view)
  if (failure === undefined) return null
  if (view.audience !== "recruiting")
    return html`<div class="alert"><p><strong>The CV could not be read.</strong></p></div>`
  return isOnlyCvUnreadable(view)
    ? null
    : html`<div class="alert failed-cv"><p><strong>The CV could not be read.</strong></p>
${cvFailureParts(view, failure, "secondary")}</div>`
}
