/** Recording, playing and correcting a spoken answer. */
import type { Question } from "../../interview-sets/InterviewSet.ts"
import { rulesOf, spokenKinds } from "../../interview-sets/QuestionRules.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, written } from "../../platform/http/PageParts.ts"
import { transcriptVersion } from "../../recordings/Correction.ts"
import { consentText } from "../../recordings/RecordingConsent.ts"
import { clockText, maxTranscriptLength } from "../../recordings/Transcript.ts"
import { lengthText, numberText } from "../../texts/Formats.ts"
import { spokenQuestionsText } from "../../texts/SpokenQuestions.ts"
import { catalogues, type Language, textsOf } from "../../texts/Texts.ts"
import {
  consentField,
  recordingField,
  type SentCorrection,
  shownValue,
  transcriptField,
  transcriptKnownField,
} from "../AnswerForm.ts"
import type { AnsweredRecording } from "../AnswerRepository.ts"
import { asksToSpeak, type InterviewView } from "../InterviewView.ts"

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

export const correctionTooLong = (language: Language, length: number): string =>
  textsOf(language, "page").say("tooLong", {
    length: numberText(language, length),
    limit: numberText(language, maxTranscriptLength),
  })

/** A correction that was not saved, as the page shows it again. `saved`: what is saved instead, where that differs. */
export interface UnsavedCorrection extends SentCorrection {
  readonly saved?: string
}

const correction = (
  view: InterviewView,
  { id, is_corrected, transcript }: AnsweredRecording,
  unsaved: UnsavedCorrection | undefined,
): Html | null => {
  if (transcript === null) return null
  const { say } = spokenTexts(view)
  const sent = unsaved?.recording === id ? unsaved : undefined
  const versions = textsOf(view.spoken, "page")
  const other =
    sent?.saved === undefined
      ? null
      : html`<p class="note">${versions.say("savedVersion")}</p>${written(sent.saved, view.language)}<p class="note">${versions.say("sentVersion")}</p>`
  const known =
    sent === undefined
      ? transcriptVersion(transcript)
      : sent.saved === undefined
        ? sent.known
        : transcriptVersion(sent.saved)
  return html`<details class="transcript"${sent === undefined ? null : html` open`}><summary>${say("understood")}${is_corrected ? html` <span class="note">${say("corrected")}</span>` : null}</summary>
<p class="note" id="transcript-note">${say("understoodText")}</p>
${other}
<input type="hidden" name="${transcriptKnownField(id)}" value="${known ?? ""}" data-known>
<textarea name="${transcriptField(id)}" rows="5" dir="auto" maxlength="${maxTranscriptLength}" data-transcript="${id}" aria-label="${say("understood")}" aria-describedby="transcript-note"${languageAttribute(view.language)}>
${sent?.text ?? transcript}</textarea>
<p class="actions"><button class="secondary" name="go" value="stay" data-correct>${say("correct")}</button></p></details>`
}

/** The form that removes the recording, beside the form of the answer: forms do not nest. */
export const removalForm = (view: InterviewView, question: Question, token: string, page: string): Html | null => {
  const recording = view.answers.get(question.id)?.recording
  if (!recording) return null
  const fields = html`<input type="hidden" name="attempt" value="${view.attempt}"><input type="hidden" name="page" value="${page}">`
  return html`<form id="remove-${recording.id}" method="post" action="/i/${token}/recordings/remove">${fields}<input type="hidden" name="question" value="${question.id}"></form>`
}

/** What the script fills while it records: the picture, the time left and the loudness. */
export const liveRecording = (view: InterviewView, isPractice = false): Html => {
  const { say } = spokenTexts(view)
  return html`<video data-preview muted playsinline hidden></video>
<div class="take"><p class="left" role="timer" data-left></p>
<p class="level"><progress max="1" value="0" data-level aria-hidden="true"></progress><span role="status" data-said-level></span></p>
<button type="button" class="primary" data-stop${isPractice ? html` hidden` : null}>${say("stop")}</button></div>`
}

/** A large choice: the microphone or the camera. */
const way = (kind: "audio" | "video", text: string): Html =>
  html`<button type="button" class="secondary way ${kind}" data-record="${kind}">${text}</button>`

export interface RecorderOptions {
  readonly token: string
  readonly id: string
  readonly takesUsed: number
  /** Another text about recordings is in force than the previous page showed. */
  readonly isConsentNew: boolean
  readonly unsaved: UnsavedCorrection | undefined
  /** The field for text; null: typing is not offered. */
  readonly typed: Html | null
}

/** Undefined: the question is answered in writing only. */
export const recorder = (view: InterviewView, question: Question, options: RecorderOptions): Html | undefined => {
  const { id, isConsentNew, takesUsed, token, typed, unsaved } = options
  const rules = rulesOf(question)
  const kinds = spokenKinds(rules)
  if (kinds.length === 0) return undefined
  const { say } = spokenTexts(view)
  const answer = view.answers.get(question.id)
  const recording = answer?.recording ?? null
  const isLeft = rules.takes === 0 || takesUsed < rules.takes
  const takes = takesText(view, rules.takes, takesUsed)
  const limit = say("limit", { length: lengthText(view.spoken, rules.maxSeconds) })
  const preparation = takesUsed === 0 ? rules.preparationSeconds : 0
  const prepares = preparation > 0 ? say("prepares", { length: lengthText(view.spoken, preparation) }) : null
  const lines = recording === null ? [prepares, limit, takes] : [isLeft ? say("replaces") : null, takes]
  const about = lines.filter((text) => text !== null).join(" ")
  const consent = html`<p class="note" dir="auto" tabindex="-1" data-consent>${consentText(view.recordingConsent, view.spoken, view.organizationName)}</p><input type="hidden" name="${consentField(question)}" value="${shownValue(view.recordingConsent?.id ?? null)}">`
  const isFirst = takesUsed === 0 && [...view.answers.values()].every((one) => one.recording === null)
  const again = kinds.find((kind) => kind === recording?.kind) ?? kinds[0]
  const hidden = token.startsWith("preview/") ? null : html` hidden`
  const isOpen = rules.answerWith.includes("text") || Boolean(answer?.content?.trim())
  return html`<div class="recorder" data-recorder data-recordings="/i/${token}/recordings" data-max-seconds="${rules.maxSeconds}" data-preparation="${preparation}" data-spoken-words="${JSON.stringify(catalogues[view.spoken].spoken)}">
${
  recording === null
    ? null
    : html`<div class="kept"><p>${recording.error === null ? keptText(view, recording) : say("damaged")}</p>
${player(token, recording)}
${correction(view, recording, unsaved)}</div>`
}
${
  unsaved === undefined || unsaved.recording === recording?.id
    ? null
    : html`<div class="unsent"><p class="note">${textsOf(view.spoken, "page").say("sentVersion")}</p>${written(unsaved.text, view.language)}</div>`
}
<div class="recording" data-recording hidden>
${liveRecording(view)}
</div>
${isFirst ? consent : null}
${about === "" ? null : html`<p class="note" id="${id}-spoken">${about}</p>`}
${
  !isLeft
    ? null
    : recording === null
      ? html`<p class="ways" data-record-actions${hidden}>${kinds.map((kind) => way(kind, say(kind)))}</p>`
      : html`<p class="actions" data-record-actions${hidden}><button type="button" class="secondary" data-record="${again}">${say("again")}</button>${kinds.filter((kind) => kind !== again).map((kind) => html`<button type="button" class="link" data-record="${kind}">${say(kind)}</button>`)}</p>`
}
<div class="sending" data-sending=""><p role="status" data-recorder-status></p><span data-sent-length></span>
<progress max="1" value="0" data-sent aria-hidden="true" hidden></progress></div>
<p class="alert" role="alert" data-recorder-error hidden></p>
<div class="others">
${recording === null ? null : html`<button class="link" form="remove-${recording.id}">${say("remove")}</button>`}
${
  typed === null
    ? null
    : html`<details class="typed"${isOpen ? html` open` : null} data-fold><summary>${say(recording === null ? "typeInstead" : "addText")}</summary>
${recording === null ? null : html`<p class="note">${say("adds")}</p>`}
${typed}</details>`
}
${
  isLeft
    ? html`<details class="chooser" data-chooser><summary>${say("choose")}</summary>
<p><input type="file" name="${recordingField(question)}" accept="${kinds.map((kind) => `${kind}/*`).join(",")}" capture="user" aria-label="${say("choose")}"></p>
<p class="actions"><button class="secondary" name="go" value="record">${say("send")}</button></p></details>`
    : null
}
${isFirst ? null : html`<details${isConsentNew ? html` open` : null}><summary>${say("consentTitle")}</summary>${consent}</details>`}
</div>
</div>`
}

/** How some questions can be answered by speaking. */
const kindsOf = ({ questions }: Pick<InterviewView, "questions">): ReadonlyArray<"audio" | "video"> =>
  (["audio", "video"] as const).filter((kind) =>
    questions.some((question) => spokenKinds(rulesOf(question)).includes(kind)),
  )

/** That some questions can be answered by speaking, and whether all can be answered in writing; null: none. */
export const spokenQuestions = (view: InterviewView): string | null => {
  const text = spokenQuestionsText(view.spoken, kindsOf(view))
  return text === undefined ? null : `${text} ${spokenTexts(view).say(asksToSpeak(view) ? "mustSpeak" : "mayType")}`
}

/** Tries the microphone and the camera before the start; null: the interview needs none. */
export const deviceTrial = (view: InterviewView, token: string): Html | null => {
  const kinds = kindsOf(view)
  if (kinds.length === 0) return null
  const { say } = spokenTexts(view)
  const device = (name: "microphone" | "camera") =>
    html`<label data-device="${name}" hidden>${say(name)} <select></select></label>`
  return html`<div class="trial" data-trial data-spoken-words="${JSON.stringify(catalogues[view.spoken].spoken)}"${token.startsWith("preview/") ? null : html` hidden`}>
<p class="note">${say("tryText")}</p>
<p class="alert" role="alert" data-trial-error hidden></p>
<p class="actions" data-trial-start>${kinds.toReversed().map((kind, index) => html`<button type="button" class="${index === 0 ? html`secondary way ${kind}` : html`link`}" data-try="${kind}">${say(kind === "video" ? "tryBoth" : "tryAudio")}</button>`)}</p>
<div data-trial-box hidden>
<p>${say("tryQuestion")}</p>
<div class="recording">
${liveRecording(view, true)}
</div>
<div class="kept" data-played hidden><p class="note">${say("practised")}</p></div>
<div class="devices">${device("microphone")}${kinds.includes("video") ? device("camera") : null}</div>
<p class="actions"><button type="button" class="secondary" data-practise>${say("practise")}</button><button type="button" class="link" data-end-trial>${say("endTrial")}</button></p>
</div>
</div>`
}
