/** A text as formatted JSON, and as it is. */
import { Option, Schema } from "effect"
import { copyBlock } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** Undefined: not a JSON object or array, or written like this already. */
export const formatted = (text: string): string | undefined => {
  const value = Option.getOrUndefined(parse(text))
  if (typeof value !== "object" || value === null) return undefined
  const pretty = JSON.stringify(value, null, 2)
  return pretty === text ? undefined : pretty
}

interface JsonBlock {
  readonly id: string
  readonly label: string
  readonly text: string
  /** Names the text as it is. */
  readonly rawLabel: string
  readonly note?: string
}

/** Formatting may change numbers that a double cannot hold, so the text as it is stays readable. */
export const jsonBlock = ({ id, label, note, rawLabel, text }: JsonBlock): Html => {
  const pretty = formatted(text)
  return pretty === undefined
    ? copyBlock(id, label, text)
    : html`${copyBlock(`${id}-formatted`, label, pretty)}
<details id="${id}-raw"><summary>${rawLabel}</summary>${note === undefined ? null : html`<p class="note">${note}</p>`}
${copyBlock(id, rawLabel, text)}</details>`
}
