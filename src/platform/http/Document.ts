/** The HTML document of every page. */
import { directionOf, type Language, textsOf } from "../../texts/Texts.ts"
import { utc } from "../../values/TimeZone.ts"
import type { AssetName } from "./Assets.ts"
import { type Html, html } from "./Html.ts"
import { inZone } from "./PageParts.ts"

export interface Document {
  readonly title: string
  readonly language?: Language
  /** Of the times on the page; undefined: UTC, until the script shows the visitor's. */
  readonly zone?: string
  /** The script keeps the times in `zone`, instead of the visitor's time zone. */
  readonly keepsZone?: boolean
  readonly masthead: Html | null
  /** The accent of the organization, #rrggbb (values/Colour.ts); undefined: the service's own. */
  readonly colour?: string
  readonly main: Html
  /** A line above the masthead. */
  readonly strip?: Html | undefined
  /** The strip says that the page is in test mode, and so do the addresses of its forms. */
  readonly isTest?: boolean
  /** A column of 44 rem by default, of 70 rem, or the window. */
  readonly width?: "wide" | "full"
  readonly styles?: ReadonlyArray<AssetName & `${string}.css`>
  /** The page has the workspace's menu or forms, which need frame.js. */
  readonly isFramed?: boolean
  readonly scripts: ReadonlyArray<AssetName & `${string}.js`>
}

/** The style sheet of an accent (Assets.ts). It applies where the class `branded` is. */
export const accentLink = (colour: string): Html =>
  html`<link rel="stylesheet" href="/colours/${colour.replace("#", "")}.css">`

/** The mode of the page that a form is on, in the query of its address and of those to which scripts post; absent: live. */
export const modeParameter = "mode"
export const testMode = "test"

const formAddress =
  /(<form(?: class="[^"]*")? method="post" action="|\s(?:formaction|data-draft|data-moves)=")([^"#?]*)(\?[^"#]*)?/g

const withMode = (page: string): string =>
  page.replace(
    formAddress,
    (_, start: string, path: string, query?: string) =>
      `${start}${path}${query === undefined ? "?" : `${query}&amp;`}${modeParameter}=${testMode}`,
  )

const stripOf = ({ isTest = false, strip }: Document): Html | null => {
  if (strip === undefined) return null
  return isTest
    ? html`<aside class="strip test" aria-label="Test mode">${strip}</aside>\n`
    : html`<p class="strip">${strip}</p>\n`
}

export const renderDocument = (document: Document, href: (name: AssetName) => string): string => {
  const { keepsZone = false, language = "en", zone } = document
  const column = document.width === undefined ? "column" : `column ${document.width}`
  const { colour } = document
  const page = `<!doctype html>\n${html`<html lang="${language}"${directionOf(language) === "rtl" ? html` dir="rtl"` : null}${colour === undefined ? null : html` class="branded"`}${zone === undefined || !keepsZone ? null : html` data-zone="${zone}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${href("style.css")}">
${document.styles?.map((name) => html`<link rel="stylesheet" href="${href(name)}">\n`)}
${colour === undefined ? null : accentLink(colour)}
${[...(document.isFramed === true ? (["frame.js"] as const) : []), ...document.scripts].map((name) => html`<script type="module" src="${href(name)}"></script>\n`)}
</head>
<body>
<a class="skip" href="#main">${textsOf(language, "page").say("skip")}</a>
${stripOf(document)}${document.masthead === null ? null : html`<header class="masthead"><div class="${column}">${document.masthead}</div></header>`}
<main id="main" tabindex="-1" class="${column}">
${document.main}
</main>
</body>
</html>
`}`
  const shown = document.isTest === true ? withMode(page) : page
  return zone === undefined || zone === utc ? shown : inZone(shown, zone, language)
}
