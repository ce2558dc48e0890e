/** Small parts that several pages use. */
import { momentText, shortText, timeText } from "../../texts/Formats.ts"
import type { Language } from "../../texts/Texts.ts"
import { type Html, type HtmlValue, html } from "./Html.ts"

/** The name of an organization or of a tool, with its first letter as a mark. */
export const brand = (name: string): Html =>
  html`<p class="brand"><span class="mark" aria-hidden="true">${[...name.trim()][0]?.toLocaleUpperCase("en") ?? ""}</span><bdi>${name}</bdi></p>`

/** The top of the tools that exist where somebody tries the product on one machine. */
export const tools = html`${brand("Interview invitations")}
<nav class="tools" aria-label="Tools"><a href="/">Home</a> <a href="/mailbox">Mailbox</a> <a href="/receiver">Receiver</a></nav>`

const formats = { time: timeText, moment: momentText, short: shortText }

/** A moment: in UTC as it comes from here, in the visitor's own zone where the script runs. */
export const moment = (at: Date, format: keyof typeof formats = "moment", language: Language = "en"): Html =>
  html`<time datetime="${at.toISOString()}" data-local="${format}">${formats[format](language, at)}</time>`

/** A sentence in which moments stand as the API writes them (2026-12-02T09:42:00.000Z): each is shown as one. */
export const withMoments = (text: string): ReadonlyArray<HtmlValue> =>
  text
    .split(/(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z)/)
    .map((part, i) => (i % 2 === 1 && !Number.isNaN(Date.parse(part)) ? moment(new Date(part), "short") : part))

/** Text that people wrote: its own direction and, where it is known, its own language; its line breaks stay. */
export const written = (text: string, language: string | null = null): Html =>
  html`<div class="written" dir="auto"${languageAttribute(language)}>${text}</div>`

/** ` lang="de"`, or nothing. */
export const languageAttribute = (language: string | null): Html | null =>
  language === null ? null : html` lang="${language}"`

/** The label of a value; the value itself when it has none. */
export const wordIn = (names: ReadonlyArray<readonly [string, string]>, value: string): string =>
  names.find(([one]) => one === value)?.[1] ?? value
