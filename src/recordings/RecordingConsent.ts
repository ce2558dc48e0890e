/** What candidates read before they record: the organization's own text, one for each language, or the text of the service. */
import type { Language } from "../texts/Texts.ts"
import { textErrors } from "../values/Fields.ts"
import type { RecordingConsentId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"

/** The text in force. A change makes another one, so that each recording refers to the text that its candidate read. */
export interface RecordingConsent {
  readonly id: RecordingConsentId
  readonly language: Language
  readonly text: string
}

/** Code points. */
export const maxConsent = 2_000

export const consentErrors = (text: string): ReadonlyArray<FieldError> =>
  textErrors("#/text", text, { most: maxConsent })
