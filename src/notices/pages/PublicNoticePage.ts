/** A published notice, for job posts. */
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { directionOf, type Language, languageNames } from "../../texts/Texts.ts"
import type { PublicNotice } from "../Notices.ts"
import { noticeBody, noticeTexts } from "./NoticeText.ts"

export const publicNoticeHref = (id: string): string => `/notices/${id}`

/** `set`: of the address. */
export const publicNoticePage = (
  { content, issuer }: PublicNotice,
  language: Language,
  set: string | undefined,
): Document => {
  const title = noticeTexts(language).say("title")
  return {
    title: `${title} – ${issuer.name}`,
    language,
    zone: issuer.time_zone,
    masthead: brand(issuer.name),
    scripts: [],
    main: html`<details class="language-choice"><summary lang="${language}">${languageNames.find(([tag]) => tag === language)?.[1]}</summary>
<form method="get" class="languages">${set === undefined ? null : html`<input type="hidden" name="set" value="${set}">`}
${languageNames.map(
  ([tag, name]) =>
    html`<button class="link" name="language" value="${tag}" lang="${tag}" dir="${directionOf(tag)}"${tag === language ? html` aria-current="true"` : null}>${name}</button>\n`,
)}</form></details>
<div class="notice voluntary">
${content.interview === undefined ? null : html`<p class="eyebrow" dir="auto">${content.interview}</p>`}
<h1>${title}</h1>
${noticeBody(language, issuer.name, content)}
</div>`,
  }
}
