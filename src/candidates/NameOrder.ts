/** The order of a name's parts: family name first in Chinese, Japanese, Korean, Vietnamese and Hungarian names. */

const eastAsian = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー々・\s]+$/u
const withoutKana = /^[\p{Script=Han}\p{Script=Hangul}々]+$/u

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.normalize("NFC").split(" "))

const vietnameseFamilies = wordsOf(
  "nguyễn trần lê phạm hoàng huỳnh phan vũ võ đặng bùi đỗ hồ ngô dương lý đào đoàn vương trịnh trương đinh lâm phùng mai tô hà tạ cao lương châu quách thái lưu tăng kiều doãn nghiêm",
)
/** Without accents, those that are family names of hardly any other language. */
const plainVietnameseFamilies = wordsOf(
  "nguyen tran pham hoang huynh phan vu vo dang bui ngo duong trinh truong dinh phung",
)

/** Letters that French, Portuguese and Italian lack. */
const vietnameseLetter = /[ạ-ỹơưđăĩũ]/
const vietnameseSyllable =
  /^(?:ngh|ng|nh|ch|gh|gi|kh|ph|qu|th|tr|[bcdđghklmnprstvx])?[aăâeêioôơuưyàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]{1,3}(?:ng|nh|ch|[cmnpt])?$/
/** Middle names. */
const vietnameseMiddle = /^(?:thi|van|thị|văn)$/

/** Given names of other languages that are spelt like Vietnamese syllables. */
const foreignGiven = wordsOf("ben dan don ken kim lea léa leo léo lia lou mia noa pam pia ron sam theo théo tim tom")

const isVietnamese = (family: string, given: string): boolean => {
  const parts = given.split(/\s+/)
  const [first = ""] = family.split(/\s+/)
  if (!parts.every((part) => vietnameseSyllable.test(part)) || foreignGiven.has(parts[0] ?? "")) return false
  if (vietnameseFamilies.has(first) && vietnameseLetter.test(`${family}${given}`)) return true
  const isFamily = plainVietnameseFamilies.has(first) || vietnameseFamilies.has(first)
  return isFamily && parts.length > 1 && vietnameseMiddle.test(parts[0] ?? "")
}

/** Without those that are frequent in other languages, as given names or family names. */
const hungarianFamilies = wordsOf(
  "nagy kovács tóth szabó horváth varga kiss kis molnár németh farkas balogh papp takács juhász lakatos mészáros oláh rácz fekete szilágyi török fehér balázs gál szűcs kocsis orsós pintér fodor szalai sipos magyar lukács gulyás bíró király katona lászló bogdán jakab balog sándor boros váradi fazekas kelemen orosz somogyi fülöp veres vincze hegedűs budai deák pap bálint pál illés vass szőke lengyel fábián bognár bodnár szücs hajdu halász jónás máté székely kozma gáspár pásztor bakos dudás virág orbán hegedüs novák soós tamás nemes pataki faragó balla borbély kerekes dobos",
)
const hungarianGiven = wordsOf(
  "lászló istván józsef jános zoltán sándor gábor ferenc attila péter tamás zsolt andrás csaba imre lajos györgy balázs gyula mihály károly róbert béla dániel dávid ádám gergő gergely bence máté márton krisztián szabolcs ákos árpád bálint barnabás dénes géza jenő kálmán kristóf levente miklós nándor ottó pál szilárd vilmos zsombor mária erzsébet katalin éva zsuzsanna margit judit ágnes ildikó krisztina irén eszter magdolna mónika szilvia anikó viktória márta tünde réka dóra nóra enikő boglárka zsófia csilla orsolya piroska emese beáta borbála emőke gizella hajnalka jolán klára noémi rozália sarolta teréz timea tímea zsuzsa",
)
const hungarianLetter = /[őű]/

const isHungarian = (family: string, given: string): boolean => {
  const [first = ""] = given.split(/[\s-]+/)
  const isKnown = hungarianFamilies.has(family.split(/[\s-]+/)[0] ?? "")
  const isSpelt = hungarianLetter.test(`${family}${given}`)
  return hungarianGiven.has(first) ? isKnown || isSpelt : isKnown && isSpelt
}

const folded = (part: string): string => part.trim().normalize("NFC").toLowerCase()

/** Whether people of this name write it with the family name first. */
export const isFamilyFirst = (given: string, family: string): boolean => {
  const [first, last] = [folded(given), folded(family)]
  if (first === "" || last === "") return false
  return (eastAsian.test(first) && eastAsian.test(last)) || isVietnamese(last, first) || isHungarian(last, first)
}

/** The full name of a given and a family name, either of which may be empty. */
export const composeName = (given: string | null | undefined, family: string | null | undefined): string => {
  const [first, last] = [given?.trim() ?? "", family?.trim() ?? ""]
  if (!isFamilyFirst(first, last)) return [first, last].filter(Boolean).join(" ")
  return [last, first].join(withoutKana.test(`${last}${first}`) ? "" : " ")
}
