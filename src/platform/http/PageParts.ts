import {
  exactText,
  momentText,
  shortDateText,
  shortText,
  timeText,
  unzonedSecondText,
  unzonedTimeText,
} from "../../texts/Formats.ts"
import type { Language } from "../../texts/Texts.ts"
import { isEmailAddress, mailtoOf } from "../../values/EmailAddress.ts"
import { type Html, type HtmlValue, html } from "./Html.ts"

/** A picture with its size in pixels. */
export interface Logo {
  readonly href: string
  readonly width: number
  readonly height: number
}

/** The name with its first letter, or the logo, whose text is the name. */
export const brand = (name: string, logo?: Logo): Html =>
  logo === undefined ? nameWithLetter(name) : html`<p class="brand">${picture(name, logo)}</p>`

export const picture = (name: string, { height, href, width }: Logo): Html =>
  html`<img class="logo" src="${href}" width="${width}" height="${height}" alt="${name}">`

const nameWithLetter = (name: string): Html =>
  html`<p class="brand"><span class="mark" aria-hidden="true">${[...name.trim()][0]?.toLocaleUpperCase("en") ?? ""}</span><bdi>${name}</bdi></p>`

/** The header of the pages of `npm start`. */
export const tools = html`${brand("Interview invitations")}
<nav class="tools" aria-label="Tools"><a href="/">Home</a> <a href="/mailbox">Mailbox</a> <a href="/receiver">Receiver</a></nav>`

const formats = {
  clock: unzonedTimeText,
  second: unzonedSecondText,
  time: timeText,
  moment: momentText,
  short: shortText,
  exact: exactText,
  day: shortDateText,
}
type Format = keyof typeof formats

/** UTC, which the page's frame (`inZone`) converts to the organization's time zone, and time.js to the visitor's. */
export const moment = (at: Date, format: Format = "moment", language: Language = "en"): Html =>
  html`<time datetime="${at.toISOString()}" data-local="${format}">${formats[format](language, at)}</time>`

/** To the minute: the milliseconds of `moment` would be 2 KB a page. */
export const day = (at: string): Html => {
  const minute = `${at.slice(0, 16)}Z`
  return html`<time datetime="${minute}" data-local="day">${shortDateText("en", new Date(minute))}</time>`
}

const time = /(<time datetime="([\d:.TZ-]+)" data-local="(\w+)">)[^<]*/g

/** Texts of people are escaped, so they contain no element. */
export const inZone = (page: string, zone: string, language: Language): string =>
  page.replaceAll(
    time,
    (_, tag: string, at: string, format: Format) =>
      // quotes and brackets do not occur in times
      `${tag}${formats[format](language, new Date(at), zone)}`,
  )

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

/** Of an email or https address; other text stays text. */
export const contactLink = (contact: string): Html => {
  if (/^https:\/\//i.test(contact) && URL.canParse(contact)) {
    return html`<a href="${contact}" rel="noreferrer">${contact}</a>`
  }
  return isEmailAddress(contact) ? html`<a href="${mailtoOf(contact)}">${contact}</a>` : html`<bdi>${contact}</bdi>`
}
