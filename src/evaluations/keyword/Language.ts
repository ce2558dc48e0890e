/** Detects the language of a text by its function words. */

export const readLanguages = ["en", "de", "fr", "es", "pt"] as const

export type Language = (typeof readLanguages)[number]

const isRead = (language: string): language is Language => readLanguages.some((one) => one === language)

/** Folded: without accents, ä as ae. */
const functionWords = Object.entries({
  en: "the and of to with for was were have has had my at from that this which our by i am a in is not as",
  de: "der und ich die das mit habe fuer von zu im den ist wir auf nicht bei eine einen einem nach wurde zur zum",
  fr: "le les des et j nous dans est une du pour avec sur ai aux suis ete par je de la que a",
  es: "el los y con del las una mi en he por para como fue soy durante al la de que",
  pt: "os do da em com uma e um dos das ao no na fui como para meu minha nao eu de que a",
  it: "il gli di che sono della nel alla ho per una mio con del delle",
  nl: "het een van ik voor niet met op zijn heb bij aan en ook",
  pl: "oraz jest sie przez jako dla nie w z od pracy pracowalem pracowalam przy lat",
  cs: "jsem jako pro ve od v s z pri let praxe roku",
  hu: "es egy hogy mint az nem meg evig ota ben",
  ro: "si din cu pentru sunt am in o de ca la al ale fost ani",
  da: "og jeg til som har af det med pa et",
  no: "og jeg til som har av det med pa et",
  fi: "ja olen on sekae vuotta kuin myos oli jossa",
  sv: "och jag att som har av till pa ett",
  tr: "ve bir ile icin olarak bu daha yil cok",
  id: "dan yang dengan untuk saya pada dari",
}).map(([language, words]) => [language, new Set(words.split(" "))] as const)

/** Latin letters that none of the five languages has. */
const foreign = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹąćęłńśźżčďěňřšťůžľĺŕőűğışțșţåøāēģīķļņūėįų]/gu
/** Above this share of such letters, a text is in another language; above `likelyForeign`, unless `isCertain`. */
const surelyForeign = 0.1
const likelyForeign = 0.03
/** Share of function words that makes a language certain despite foreign place names. */
const sentencesFrom = 0.12

const maxSample = 20_000

/** Null: the text is too short or has no sentences. */
const detectLanguage = (text: string): Language | "other" | null => {
  const head = text.slice(0, maxSample).normalize("NFC")
  const letters = head.match(/\p{L}/gu)?.length ?? 0
  const latin = head.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters > 0 && latin * 2 < letters) return "other"
  const strange = (head.toLowerCase().match(foreign)?.length ?? 0) / letters
  if (strange > surelyForeign) return "other"
  const words = head
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .match(/\p{L}+/gu)
  if (words === null) return null
  const counts = functionWords
    .map(([language, set]) => ({ language, count: words.filter((word) => set.has(word)).length }))
    .toSorted((one, other) => other.count - one.count)
  const [first, second] = counts
  const isCertain = first !== undefined && isRead(first.language) && first.count >= words.length * sentencesFrom
  if (strange > likelyForeign && !isCertain) return "other"
  if (first === undefined || first.count < 2 || first.count * 20 < words.length) return null
  if (second !== undefined && second.count === first.count) return null
  return isRead(first.language) ? first.language : "other"
}

/** False for a text without function words of any language that is known here, such as a list or Swahili. */
export const isRecognized = (text: string): boolean => detectLanguage(text) !== null

/** Null: not supported. A text without sentences counts as `otherwise` if that is supported, else as English. */
export const languageOf = (text: string, otherwise: string | null): Language | null => {
  const found = detectLanguage(text)
  if (found === "other") return null
  const base = otherwise?.slice(0, 2).toLowerCase() ?? ""
  return found ?? (isRead(base) ? base : "en")
}

const names: Readonly<Record<Language, string>> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
  pt: "Portuguese",
}

export const nameOfLanguage = (language: Language): string => names[language]
