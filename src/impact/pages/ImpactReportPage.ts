/** One report of impact ratios: to read, to print, and as rows of a file. */
import type { Member } from "../../accounts/members/Member.ts"
import { factList, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { TableCell } from "../../values/Csv.ts"
import { type ImpactRow, smallShare } from "../ImpactRatios.ts"
import { figuresOf, hiddenCategories, type ReportTable } from "../ImpactReport.ts"
import type { ImpactReport } from "../ImpactReportRepository.ts"
import {
  categoryText,
  chanceText,
  flagText,
  hiddenNote,
  legalNote,
  methodTexts,
  outcomeText,
  percent,
  periodText,
  rateLabel,
  ratioText,
  selectedLabel,
  setText,
  tableTitle,
  unknownText,
} from "./ImpactLabels.ts"
import { reportHref } from "./ImpactRatioPage.ts"
import { impactRatiosHref } from "./VoluntaryQuestionPage.ts"

const flag = (row: ImpactRow): Html => {
  const text = flagText(row)
  return row.isBelowFourFifths ? html`<strong class="marked-ratio">${text}</strong>` : html`${text}`
}

const cell = (label: string, value: HtmlValue): Html => html`<td data-name="${label}">${value}</td>`

const headings = (report: ImpactReport) =>
  ["People", selectedLabel(report), rateLabel(report), "Impact ratio", "Four-fifths rule", "Difference"] as const

const line = (report: ImpactReport, table: ReportTable, row: ImpactRow): Html => {
  const [people, selected, rate, ratio, rule, difference] = headings(report)
  const chance = chanceText(row)
  return html`<tr><th scope="row"><bdi>${categoryText(table.name, row.category)}</bdi>${row.isSmallShare ? html` <span class="quiet">less than ${smallShare * 100} %</span>` : null}</th>
${cell(people, row.applicants)}${cell(selected, row.selected)}${cell(rate, percent(row.rate))}${cell(ratio, row.ratio === null ? "–" : ratioText(row.ratio))}
${cell(rule, flag(row))}${cell(difference, chance === "" ? "–" : chance)}</tr>\n`
}

const tableSection = (report: ImpactReport, table: ReportTable): Html => {
  const { content } = report
  const title = tableTitle(content, table.name)
  const hidden = hiddenCategories(table)
  const figures = figuresOf(content, table)
  return html`<div class="impact"><h2 id="${table.name}"><bdi>${title}</bdi></h2>
${
  figures.length === 0
    ? null
    : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${table.name}"><table class="ratios"><thead><tr><th scope="col">Category</th>${headings(report).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${figures.map((row) => line(report, table, row))}</tbody></table></div>`
}
<p>Unknown${table.name === "crossed" ? " in one of the two lists" : ""}: ${unknownText(table.unknown)}</p>
${
  hidden.length === 0
    ? null
    : html`<details><summary>Not shown: ${hidden.length === 1 ? "1 category" : `${hidden.length} categories`}</summary>
<p class="note">${hiddenNote}</p>
<ul>${hidden.map((category) => html`<li><bdi>${categoryText(table.name, category)}</bdi></li>\n`)}</ul></details>`
}</div>
`
}

export const impactReportPage = (member: Member, report: ImpactReport): Document => {
  const { content, names } = report
  return settingsPage(member, {
    title: `Impact ratios, ${periodText(report)}`,
    section: "Impact ratios",
    back: { href: impactRatiosHref, name: "Impact ratios" },
    main: html`<header class="lead"><h1>Impact ratios</h1>
<p class="welcome"><bdi>${setText(names)}</bdi>, ${periodText(report)}</p></header>
${factList([
  ["Outcome", outcomeText(report, names)],
  ["People", String(content.people)],
  [selectedLabel(report), String(content.selected)],
  ["Made", html`${moment(report.made_at, "short")} by <bdi>${names.member}</bdi>`],
])}
<p class="actions"><a class="button secondary" href="${reportHref(report.id)}/csv">Download as CSV</a></p>
${content.tables.length === 0 ? html`<p class="empty">None of these people has answered a voluntary question in time.</p>` : content.tables.map((table) => tableSection(report, table))}
<section class="impact" aria-labelledby="method"><h2 id="method">Method</h2>
<ul>${methodTexts(report).map((text) => html`<li>${text}</li>\n`)}</ul>
<p>${legalNote}</p></section>`,
  })
}

export const reportHeader: ReadonlyArray<string> = [
  "Table",
  "Category",
  "People",
  "Selected",
  "Rate",
  "Impact ratio",
  "Four-fifths rule",
  "p",
  "Remark",
]

const noNumbers: ReadonlyArray<TableCell> = [null, null, null, null, null, null]

const rounded = (number: number, digits: number): number => Number(number.toFixed(digits))

/** Below `reportHeader`: the tables, what the report is about, and the method. */
export const reportLines = (report: ImpactReport): ReadonlyArray<ReadonlyArray<TableCell>> => {
  const { content, names } = report
  const facts: ReadonlyArray<readonly [string, TableCell]> = [
    ["Interview set", setText(names)],
    ["First month", report.from],
    ["Last month", report.to],
    ["Outcome", outcomeText(report, names)],
    ["People", content.people],
    ["Selected", content.selected],
    ["Made (UTC)", report.made_at],
    ["Made by", names.member],
  ]
  return [
    ...content.tables.flatMap((table): ReadonlyArray<ReadonlyArray<TableCell>> => {
      const title = tableTitle(content, table.name)
      return [
        ...figuresOf(content, table).map((row) => [
          title,
          categoryText(table.name, row.category),
          row.applicants,
          row.selected,
          rounded(row.rate, 4),
          row.ratio === null ? null : Number(ratioText(row.ratio)),
          flagText(row),
          row.isReference ? null : rounded(row.probability, 4),
          row.isSmallShare ? `Less than ${smallShare * 100} % of the people in the table` : null,
        ]),
        [
          title,
          "Unknown",
          table.unknown,
          null,
          null,
          null,
          null,
          null,
          table.unknown === null ? unknownText(null) : null,
        ],
        ...hiddenCategories(table).map((category) => [
          title,
          categoryText(table.name, category),
          ...noNumbers,
          "Not shown",
        ]),
      ]
    }),
    ...facts.map(([name, value]) => ["Report", name, ...noNumbers, value]),
    ...[...methodTexts(report), `Not shown: ${hiddenNote}`, legalNote].map((text) => [
      "Method",
      null,
      ...noNumbers,
      text,
    ]),
  ]
}
