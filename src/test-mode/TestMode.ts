/** How good the answers of the scripted candidate are, and the error outside of test mode. */
import { Schema } from "effect"

/** `good`: each requirement is met. `medium`: every other one, with less experience. `poor`: none. */
export const answerQualities = ["good", "medium", "poor"] as const
export type AnswerQuality = (typeof answerQualities)[number]

/** The call needs a test key, or a member in test mode. */
export class NotInTestMode extends Schema.TaggedError<NotInTestMode>()("NotInTestMode", {}) {}
