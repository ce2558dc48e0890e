/** Notices of an organization to candidates, before their interviews and CVs are rated (docs/candidate-notices.md). */
import { contains, countryCodes, isNewYorkCity, maxCity, type Place } from "../interview-sets/JobLocation.ts"
import { lineErrors, textErrors } from "../values/Fields.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { firstDateAfter, isDate } from "./NoticePeriod.ts"

/** Until the days of notice are over, invites warn, or evaluations wait. */
export type Meanwhile = "warn" | "wait"

export interface NoticeTerms {
  /** Null: all sets. */
  readonly interview_set_id: InterviewSetId | null
  /** Null: everywhere. */
  readonly place: Place | null
  /** The organization's own words; empty: none. */
  readonly words: string
  /** Whom to ask. */
  readonly contact: string
  /** The other process, or the accommodation; empty: none. */
  readonly alternative: string
  /** Business days of notice. */
  readonly days: number
  readonly meanwhile: Meanwhile
  /** When the organization published it, YYYY-MM-DD; null: the days count from the invitation. */
  readonly posted_on: string | null
}

/** `notices`: of an organization; `days`: business days; the others in code points. */
export const noticeLimits = { notices: 100, words: 5_000, contact: 200, alternative: 2_000, days: 60 } as const

/** New York City, Local Law 144 of 2021, § 20-871 b. */
export const newYorkDays = 10

export const defaultDays = (place: Place | null): number => (isNewYorkCity(place) ? newYorkDays : 0)

/** Whether candidates of a set get the notice. */
export const applies = (
  { interview_set_id, place }: Pick<NoticeTerms, "interview_set_id" | "place">,
  set: { readonly id: InterviewSetId; readonly job_locations: ReadonlyArray<Place> },
): boolean =>
  (interview_set_id === null || interview_set_id === set.id) &&
  (place === null || set.job_locations.some((location) => contains(place, location)))

/** The first date on which ratings may be made; undefined: no days of notice. `today`: of the invitation. */
export const firstDateOfUse = (
  { days, posted_on }: Pick<NoticeTerms, "days" | "posted_on">,
  today: string,
): string | undefined => (days === 0 ? undefined : firstDateAfter(posted_on ?? today, days))

/** Of a notice whose days are not over for candidates who are invited now. */
export interface OpenPeriod extends Pick<NoticeTerms, "days" | "meanwhile" | "place"> {
  /** The first date of use, YYYY-MM-DD. */
  readonly over_on: string
}

/** As typed. */
export interface TypedNotice {
  readonly set: string
  readonly country: string
  readonly region: string
  readonly city: string
  readonly words: string
  readonly contact: string
  readonly alternative: string
  readonly days: string
  readonly meanwhile: string
  readonly posted_on: string
}

const placeOf = ({ city, country, region }: TypedNotice): Place | null =>
  country === "" ? null : { country, region: region === "" ? null : region, city: city === "" ? null : city }

const placeErrors = ({ city, country, region }: TypedNotice): ReadonlyArray<FieldError> => {
  if (country === "" && (region !== "" || city !== ""))
    return [fieldError("#/country", "required", "must be chosen for a region or a city")]
  return [
    ...(country === "" || countryCodes.includes(country)
      ? []
      : [fieldError("#/country", "invalid", "must be one of the list")]),
    ...(region === "" || /^[A-Z0-9]{1,3}$/.test(region)
      ? []
      : [fieldError("#/region", "invalid", "must be a code of at most three letters or digits, such as NY")]),
    ...lineErrors("#/city", city, { isRequired: false, most: maxCity }),
  ]
}

/** A notice is published at most a year ahead: with a later date, evaluations would wait for years. */
const mayBePosted = (posted: string, today: string): boolean =>
  isDate(posted) && posted >= "2000-01-01" && Date.parse(posted) - Date.parse(today) <= 366 * 86_400_000

/** Blank days are those of the place. `today`: YYYY-MM-DD. `set`: the chosen one; undefined: all, or there is none with its id. */
export const readNotice = (
  typed: TypedNotice,
  set: InterviewSetId | undefined,
  today: string,
): { readonly terms: NoticeTerms; readonly errors: ReadonlyArray<FieldError> } => {
  const place = placeOf(typed)
  const days = typed.days === "" ? defaultDays(place) : /^\d{1,2}$/.test(typed.days) ? Number(typed.days) : -1
  const posted = typed.posted_on === "" ? null : typed.posted_on
  const errors = [
    ...(typed.set === "" || set !== undefined ? [] : [fieldError("#/set", "not_found", "does not exist any more")]),
    ...placeErrors(typed),
    ...textErrors("#/words", typed.words, { most: noticeLimits.words }),
    ...lineErrors("#/contact", typed.contact, { isRequired: true, most: noticeLimits.contact }),
    ...textErrors("#/alternative", typed.alternative, { most: noticeLimits.alternative }),
    ...(days >= 0 && days <= noticeLimits.days
      ? []
      : [fieldError("#/days", "out_of_range", `must be a whole number from 0 to ${noticeLimits.days}`)]),
    ...(posted === null || mayBePosted(posted, today)
      ? []
      : [
          fieldError(
            "#/posted_on",
            "invalid",
            "must be a date such as 2026-12-01, from the year 2000, and at most a year ahead",
          ),
        ]),
  ]
  const terms = {
    interview_set_id: set ?? null,
    place,
    words: typed.words,
    contact: typed.contact,
    alternative: typed.alternative,
    days,
    meanwhile: typed.meanwhile === "wait" ? "wait" : "warn",
    posted_on: posted,
  } as const
  return { terms, errors }
}

export const typedNotice = (terms: NoticeTerms): TypedNotice => ({
  set: terms.interview_set_id ?? "",
  country: terms.place?.country ?? "",
  region: terms.place?.region ?? "",
  city: terms.place?.city ?? "",
  words: terms.words,
  contact: terms.contact,
  alternative: terms.alternative,
  days: String(terms.days),
  meanwhile: terms.meanwhile,
  posted_on: terms.posted_on ?? "",
})
