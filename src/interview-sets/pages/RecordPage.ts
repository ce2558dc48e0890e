/** The frame of pages about sets, invitations, submissions and projects. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Place, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Notice, noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"

export interface RecordPage {
  readonly title: string
  readonly place: Place
  readonly main: Html
  readonly back?: { readonly href: string; readonly name: string }
  readonly notice?: Notice | undefined
  /** Wide by default. */
  readonly width?: "full"
}

export const recordPage = (member: Member, { back, main, notice, place, title, width }: RecordPage): Document => ({
  ...workspacePage(member, {
    title,
    place,
    width: width ?? "wide",
    main: html`${back === undefined ? null : html`<nav aria-label="Up"><a class="back" href="${back.href}"><span aria-hidden="true">← </span>${back.name}</a></nav>`}
${noticeBox(notice)}
<div class="record">${main}</div>`,
  }),
  styles: ["icons.css", "workspace.css", "settings.css", "records.css"],
  scripts: ["time.js", "settings.js"],
})

export const listPager = (
  href: string,
  query: ReadonlyArray<readonly [string, string]>,
  isFirst: boolean,
  next: string | null,
  [first, following]: readonly [string, string] = ["First page", "Next page"],
): Html | null => {
  const at = (cursor: string | null) => {
    const text = new URLSearchParams(
      Object.fromEntries(cursor === null ? query : [...query, ["cursor", cursor]]),
    ).toString()
    return text === "" ? href : `${href}?${text}`
  }
  return isFirst && next === null
    ? null
    : html`<nav class="pager" aria-label="Pages">${isFirst ? null : html`<a class="button secondary" href="${at(null)}">${first}</a>`}${next === null ? null : html` <a class="button secondary" href="${at(next)}">${following}</a>`}</nav>`
}
