/** What candidates read before they record: the organization's own text, one for each language, or the text of the service. */
import { type Language, textsOf } from "../texts/Texts.ts"
import { textErrors } from "../values/Fields.ts"
import type { RecordingConsentId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"

/** The text in force. A change makes another one, so that each recording refers to the text that its candidate's page showed. */
export interface RecordingConsent {
  readonly id: RecordingConsentId
  readonly language: Language
  readonly text: string
}

/** Which text a page showed; null: the service's own. */
export type ShownConsent = RecordingConsentId | null

export const consentText = (consent: RecordingConsent | null, language: Language, organization: string): string =>
  consent?.text ?? textsOf(language, "spoken").say("consent", { organization })

/** Code points. */
export const maxConsent = 2_000

export const consentErrors = (text: string): ReadonlyArray<FieldError> =>
  textErrors("#/text", text, { most: maxConsent })
