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

const vietnameseLetter = /[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹơưđăâêôàáãèéìíĩòóõùúũý]/
const vietnameseSyllable =
  /^(?:ngh|ng|nh|ch|gh|gi|kh|ph|qu|th|tr|[bcdđghklmnprstvx])?[aăâeêioôơuưyàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]{1,3}(?:ng|nh|ch|[cmnpt])?$/
/** Middle names. */
const vietnameseMiddle = /^(?:thi|van|thị|văn)$/

const isVietnamese = (family: string, given: string): boolean => {
  const parts = given.split(/\s+/)
  const [first = ""] = family.split(/\s+/)
  if (!parts.every((part) => vietnameseSyllable.test(part))) return false
  if (vietnameseFamilies.has(first) && vietnameseLetter.test(`${family}${given}`)) return true
  return (
    (plainVietnameseFamilies.has(first) || vietnameseFamilies.has(first)) &&
    parts.some((part) => vietnameseMiddle.test(part))
  )
}

const hungarianFamilies = wordsOf(
  "nagy kovács tóth szabó horváth varga kiss kis molnár németh farkas balogh papp takács juhász lakatos mészáros oláh simon rácz fekete szilágyi török fehér balázs gál szűcs kocsis orsós pintér fodor szalai sipos magyar lukács gulyás bíró király katona lászló bogdán jakab balog sándor boros váradi fazekas kelemen antal orosz somogyi fülöp veres vincze hegedűs budai deák pap bálint pál illés vass szőke lengyel fábián bognár bodnár szücs hajdu halász jónás máté székely kozma gáspár pásztor bakos dudás major virág orbán hegedüs barna novák soós tamás nemes pataki faragó balla borbély kerekes kun dobos",
)
const hungarianGiven = wordsOf(
  "lászló istván józsef jános zoltán sándor gábor ferenc attila péter tamás zsolt tibor andrás csaba imre lajos györgy balázs gyula mihály károly róbert béla dániel dávid ádám gergő gergely bence máté márton krisztián norbert szabolcs ákos árpád bálint barnabás dénes géza jenő kálmán kristóf levente marcell miklós nándor ottó pál roland szilárd vilmos vince zsombor mária erzsébet katalin ilona éva zsuzsanna margit judit ágnes julianna ildikó erika krisztina irén eszter magdolna mónika edit gabriella szilvia anikó viktória márta tünde réka dóra nóra enikő kinga boglárka zsófia csilla orsolya piroska emese beáta borbála emőke gizella hajnalka hanna jolán klára noémi petra rozália sarolta teréz timea tímea vera vivien zita zsuzsa",
)
const hungarianLetter = /[őű]/

const isHungarian = (family: string, given: string): boolean => {
  const [first = ""] = given.split(/[\s-]+/)
  const isKnown = hungarianFamilies.has(family.split(/[\s-]+/)[0] ?? "")
  if (hungarianGiven.has(first))
    return isKnown || hungarianLetter.test(`${family}${given}`) || /(?:nyi|ssy|czy|thy|ffy|ghy)$/.test(family)
  return isKnown && hungarianLetter.test(`${family}${given}`)
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
