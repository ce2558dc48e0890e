/** A published notice, for job posts. */
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { shortDateText } from "../../texts/Formats.ts"
import { directionOf, type Language, languageNames } from "../../texts/Texts.ts"
import type { SentVersion } from "../NoticeRepository.ts"
import type { PublicNotice } from "../Notices.ts"
import { noticeBody, noticeTexts, versionText } from "./NoticeText.ts"

export const publicNoticeHref = (id: string): string => `/notices/${id}`

/** Of the address. */
interface Asked {
  readonly set: string | undefined
  readonly version: string | undefined
}

const sentText = (language: Language, { first_at, last_at }: SentVersion, zone: string): string => {
  const [first, last] = [first_at, last_at].map((at) => shortDateText(language, at, zone))
  return noticeTexts(language).say("sentWith", { first: first ?? "", last: last ?? "" })
}

export const publicNoticePage = (
  id: string,
  { content, earlier, isEarlier, issuer, version }: PublicNotice,
  language: Language,
  asked: Asked,
): Document => {
  const { say } = noticeTexts(language)
  const title = say("title")
  const zone = issuer.time_zone
  const href = (hash?: string) => {
    const query = new URLSearchParams({
      ...(asked.set === undefined ? {} : { set: asked.set }),
      ...(hash === undefined ? {} : { version: hash }),
      language,
    })
    return `${publicNoticeHref(id)}?${query}`
  }
  const field = (name: keyof Asked) =>
    asked[name] === undefined ? null : html`<input type="hidden" name="${name}" value="${asked[name]}">`
  const item = (one: SentVersion): Html => {
    const text = versionText(language, one.made_at, one.hash, zone)
    const isShown = one.hash === version?.hash
    return html`<li>${isShown ? html`<b aria-current="true">${text}</b>` : html`<a href="${href(one.hash)}">${text}</a>`}<br><span class="quiet">${sentText(language, one, zone)}</span></li>\n`
  }
  const shown =
    version === undefined
      ? null
      : html`${versionText(language, version.made_at, version.hash, zone)}. ${sentText(language, version, zone)}.`
  return {
    title: `${title} – ${issuer.name}`,
    language,
    zone,
    masthead: brand(issuer.name),
    scripts: [],
    main: html`<details class="language-choice"><summary lang="${language}">${languageNames.find(([tag]) => tag === language)?.[1]}</summary>
<form method="get" class="languages">${field("set")}${field("version")}
${languageNames.map(
  ([tag, name]) =>
    html`<button class="link" name="language" value="${tag}" lang="${tag}" dir="${directionOf(tag)}"${tag === language ? html` aria-current="true"` : null}>${name}</button>\n`,
)}</form></details>
<div class="notice voluntary">
${content.interview === undefined ? null : html`<p class="eyebrow" dir="auto">${content.interview}</p>`}
<h1>${title}</h1>
${isEarlier ? html`<p class="info">${shown} <a href="${href()}">${say("present")}</a></p>` : null}
${noticeBody(language, issuer.name, content)}
${shown === null || isEarlier ? null : html`<p class="quiet">${shown}</p>`}
${earlier.length === 0 ? null : html`<h2>${say("earlier")}</h2>\n<ul>${earlier.map(item)}</ul>`}
</div>`,
  }
}
