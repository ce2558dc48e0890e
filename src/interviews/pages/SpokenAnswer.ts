/** Recording, playing and correcting a spoken answer. */
import type { Question } from "../../interview-sets/InterviewSet.ts"
import { rulesOf, spokenKinds } from "../../interview-sets/QuestionRules.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, written } from "../../platform/http/PageParts.ts"
import { clockText } from "../../recordings/Transcript.ts"
import { lengthText } from "../../texts/Formats.ts"
import { catalogues, textsOf } from "../../texts/Texts.ts"
import { recordingField } from "../AnswerForm.ts"
import type { AnsweredRecording } from "../AnswerRepository.ts"
import type { InterviewView } from "../InterviewView.ts"

export const spokenTexts = ({ spoken }: Pick<InterviewView, "spoken">): ReturnType<typeof textsOf<"spoken">> =>
  textsOf(spoken, "spoken")

/** The player of the candidate's own recording. */
export const player = (token: string, { id, kind }: Pick<AnsweredRecording, "id" | "kind">): Html => {
  const source = html`controls preload="metadata" src="/i/${token}/recordings/${id}"`
  return kind === "video"
    ? html`<video class="recorded" playsinline ${source}></video>`
    : html`<audio class="recorded" ${source}></audio>`
}

/** "1:05", or nothing while it is not measured. */
const keptText = (view: InterviewView, { seconds }: AnsweredRecording): string =>
  seconds === null ? spokenTexts(view).say("keptShort") : spokenTexts(view).say("kept", { length: clockText(seconds) })

/** The recording that is the answer, as the review shows it. */
export const savedRecording = (view: InterviewView, recording: AnsweredRecording, token: string): Html =>
  recording.error === null
    ? html`${player(token, recording)}
${recording.transcript === null ? null : html`<details class="transcript"><summary>${spokenTexts(view).say("understood")}</summary>${written(recording.transcript, view.language)}</details>`}`
    : html`<p class="alert warm">${spokenTexts(view).say("damaged")}</p>${player(token, recording)}`

/** What is said about the number of recordings; null: any number. */
const takesText = (view: InterviewView, allowed: number, used: number): string | null => {
  const { counted, say } = spokenTexts(view)
  const left = allowed - used
  if (allowed === 0) return null
  if (left <= 0) return say("noTakes")
  return counted(used === 0 ? "takes" : "moreTakes", left)
}

const correction = (view: InterviewView, recording: AnsweredRecording): Html | null => {
  if (recording.transcript === null) return null
  const { say } = spokenTexts(view)
  const form = `correct-${recording.id}`
  return html`<details class="transcript"><summary>${say("understood")}${recording.is_corrected ? html` <span class="note">${say("corrected")}</span>` : null}</summary>
<p class="note" id="${form}-note">${say("understoodText")}</p>
<textarea form="${form}" name="transcript" rows="5" dir="auto" aria-label="${say("understood")}" aria-describedby="${form}-note"${languageAttribute(view.language)}>
${recording.transcript}</textarea>
<p class="actions"><button class="secondary" form="${form}">${say("correct")}</button></p></details>`
}

/** Forms of the recording, beside the form of the answer: forms do not nest. */
export const recordingForms = (view: InterviewView, question: Question, token: string, page: string): Html | null => {
  const recording = view.answers.get(question.id)?.recording
  if (!recording) return null
  const fields = html`<input type="hidden" name="attempt" value="${view.attempt}"><input type="hidden" name="page" value="${page}">`
  return html`<form id="remove-${recording.id}" method="post" action="/i/${token}/recordings/remove">${fields}<input type="hidden" name="question" value="${question.id}"></form>
<form id="correct-${recording.id}" method="post" action="/i/${token}/recordings/${recording.id}/transcript">${fields}</form>`
}

export interface RecorderOptions {
  readonly token: string
  readonly id: string
  readonly takesUsed: number
}

/** Undefined: the question is answered in writing only. */
export const recorder = (
  view: InterviewView,
  question: Question,
  { id, takesUsed, token }: RecorderOptions,
): Html | undefined => {
  const rules = rulesOf(question)
  const kinds = spokenKinds(rules)
  if (kinds.length === 0) return undefined
  const { say } = spokenTexts(view)
  const recording = view.answers.get(question.id)?.recording ?? null
  const isLeft = rules.takes === 0 || takesUsed < rules.takes
  const about = [
    say("limit", { length: lengthText(view.spoken, rules.maxSeconds) }),
    takesText(view, rules.takes, takesUsed),
  ].filter((text) => text !== null)
  const start = (kind: "audio" | "video") =>
    html`<button type="button" class="${recording === null && kind === kinds[0] ? "primary" : "secondary"}" data-record="${kind}">${recording === null ? say(kind) : kinds.length === 1 ? say("again") : say(kind)}</button>`
  return html`<div class="recorder" data-recorder data-recordings="/i/${token}/recordings" data-max-seconds="${rules.maxSeconds}" data-preparation="${takesUsed === 0 ? rules.preparationSeconds : 0}" data-words="${JSON.stringify(catalogues[view.spoken].spoken)}">
${
  recording === null
    ? null
    : html`<div class="kept"><p>${recording.error === null ? keptText(view, recording) : say("damaged")}</p>
${player(token, recording)}
${correction(view, recording)}</div>`
}
${recording === null && takesUsed === 0 ? html`<p class="note" dir="auto">${view.recordingConsent ?? say("consent", { organization: view.organizationName })}</p>` : null}
<p class="note" id="${id}-spoken">${about.join(" ")}</p>
<div class="recording" data-recording hidden>
<video data-preview muted playsinline hidden></video>
<p class="take" role="timer" data-left></p>
<p class="level"><label>${say("level")} <meter min="0" max="1" low="0.05" data-level></meter></label></p>
<p class="actions"><button type="button" class="primary" data-stop>${say("stop")}</button></p>
</div>
<p class="status" role="status" data-recorder-status></p>
<p class="alert" role="alert" data-recorder-error hidden></p>
<p class="actions" data-record-actions${token.startsWith("preview/") ? null : html` hidden`}>${isLeft ? kinds.map(start) : null}${recording === null ? null : html`<button class="secondary" form="remove-${recording.id}">${say("remove")}</button>`}</p>
${
  isLeft
    ? html`<details class="chooser" data-chooser><summary>${say("choose")}</summary>
<p><input type="file" name="${recordingField(question)}" accept="${kinds.map((kind) => `${kind}/*`).join(",")}" capture="user" aria-label="${say("choose")}"></p>
<p class="actions"><button class="secondary" name="go" value="stay">${say("send")}</button></p></details>`
    : null
}
</div>`
}
