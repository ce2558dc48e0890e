import { momentText, shortText, timeText } from "../../texts/Formats.ts"
import type { Language } from "../../texts/Texts.ts"
import { type Html, type HtmlValue, html } from "./Html.ts"

export const brand = (name: string): Html =>
  html`<p class="brand"><span class="mark" aria-hidden="true">${[...name.trim()][0]?.toLocaleUpperCase("en") ?? ""}</span><bdi>${name}</bdi></p>`

/** The header of the pages of `npm start`. */
export const tools = html`${brand("Interview invitations")}
<nav class="tools" aria-label="Tools"><a href="/">Home</a> <a href="/mailbox">Mailbox</a> <a href="/receiver">Receiver</a></nav>`

const formats = { time: timeText, moment: momentText, short: shortText }

/** UTC, which time.js converts to the visitor's time zone. */
export const moment = (at: Date, format: keyof typeof formats = "moment", language: Language = "en"): Html =>
  html`<time datetime="${at.toISOString()}" data-local="${format}">${formats[format](language, at)}</time>`

/** Replaces timestamps of the API (2026-12-02T09:42:00.000Z). */
export const withMoments = (text: string): ReadonlyArray<HtmlValue> =>
  text
    .split(/(\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z)/)
    .map((part, i) => (i % 2 === 1 && !Number.isNaN(Date.parse(part)) ? moment(new Date(part), "short") : part))

export const written = (text: string, language: string | null = null): Html =>
  html`<div class="written" dir="auto"${languageAttribute(language)}>${text}</div>`

export const languageAttribute = (language: string | null): Html | null =>
  language === null ? null : html` lang="${language}"`

export const wordIn = (names: ReadonlyArray<readonly [string, string]>, value: string): string =>
  names.find(([one]) => one === value)?.[1] ?? value
