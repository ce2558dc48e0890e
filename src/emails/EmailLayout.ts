/**
 * The HTML frame of an email: tables and inline styles, which clients render alike. Classes are for dark mode; Outlook
 * on the web sets data-ogsc and data-ogsb. Outlook on Windows lacks max-width and gets a table instead.
 */
import { type Html, type HtmlValue, html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { directionOf, type Language } from "../texts/Texts.ts"
import { ownPalette, type Palette } from "../values/Colour.ts"

const font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

export const styles = {
  lead: `margin:0;font:16px/1.6 ${font};color:#1b211f;`,
  heading: `margin:6px 0 20px;font:700 24px/1.3 ${font};color:#1b211f;`,
  text: `margin:0 0 12px;font:16px/1.6 ${font};color:#1b211f;`,
  quiet: `margin:0;font:14px/1.6 ${font};color:#565f5b;`,
}

export interface Frame {
  readonly language: Language
  readonly title: string
  /** Beside the subject in email lists; hidden in the email. */
  readonly preview: string
  /** The organization's name. */
  readonly head: string
  /** Shown instead of the name; where pictures are off, the name is. */
  readonly logo?: Logo | undefined
  readonly palette?: Palette
  readonly body: HtmlValue
  readonly foot: HtmlValue
}

/** Keeps the email's first words out of the preview. */
const filler = html`${Array.from({ length: 60 }, () => html`&#847;&zwnj;&nbsp;`)}`

/** The side where lines begin; Outlook lacks logical properties. */
const startOf = (language: Language): string => (directionOf(language) === "rtl" ? "right" : "left")

/** Pixels. */
const maxLogo = { width: 200, height: 48 }

/** On white also in the dark: a logo may have dark letters on a transparent ground. Outlook needs the size as attributes. */
const headOf = (name: string, logo: Logo | undefined): HtmlValue => {
  if (logo === undefined) return name
  const scale = Math.min(1, maxLogo.width / logo.width, maxLogo.height / logo.height)
  const [width, height] = [logo.width, logo.height].map((side) => Math.max(1, Math.round(side * scale)))
  return html`<img class="logo" src="${logo.href}" width="${width}" height="${height}" alt="${name}" style="display:inline-block;border:0;vertical-align:middle;">`
}

export const frame = ({
  body,
  foot,
  head,
  language,
  logo,
  palette: { dark } = ownPalette,
  preview,
  title,
}: Frame): string =>
  `<!doctype html>\n${html`<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .card { padding: 24px 20px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #121514 !important; }
  .card { background-color: #1b201e !important; border-color: #2f3633 !important; }
  .ink { color: #e9edeb !important; }
  .quiet { color: #a7b1ad !important; }
  .note { background-color: #232a27 !important; border-color: ${dark.accent} !important; }
  .link { color: ${dark.strong} !important; }
  .button { background-color: ${dark.accent} !important; }
  .label { color: ${dark.ink} !important; }
  .logo { background-color: #ffffff !important; padding: 6px 8px !important; border-radius: 6px !important; }
}
[data-ogsb] .logo { background-color: #ffffff !important; padding: 6px 8px !important; border-radius: 6px !important; }
[data-ogsb] .card { background-color: #1b201e !important; border-color: #2f3633 !important; }
[data-ogsb] .note { background-color: #232a27 !important; border-color: ${dark.accent} !important; }
[data-ogsb] .button { background-color: ${dark.accent} !important; }
[data-ogsc] .ink { color: #e9edeb !important; }
[data-ogsc] .quiet { color: #a7b1ad !important; }
[data-ogsc] .link { color: ${dark.strong} !important; }
[data-ogsc] .label { color: ${dark.ink} !important; }
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f4f5f2;-webkit-text-size-adjust:100%;">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent;mso-hide:all;">${preview}${filler}</div>
<div role="article" aria-label="${title}" lang="${language}" dir="${directionOf(language)}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background-color:#f4f5f2;">
<tr><td align="center" style="padding:32px 16px;">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:${startOf(language)};word-break:break-word;">
<tr><td class="quiet" dir="auto" style="padding:0 4px 14px;font:600 15px/1.4 ${font};color:#565f5b;">${headOf(head, logo)}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid #e1e4df;border-radius:12px;padding:32px 28px;">
${body}
</td></tr>
<tr><td class="quiet" style="padding:18px 4px 0;font:13px/1.6 ${font};color:#565f5b;">${foot}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>`}\n`

/** Outlook on Windows ignores the padding of links. */
export const button = (
  label: string,
  url: string,
  { light: { accent, ink } }: Palette = ownPalette,
): Html => html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0;">
<tr><td class="button" align="center" bgcolor="${accent}" style="background-color:${accent};border-radius:8px;mso-padding-alt:13px 24px;">
<a class="label" href="${url}" style="display:inline-block;padding:13px 24px;font:600 16px/1.25 ${font};color:${ink};text-decoration:none;">${label}</a>
</td></tr>
</table>`

/** A plain text as paragraphs of the email's body. */
export const paragraphs = (text: string): Html =>
  html`${paragraphsOf(text).map((paragraph) => html`<p class="ink" dir="auto" style="${styles.text}">${lines(paragraph)}</p>\n`)}`

export const note = (
  text: string,
  language: Language,
  { light: { accent } }: Palette = ownPalette,
): Html => html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;">
<tr><td class="note" style="background-color:#f1f5f3;border-${startOf(language)}:3px solid ${accent};padding:14px 16px;">
${paragraphsOf(text).map(
  (paragraph, index) =>
    html`<p class="ink" dir="auto" style="margin:${index === 0 ? "0" : "12px 0 0"};font:16px/1.6 ${font};color:#1b211f;">${lines(paragraph)}</p>\n`,
)}</td></tr>
</table>`

const paragraphsOf = (text: string): ReadonlyArray<string> => text.split(/\n[^\S\n]*\n\s*/)

/** Uses <br>: some clients ignore white-space. */
const lines = (text: string): ReadonlyArray<Html> =>
  text.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))

export const link = (text: string, url: string, { light }: Palette = ownPalette): Html =>
  html`<a class="link" href="${url}" style="color:${light.accent};">${text}</a>`

/** Not tracked by SendGrid. */
export const outerLink = (text: string, url: string, { light }: Palette = ownPalette): Html =>
  html`<a class="link" clicktracking="off" href="${url}" style="color:${light.accent};">${text}</a>`

export const pixel = (url: string): Html =>
  html`<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0;">`
