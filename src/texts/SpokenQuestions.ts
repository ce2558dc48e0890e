import { type Language, textsOf } from "./Texts.ts"

const keys = { audio: "askAudio", video: "askVideo" } as const

/** That some questions can be answered with these devices; undefined: with none. */
export const spokenQuestionsText = (
  language: Language,
  [kind, other]: ReadonlyArray<"audio" | "video">,
): string | undefined =>
  kind === undefined ? undefined : textsOf(language, "spoken").say(other === undefined ? keys[kind] : "askBoth")
