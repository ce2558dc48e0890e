import { assert, describe, it } from "@effect/vitest"
import { durationText, momentText, shortDateText, shortText, sizeText, timeText } from "../../src/texts/Formats.ts"
import { catalogues, type Language } from "../../src/texts/Texts.ts"

const at = new Date("2026-12-21T00:05:00Z")

const ofLanguages: ReadonlyArray<readonly [Language, moment: string, durations: ReadonlyArray<string>]> = [
  [
    "en",
    "Monday, 21 December 2026 at 00:05 UTC",
    ["1 minute", "90 minutes", "2 hours", "2 hours and 1 minute", "1,000 hours"],
  ],
  [
    "de",
    "Montag, 21. Dezember 2026 um 00:05 UTC",
    ["1 Minute", "90 Minuten", "2 Stunden", "2 Stunden und 1 Minute", "1.000 Stunden"],
  ],
  [
    "fr",
    "lundi 21 décembre 2026 à 00:05 UTC",
    ["1 minute", "90 minutes", "2 heures", "2 heures et 1 minute", "1 000 heures"],
  ],
  [
    "es",
    "lunes, 21 de diciembre de 2026, 00:05 UTC",
    ["1 minuto", "90 minutos", "2 horas", "2 horas y 1 minuto", "1000 horas"],
  ],
  [
    "pt",
    "segunda-feira, 21 de dezembro de 2026 às 00:05 UTC",
    ["1 minuto", "90 minutos", "2 horas", "2 horas e 1 minuto", "1.000 horas"],
  ],
  ["vi", "lúc 00:05 UTC Thứ Hai, 21 tháng 12, 2026", ["1 phút", "90 phút", "2 giờ", "2 giờ và 1 phút", "1.000 giờ"]],
  [
    "it",
    "lunedì 21 dicembre 2026 alle ore 00:05 UTC",
    ["1 minuto", "90 minuti", "2 ore", "2 ore e 1 minuto", "1000 ore"],
  ],
  [
    "nl",
    "maandag 21 december 2026 om 00:05 UTC",
    ["1 minuut", "90 minuten", "2 uur", "2 uur en 1 minuut", "1.000 uur"],
  ],
  [
    "pl",
    "poniedziałek, 21 grudnia 2026 00:05 UTC",
    ["1 minuta", "90 minut", "2 godziny", "2 godziny i 1 minuta", "1000 godzin"],
  ],
  ["ja", "2026年12月21日月曜日 00:05 UTC", ["1 分", "90 分", "2 時間", "2 時間、1 分", "1,000 時間"]],
  ["ko", "2026년 12월 21일 월요일 00:05 UTC", ["1분", "90분", "2시간", "2시간 및 1분", "1,000시간"]],
  ["zh", "2026年12月21日星期一 UTC 00:05", ["1分钟", "90分钟", "2小时", "2小时和1分钟", "1,000小时"]],
  ["ar", "الاثنين، 21 ديسمبر 2026 في 00:05 UTC", ["دقيقة", "90 دقيقة", "ساعتان", "ساعتان ودقيقة", "1,000 ساعة"]],
  ["hi", "सोमवार, 21 दिसंबर 2026 को 00:05 UTC बजे", ["1 मिनट", "90 मिनट", "2 घंटे", "2 घंटे और 1 मिनट", "1,000 घंटे"]],
  ["tr", "21 Aralık 2026 Pazartesi 00:05 UTC", ["1 dakika", "90 dakika", "2 saat", "2 saat ve 1 dakika", "1.000 saat"]],
  [
    "uk",
    "понеділок, 21 грудня 2026 р. о 00:05 UTC",
    ["1 хвилина", "90 хвилин", "2 години", "2 години і 1 хвилина", "1 000 годин"],
  ],
]

describe("formats", () => {
  it("are checked in every language", () => {
    assert.sameMembers(
      ofLanguages.map(([language]) => language),
      Object.keys(catalogues),
    )
  })

  it.each(ofLanguages)("of %s", (language, moment, durations) => {
    // Intl writes some spaces as no-break spaces
    const plain = (text: string) => text.replaceAll(/\s/g, " ")
    assert.strictEqual(plain(momentText(language, at)), moment)
    assert.deepStrictEqual(
      [1, 90, 120, 121, 60_000].map((minutes) => plain(durationText(language, minutes))),
      durations,
    )
  })
})

describe("times in a time zone", () => {
  it.each<readonly [zone: string, at: string, moment: string, short: string, time: string, day: string]>([
    [
      "Europe/Berlin",
      "2026-12-20T23:05:00Z",
      "Monday, 21 December 2026 at 00:05 CET",
      "21 Dec 2026, 00:05 CET",
      "00:05 CET",
      "21 Dec 2026",
    ],
    [
      "Europe/Berlin",
      "2026-06-20T22:05:00Z",
      "Sunday, 21 June 2026 at 00:05 CEST",
      "21 Jun 2026, 00:05 CEST",
      "00:05 CEST",
      "21 Jun 2026",
    ],
    [
      "Asia/Ho_Chi_Minh",
      "2026-12-20T17:05:00Z",
      "Monday, 21 December 2026 at 00:05 GMT+7",
      "21 Dec 2026, 00:05 GMT+7",
      "00:05 GMT+7",
      "21 Dec 2026",
    ],
    [
      "America/New_York",
      "2026-12-21T04:05:00Z",
      "Sunday, 20 December 2026 at 23:05 GMT-5",
      "20 Dec 2026, 23:05 GMT-5",
      "23:05 GMT-5",
      "20 Dec 2026",
    ],
  ])("in %s at %s", (zone, at, ...texts) => {
    const date = new Date(at)
    const found = [momentText, shortText, timeText, shortDateText].map((format) => format("en", date, zone))
    assert.deepStrictEqual(found, texts)
  })
})

describe("sizes of files", () => {
  it("are whole kilobytes, at least one, and tenths of megabytes", () => {
    const texts = [1, 1_499, 1_500, 999_499, 999_500, 2_340_000].map(sizeText)
    assert.deepStrictEqual(texts, ["1 KB", "1 KB", "2 KB", "999 KB", "1.0 MB", "2.3 MB"])
  })
})
