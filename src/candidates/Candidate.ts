/** A candidate in invite requests, the table, responses and events. A new field begins here (docs/contributing.md). */
import { Schema } from "effect"
import {
  emptyReference,
  externalReference,
  referenceInput,
  referenceLabels,
  referenceOf,
} from "../values/ExternalReference.ts"
import { anyText, fieldLabels, optional, uuidWith } from "../values/Fields.ts"
import { AtsCandidateId, CandidateId } from "../values/Ids.ts"
import { composeName } from "./NameOrder.ts"

/** In an invite request. */
export const CandidateEntry = Schema.Struct({
  ats_candidate_id: optional(
    uuidWith("must be a UUID: send any other id as external_id"),
    "Your own id of the candidate, unique within the request",
  ).annotateKey({ title: "Id in the hiring system (UUID)", subject: "The id" }),
  ...referenceInput,
  // invalid addresses and links are errors of the candidate, not of the request
  email: optional(
    anyText,
    "The candidate is invited at this address; an invalid one is reported in the candidate's result",
  ).annotateKey({ title: "Email address", subject: "The address" }),
  name: optional(anyText, "Display name").annotateKey({ title: "Full name", subject: "The name" }),
  firstname: optional(anyText, "With lastname the display name where name is absent").annotateKey({
    title: "First name",
  }),
  lastname: optional(anyText).annotateKey({ title: "Last name" }),
  cv_link: optional(
    anyText,
    "https address of the CV. Without an email, the CV is processed instead of an invitation",
  ).annotateKey({ title: "Link to the CV", subject: "The CV's link" }),
}).annotate({ identifier: "CandidateEntry" })
export type CandidateEntry = typeof CandidateEntry.Type

/** Columns that an invite writes and an erasure empties. */
export interface CandidateFields {
  readonly ats_candidate_id: AtsCandidateId | null
  readonly email: string | null
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
}

/** In API responses. */
export const CandidateRef = Schema.Struct({
  id: CandidateId,
  ats_candidate_id: Schema.NullOr(AtsCandidateId).annotate({ description: "Your own system's id of the candidate" }),
  ...externalReference,
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String).annotate({
    description:
      "The given name, else first and last name, else the part of the address before the @, which is no name to store",
  }),
}).annotate({ identifier: "CandidateRef" })
export type CandidateRef = typeof CandidateRef.Type

/** In events, with candidate_id and candidate_email. An erasure sets texts to null and empties metadata. */
export const EventCandidate = Schema.Struct({
  ats_candidate_id: Schema.NullOr(AtsCandidateId).annotate({ description: "Your id of the candidate" }),
  ...externalReference,
})
export type EventCandidate = typeof EventCandidate.Type

/** Of a candidate without values of the hiring system, and of an erased one. */
export const emptyEventCandidate: EventCandidate = { ats_candidate_id: null, ...emptyReference }

/** In the order of the payload. */
export const eventCandidate = (candidate: EventCandidate): EventCandidate => ({
  ats_candidate_id: candidate.ats_candidate_id,
  ...referenceOf(candidate),
})

const words = (...lists: ReadonlyArray<string>): ReadonlyArray<string> => lists.flatMap((list) => list.split(" "))

/**
 * Names of columns of a table, reduced to lower-case letters without accents, digits and blanks; a field that is not listed has
 * its title only. A name that some use for the first and others for the full name is a first name.
 */
const columnNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  email: words(
    "email mail emailaddress mailaddress candidateemail primaryemail workemail personalemail emailvalue applicantemail",
    "emailadresse mailadresse emailadres adresemail adresmail epost eposta epostaadresi epostaadres emailadresi mailadresi",
    "correo correoelectronico direcciondecorreo direcciondecorreoelectronico emaildelcandidato",
    "enderecodeemail correioeletronico correioelectronico enderecodecorreioeletronico enderecodecorreioelectronico",
    "courriel mel adressemail adresseemail adressecourriel adresseelectronique adressedemessagerie courrierelectronique",
    "posta postaelettronica indirizzoemail indirizzomail indirizzopostaelettronica indirizzodipostaelettronica",
    "adrespocztyelektronicznej pocztaelektroniczna emailovaadresa mailovaadresa elektronickaposta emailcim emailcime",
    "sahkoposti sahkopostiosoite epostadress epostadresse почта электроннаяпочта элпочта адресэлектроннойпочты електроннапошта",
    "điachiemail thuđientu điachithuđientu メールアドレス メール eメール eメールアドレス 電子メール 邮箱 邮箱地址 电子邮件 电子邮箱 电子邮件地址",
    "邮件 邮件地址 電子郵件 電子信箱 信箱 이메일 이메일주소 메일 메일주소 전자우편 전자메일",
  ),
  name: words(
    "name fullname displayname candidate candidatename applicant applicantname candidat kandidat bewerber bewerberin",
    "vorundnachname vornamenachname nachnamevorname vollstandigername namedesbewerbers nameundvorname",
    "nomcomplet nometprenom nomprenom prenometnom prenomnom nombrecompleto nombreyapellidos nombreyapellido apellidosynombre",
    "nomecompleto nomeesobrenome candidato nomecognome nomeecognome cognomeenome cognomenome nominativo",
    "volledigenaam naam imieinazwisko nazwiskoiimie adsoyad adıvesoyadı adısoyadı adsoyadı isimsoyisim tamad",
    "jmenoaprijmeni prijmeniajmeno celejmeno nev teljesnev фио полноеимя имяифамилия hovaten hoten tenđayđu ungvien",
    "姓名 氏名 名前 お名前 フルネーム 候选人 候選人 候補者 성명 성함",
  ),
  firstname: words(
    "firstname first givenname forename preferredname vorname rufname prenom nombre nombres primernombre",
    "primeironome nome nomeproprio voornaam roepnaam fornavn fornamn imie imiona ad adı isim jmeno krestnijmeno",
    "keresztnev utonev имя ім'я ten 名 이름",
  ),
  lastname: words(
    "lastname last surname familyname nachname familienname zuname nom nomdefamille apellido apellidos primerapellido",
    "sobrenome apelido ultimonome cognome achternaam etternavn efternavn efternamn nazwisko soyad soyadı soyisim prijmeni",
    "vezeteknev csaladnev фамилия прізвище ho hovatenđem 姓 苗字 성",
  ),
  cv_link: words(
    "cv cvlink cvurl linktocv linktothecv resume resumelink resumeurl curriculum curriculumvitae lebenslauf",
    "lebenslauflink lebenslaufurl liencv",
  ),
  external_id: words(
    "externalid externeid externereferenz reference referenz referencia riferimento ref applicationid bewerbungsid idexterne",
    "idexterno",
  ),
  ats_candidate_id: words("id uuid atscandidateid atsid candidateid kandidatenid bewerberid"),
}

/** A field that a column can have; `metadata` has a column for each name. */
export type ColumnField = Exclude<keyof CandidateEntry, "metadata">

const columnLabels = new Map(fieldLabels(CandidateEntry).map(({ label, name }) => [name, label]))

/** In the order of the page that asks what columns mean. */
export const columnFields = [...new Set([...Object.keys(columnNames), ...columnLabels.keys()])]
  .filter((name) => name !== "metadata")
  .map((name) => {
    const label = columnLabels.get(name) ?? name
    return { field: name as ColumnField, label, names: columnNames[name] ?? [label] }
  })

/** The candidate's fields that belong to the hiring system, for pages and exports. `of` returns null for a missing value. */
export const hiringSystemFields: ReadonlyArray<{
  readonly label: string
  readonly of: (candidate: CandidateRef) => string | null
}> = [{ label: "Id in the hiring system", of: ({ ats_candidate_id }) => ats_candidate_id }, ...referenceLabels]

type NameFields = Partial<Record<"name" | "firstname" | "lastname", string | null | undefined>>

/** "": none was given. Candidates are greeted with it: the local part of an address is no name. */
export const fullName = (candidate: NameFields): string =>
  candidate.name?.trim() || composeName(candidate.firstname, candidate.lastname)

/** What members and hiring systems see. */
export const displayName = (candidate: Pick<CandidateFields, "name" | "firstname" | "lastname" | "email">): string =>
  fullName(candidate) || candidate.email?.split("@")[0] || ""

/** The candidate of previews. */
export const sampleCandidate = { email: "ada@example.com", name: "Ada Lovelace", firstname: null, lastname: null }

export const candidateRef = (
  candidate: CandidateRef & Pick<CandidateFields, "firstname" | "lastname">,
): CandidateRef => {
  const { ats_candidate_id, email, id } = candidate
  return { id, ats_candidate_id, ...referenceOf(candidate), email, name: displayName(candidate) || null }
}
