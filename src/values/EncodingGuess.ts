/**
 * Guesses the encoding of text that is neither UTF-8 nor labelled. Made for short tables of names, where the statistics of
 * detectors for web pages fail: each encoding's reading is rated by the letters of the languages that use it, and by what
 * names do not have (a symbol or a capital within a word, two scripts in one word).
 */
import { decodeStrictly } from "./CodePages.ts"

interface Language {
  readonly letters: ReadonlyMap<string, number>
  /** Cost of neighbours that are both outside of ASCII. */
  readonly neighbours: number
  /** Whether its letters and those of ASCII occur in one word. */
  readonly isLatin: boolean
  /** What its words, in lower case, do not have. */
  readonly never: RegExp | undefined
}

// natural logarithms: of letters by how frequent they are in the language
const tiers = [-2.2, -3.6, -5.6]
const foreignLetter = -9
const symbolInWord = -13
const symbol = -7
const punctuationMark = -3
const wrongCase = -6
const mixedScripts = -8
const noLatinLetter = -3
const neverInLanguage = -5

const language = (
  letters: string,
  { isLatin = true, neighbours = -2.5, never }: Partial<Omit<Language, "letters">> = {},
): Language => ({
  letters: new Map(
    letters.split("|").flatMap((tier, i) => [...tier].map((letter) => [letter, tiers[i] ?? -6] as const)),
  ),
  neighbours,
  isLatin,
  never,
})

const vowels = "aeiouyáéíóúýäöüåæøàèìòùâêîôûëïãõąęěůőűăıāēīūėųį"
const consonants = `[^${vowels}]`

/** The letters are beside a vowel, or at the beginning of the word. */
const besideVowel = (letters: string): string => `${consonants}[${letters}](?:${consonants}|$)`

/** Lower-case letters outside of ASCII: frequent | usual | rare. */
const languages = {
  german: language("äöü|ß|éè", { never: /[äöü][äöüéè]|(?:^|[^aeiouyäöü])ß/ }),
  french: language("éèç|ëïî|ôêâàûœùüÿæ", { never: /[êîôû][aeiouyjk]|ç[^aouâé]/ }),
  spanish: language("áéíóñ|úü|ç", { never: /á[aou]|ñ(?![aeiouáéíóú])|ü(?![eiéí])/ }),
  portuguese: language("ãáçéí|óâêôú|õàü", { never: /á[aou]|ã(?![oe]|$)|õ(?!e)|ç(?![aouãáóõ])/ }),
  italian: language("àèòì|ùé|", { never: /[àèòìù]./ }),
  nordic: language("äöåø|æé|üóàèðá", { never: /[øæ](?:[aouøæ])|[aeouøæ]ø/ }),
  icelandic: language("áíóðú|éöþæý|", { never: /þ(?!.)|^ð|[^aeiouyáéíóúýæör]ð|þ[^aeiouyáéíóúýæörvj]/ }),
  dutch: language("ëïé|öüèó|"),
  polish: language("łóńś|ążęć|źü", { never: new RegExp(`${besideVowel("ćńó")}|^ń|^[ąę]`) }),
  czech: language("áíéř|šěčůýžú|ňťďóäö", { never: new RegExp(`${besideVowel("šžč")}|^[ůě]`) }),
  slovak: language("áíčé|šžýúľ|ťňďôóäĺŕ", { never: new RegExp(besideVowel("šžčľ")) }),
  hungarian: language("áéóöő|íüű|úä"),
  romanian: language("ăşţ|âî|şţöáé", { never: /ţ[bcdfghjklmnpqrstvxz]/ }),
  croatian: language("ćčšž|đ|üö", {
    neighbours: -1.5,
    never: new RegExp(`${besideVowel("ćčšž")}|^ć|ć[bcdfghlnpqrstvz]`),
  }),
  turkish: language("ışüöğ|çi̇İ|âîû", { never: /^ğ|[bcdfghjklmnpqrstvzçş]ğ/ }),
  azeri: language("ışüöğ|çİə|"),
  latvian: language("āīšņ|ēļžķģčū|ō", { never: new RegExp(besideVowel("šžč")) }),
  lithuanian: language("ėšž|ūųąčęį|", { never: new RegExp(besideVowel("šžč")) }),
  estonian: language("õäöü|š|ž", { never: new RegExp(besideVowel("šž")) }),
  vietnamese: language("ễịồầảạọứấọùạấĩàáâêăươđ|ãèéìíòóôõúýỳạảấầẩẫậắằẳẵặẹẻẽếềểệỉịọỏốồổỗộớờởỡợụủứừửữựỵỷỹ|", {
    neighbours: -0.4,
    // of one syllable each
    never:
      /^(?!(?:ngh|ng|nh|ch|gh|gi|kh|ph|qu|th|tr|[bcdđghklmnprstvx])?[^bcdđfghjklmnpqrstvwxz]{1,3}(?:ng|nh|ch|[cmnpt])?$)/,
  }),
  russian: language("аеинорвл|кстмдяйгуыьбч|зшюжхёщцэфъ", { isLatin: false, neighbours: 0 }),
  ukrainian: language("аоикнріе|вслтмйяйьбдчгу|шхпюзжєїщцґф", { isLatin: false, neighbours: 0 }),
  serbian: language("аиоевнјс|рклмћтдпг|чшњжбзљуџђцхќѓѕф", { isLatin: false, neighbours: 0 }),
  greek: language("αοςινησρ|ετκλμπυδγίάόύήώθ|έφβζχξψϊϋΐΰ", { isLatin: false, neighbours: 0 }),
  hebrew: language("יואלמרהנ|שבדתחכעגפקםןז|טצסךףץ", { isLatin: false, neighbours: 0 }),
  arabic: language("الينمردب|ةسعحفتهكجقخش|وصطزضثغذظءآأإئؤى", { isLatin: false, neighbours: 0 }),
  persian: language("اینرمدهی|وسبتشلکزف|گچپژخحعقصطغضآئ", { isLatin: false, neighbours: 0 }),
  thai: language("านรีิัวยมชก|์สทพลตงดปคจธบขณภศเแุู่้|โไใหอฐฒญวฤฟผถฉซืำ็ะษ", { isLatin: false, neighbours: 0 }),
} satisfies Record<string, Language>

const western = ["german", "french", "spanish", "portuguese", "italian", "nordic", "dutch"] as const
const central = ["polish", "czech", "slovak", "hungarian", "romanian", "croatian", "german"] as const

interface SingleByte {
  readonly encoding: string
  /** Logarithm of how probable the encoding is before the text is read, to a common constant. */
  readonly prior: number
  readonly languages: ReadonlyArray<keyof typeof languages>
}

const singleByte: ReadonlyArray<SingleByte> = [
  { encoding: "windows-1252", prior: 0, languages: [...western, "icelandic"] },
  { encoding: "iso-8859-15", prior: -4, languages: ["french", "estonian"] },
  { encoding: "macintosh", prior: -2, languages: western },
  { encoding: "ibm850", prior: -3, languages: western },
  { encoding: "windows-1250", prior: -1, languages: central },
  { encoding: "iso-8859-2", prior: -2.5, languages: central },
  { encoding: "ibm852", prior: -4, languages: central },
  { encoding: "x-mac-ce", prior: -3.5, languages: ["polish", "czech", "slovak", "hungarian"] },
  { encoding: "windows-1254", prior: -1.5, languages: ["turkish", "azeri"] },
  { encoding: "x-mac-turkish", prior: -4.5, languages: ["turkish"] },
  { encoding: "windows-1257", prior: -2, languages: ["latvian", "lithuanian", "estonian"] },
  { encoding: "windows-1258", prior: -2, languages: ["vietnamese"] },
  { encoding: "windows-1251", prior: -1, languages: ["russian", "ukrainian", "serbian"] },
  { encoding: "koi8-u", prior: -3, languages: ["russian", "ukrainian"] },
  { encoding: "ibm866", prior: -3, languages: ["russian"] },
  { encoding: "x-mac-cyrillic", prior: -3, languages: ["russian", "ukrainian", "serbian"] },
  { encoding: "windows-1253", prior: -1, languages: ["greek"] },
  { encoding: "iso-8859-7", prior: -3, languages: ["greek"] },
  { encoding: "windows-1255", prior: -1.5, languages: ["hebrew"] },
  { encoding: "windows-1256", prior: -1.5, languages: ["arabic", "persian"] },
  { encoding: "windows-874", prior: -1.5, languages: ["thai"] },
]

const isLower = (letter: string): boolean => letter === letter.toLowerCase() && letter !== letter.toUpperCase()
const isUpper = (letter: string): boolean => letter === letter.toUpperCase() && letter !== letter.toLowerCase()

const letterOf = /[\p{L}\p{M}]/u
const foreign = /[^\p{ASCII}]/u
const latin = /[A-Za-z]/
/** Of prose in any language. */
const punctuation = /[\u00a0\u2018-\u201e\u2013\u2014\u2022\u2026\u20ac\u00ab\u00bb\u00b0\u00b7]/

/** Between two letters, other than an apostrophe as in d’Arc, O’Neill, company’s and don’t. */
const isWithinWord = (word: ReadonlyArray<string>, at: number): boolean => {
  const [before, after] = [word[at - 1], word[at + 1]]
  if (before === undefined || after === undefined || !letterOf.test(before) || !letterOf.test(after)) return false
  return !(word[at] === "’" && (at <= 2 || /^(?:s|t|re|ll|ve|d|m)$/.test(word.slice(at + 1).join(""))))
}

/** Logarithm of how probable the word is in the language. */
const wordScore = (word: ReadonlyArray<string>, { isLatin, letters, neighbours, never }: Language): number => {
  let score = never?.test(word.join("").toLowerCase()) ? neverInLanguage : 0
  let isMixed = false
  let foreigners = 0
  const isText = word.some((one) => letterOf.test(one))
  for (const [i, one] of word.entries()) {
    if (!foreign.test(one)) {
      isMixed ||= latin.test(one)
      continue
    }
    foreigners++
    const [before, after] = [word[i - 1], word[i + 1]]
    if (punctuation.test(one) && !isWithinWord(word, i)) {
      score += punctuationMark
      continue
    }
    if (!letterOf.test(one)) {
      score += /[\u0080-\u009f]/.test(one) ? 2 * symbolInWord : isText ? symbolInWord : symbol
      continue
    }
    score += letters.get(one) ?? letters.get(one.toLowerCase()) ?? foreignLetter
    if (before !== undefined && foreign.test(before)) score += neighbours
    if (isUpper(one) && before !== undefined && (isLower(before) || (after !== undefined && isLower(after))))
      score += wrongCase
    if (isLower(one) && before !== undefined && isUpper(before) && (i > 1 || (after !== undefined && isUpper(after))))
      score += wrongCase
    if (isLower(one) && before === undefined && after !== undefined) score += isUpper(after) ? wrongCase : -1.5
  }
  if (!isLatin && isMixed) score += mixedScripts
  if (isLatin && isText && !isMixed && foreigners > 0) score += noLatinLetter
  return score
}

const rounds = 4

/** The languages' shares are estimated from the words (expectation maximization). */
const mixtureScore = (scores: ReadonlyArray<ReadonlyArray<number>>): number => {
  const count = scores[0]?.length ?? 1
  let shares = Array.from({ length: count }, () => 1 / count)
  let total = 0
  for (let round = 0; round < rounds; round++) {
    total = 0
    const sums = Array.from({ length: count }, () => 0.5)
    for (const word of scores) {
      const best = Math.max(...word)
      const parts = word.map((score, i) => (shares[i] ?? 0) * Math.exp(score - best))
      const sum = parts.reduce((one, other) => one + other, 0)
      total += best + Math.log(sum)
      for (const [i, part] of parts.entries()) sums[i] = (sums[i] ?? 0) + part / sum
    }
    const all = sums.reduce((one, other) => one + other, 0)
    shares = sums.map((one) => one / all)
  }
  // an encoding of many languages is not less probable
  return total + Math.log(count)
}

const notWord = /[\0-\x26\x28-\x2c\x2e-\x40[-`{-\x7f]+/

const singleByteScore = (text: string, names: SingleByte["languages"]): number => {
  const words = text.split(notWord).filter((word) => foreign.test(word))
  const spelt = words.map((word) => [...word])
  return mixtureScore(spelt.map((word) => names.map((name) => wordScore(word, languages[name]))))
}

/** Characters of names that are frequent in the language. */
const chineseNames = new Set(
  "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉红梅建国志海东飞宇浩子轩涵欣怡梓晨佳思雨嘉俊泽博天瑞一诺安然晓春生成立永新亮波宁斌辉鹏旭燕兰凤云莲真环雪荣爱妹香月莺媛瑾颖露瑶婵雁蓓纨仪荷丹蓉眉君琴蕊薇菁梦岚苑婕馨瑗琰韵融园艺咏卿聪澜纯毓悦昭冰爽琬茗羽希姓名邮箱电子手机先生女士中小大学市公司北京上海",
)
const traditionalNames = new Set(
  "王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻余潘杜戴夏鍾汪田任姜范方石姚譚廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文偉芳娜敏靜麗強磊軍洋勇豔傑娟濤明超秀霞平剛桂英華玉紅梅建國志海東飛宇浩子軒涵欣怡梓晨佳思雨嘉俊澤博天瑞一諾安然曉春生成立永新亮波寧斌輝鵬旭燕蘭鳳雲蓮真環雪榮愛妹香月淑惠美雅婷宗翰冠廷家豪承恩柏信宏彥君怡詩涵姓名郵件電子中小大學市公司台北",
)
const japaneseNames = new Set(
  "佐藤鈴木高橋田中伊渡辺山本村小林加吉斎松井上清水崎口森阿部池石前岡長谷川後近遠青坂福西太三原和野内金竹武藤岩島今永柴宮菊千葉久保大塚河平木下新杉安桜酒横工関五十嵐浜丸秋美子太郎一二雄夫恵裕真由紀智健翔陽菜葵結衣優花愛奈々香織直樹拓也哲誠幸明正人典博之介悠斗蓮大輝隼駿颯陸海空咲希心春夏氏名姓東京株式会社男女生年",
)
const koreanNames = new Set(
  "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지현수영준호은경미희혜선상동재태원철용연아인예빈채윤도훈석규형승우민병기종광덕순옥자숙란애춘복길만근식섭환일대세건찬율시소라다름성명이메일",
)

const kana = /[\u3041-\u3096]/
const katakana = /[\u30a1-\u30fc]/
const halfKatakana = /[\uff61-\uff9f]/
const loneKatakana = /(?<![\uff61-\uff9f])[\uff61-\uff9f](?![\uff61-\uff9f])/g
const hangul = /[\uac00-\ud7a3]/
const han = /[\u4e00-\u9fff\u3005]/

interface MultiByte {
  readonly encoding: string
  readonly prior: number
  readonly names: ReadonlySet<string>
  /** Whether a lead byte is that of frequent characters. */
  readonly isFrequent: (lead: number, trail: number) => boolean
}

const multiByte: ReadonlyArray<MultiByte> = [
  {
    encoding: "gb18030",
    prior: -1,
    names: chineseNames,
    isFrequent: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1,
  },
  { encoding: "big5", prior: -1.5, names: traditionalNames, isFrequent: (lead) => lead >= 0xa4 && lead <= 0xc6 },
  { encoding: "shift_jis", prior: -1, names: japaneseNames, isFrequent: (lead) => lead >= 0x88 && lead <= 0x97 },
  {
    encoding: "euc-jp",
    prior: -2.5,
    names: japaneseNames,
    isFrequent: (lead, trail) => lead >= 0xb0 && lead <= 0xcf && trail >= 0xa1,
  },
  {
    encoding: "euc-kr",
    prior: -1,
    names: koreanNames,
    isFrequent: (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1,
  },
]

const nameCharacter = -5.2
const frequentCharacter = -7.6
const rareCharacter = -13
const strangeCharacter = -16

const characterScore = (
  one: string,
  lead: number,
  trail: number,
  { encoding, isFrequent, names }: MultiByte,
): number => {
  if (names.has(one)) return nameCharacter
  const isJapanese = encoding === "shift_jis" || encoding === "euc-jp"
  if (kana.test(one) || katakana.test(one)) return isJapanese ? -4.6 : strangeCharacter
  if (halfKatakana.test(one)) return isJapanese ? -3.6 : strangeCharacter
  if (hangul.test(one))
    return encoding === "euc-kr" ? (isFrequent(lead, trail) ? frequentCharacter : rareCharacter) : -20
  if (han.test(one)) return isFrequent(lead, trail) && encoding !== "euc-kr" ? frequentCharacter : rareCharacter
  return strangeCharacter
}

/** A letter of ASCII before or after: names do not mix scripts. */
const besideLatin = -4

const multiByteScore = (text: string, bytes: Uint8Array, one: MultiByte): number => {
  // a single one is a symbol, or a letter of another encoding
  let score = one.encoding === "shift_jis" ? (text.match(loneKatakana)?.length ?? 0) * strangeCharacter : 0
  let at = 0
  let before = ""
  for (const character of text) {
    if (!foreign.test(character)) {
      if (latin.test(character) && foreign.test(before)) score += besideLatin
      at++
    } else {
      const lead = bytes[at] ?? 0
      score += characterScore(character, lead, bytes[at + 1] ?? 0, one)
      if (latin.test(before)) score += besideLatin
      const isHalf = one.encoding === "shift_jis" && halfKatakana.test(character)
      at += isHalf ? 1 : one.encoding === "euc-jp" && lead === 0x8f ? 3 : character.length === 2 ? 4 : 2
    }
    before = character
  }
  return score
}

/**
 * Symbols of windows-1252 where prose has them: beside digits, alone, after units and names. Other encodings have letters at
 * these bytes, which are seldom there.
 */
const symbols = new RegExp(
  `^(?:${[
    "[£€¥¢§©±¶†‡~<>µ]\\u00a0?[\\d.,]+\\w{0,3}",
    "\\d+\\w{0,2}\\u00a0?[£€¥¢°ºª‰¹²³½¼¾±µ]\\w{0,2}",
    "[£€]?\\d+\\w?[–—][£€]?\\d+\\w{0,3}",
    "\\d+[×÷±–·]\\d+\\w{0,2}",
    "[£€¥¢§©®™°±¶†‡·•–—…½¼¾¹²³«»µ¦¬¤ºª]",
    "(?:[A-Z0-9]{1,4}|[kcdm]?m|ft|in)[¹²³]",
    "[A-Za-z]+[a-z][®™©]|[A-Z][A-Za-z]*[®™]",
    "[nN][º°ª]",
    "µ[A-Za-z]{1,2}",
    "[¡¿][A-Za-z]+",
    "«\\u00a0[A-Za-z]+|[A-Za-z]+\\u00a0»",
    "[A-Za-z0-9]*",
  ].join("|")})$`,
)

const isSymbolic = (part: Uint8Array): boolean => {
  const text = decodeStrictly(part, "windows-1252")
  return text?.split(/[':-@[-`{-~-]+/).every((token) => symbols.test(token)) ?? false
}

const maxSample = 12_000
const maxParts = 10_000

/**
 * The parts of the bytes with a byte above 7F, each once, separated by line breaks, without those that are symbols in
 * windows-1252. They are cut at bytes below 30, which are never part of a character of several bytes.
 */
const sampleOf = (bytes: Uint8Array): Uint8Array => {
  const sample: Array<number> = []
  const seen = new Set<string>()
  let start = 0
  for (let at = 0; at <= bytes.length && sample.length < maxSample && seen.size < maxParts; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x30 || byte === 0x27 || byte === 0x2d) continue
    const part = bytes.subarray(start, Math.min(at, start + maxSample))
    start = at + 1
    if (!part.some((one) => one > 0x7f)) continue
    const key = part.join()
    if (seen.has(key)) continue
    seen.add(key)
    if (isSymbolic(part)) continue
    sample.push(...part, 0x0a)
  }
  return Uint8Array.from(sample)
}

export interface EncodingGuess {
  readonly encoding: string
  /** False if another encoding, which reads the text differently, is almost as probable. */
  readonly isCertain: boolean
}

/** The logarithm of the odds below which a guess is in doubt. */
const certainty = 4
/** The encoding of most 8-bit text. */
const western1252 = "windows-1252"

export const guessEncoding = (bytes: Uint8Array): EncodingGuess => {
  const sample = sampleOf(bytes)
  if (sample.length === 0) return { encoding: western1252, isCertain: true }
  const single = singleByte.flatMap(({ encoding, languages: names, prior }) => {
    const text = decodeStrictly(sample, encoding)
    return text === undefined ? [] : [{ encoding, text, score: prior + singleByteScore(text, names) }]
  })
  const multi = multiByte.flatMap((one) => {
    const { encoding, prior } = one
    const text = decodeStrictly(sample, encoding)
    return text === undefined ? [] : [{ encoding, text, score: prior + multiByteScore(text, sample, one) }]
  })
  const [best, ...others] = [...single, ...multi].toSorted((a, b) => b.score - a.score)
  if (best === undefined) return { encoding: western1252, isCertain: false }
  const usual = single.find(({ encoding }) => encoding === western1252)
  // single letters do not tell the language
  if (usual !== undefined && !/[\p{L}\p{M}]{2}|[^\p{ASCII}]{2}/u.test(usual.text))
    return { encoding: western1252, isCertain: false }
  const other = others.find(({ text }) => text !== best.text)
  return { encoding: best.encoding, isCertain: other === undefined || best.score - other.score > certainty }
}
