/** Stemming and word lists. Words are folded (Text.ts). A stem need not be a word, only equal for all its forms. */
import type { Language } from "./Language.ts"
import { derivedNouns } from "./lexicon/derived.ts"
import { gradable, irregular } from "./lexicon/irregular.ts"

const hasVowel = (text: string): boolean => /[aeiouy]/.test(text)

const withoutInflection = (word: string): string => {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (/[^sui]s$/.test(word)) return word.slice(0, -1)
  const base = word.endsWith("ing") ? word.slice(0, -3) : word.endsWith("ed") ? word.slice(0, -2) : word
  if (base === word || base.length < 3 || !hasVowel(base)) return word
  return /([bdgmnprt])\1$/.test(base) ? base.slice(0, -1) : base
}

const endings =
  "ability ibility able ible ization isation ize ise iz is ation ative ativ ion at ment ance ence ity ly".split(" ")

const withoutEnding = (word: string): string => {
  const found = endings.find((ending) => word.endsWith(ending) && word.length - ending.length >= 4)
  if (found !== undefined) return withoutEnding(word.slice(0, -found.length))
  return word.endsWith("e") && word.length > 3 ? withoutEnding(word.slice(0, -1)) : word
}

/** Endings, longest first. */
const others: Readonly<Record<Exclude<Language, "en">, ReadonlyArray<string>>> = {
  de: "ierungen ierung ierten ierte ieren iert iere ungen ung innen enden ende eten ete ten te en er es em st in e n s t".split(
    " ",
  ),
  fr: "issements issement ements ement ations ation ateurs ateur atrices atrice euses euse eurs eur iques ique aient ants ant ees ee ais ait ons ez es er ir it is e s".split(
    " ",
  ),
  es: "amientos amiento aciones acion adores adoras adora ador iendo ando ados adas ado ada idos idas ido ida aban aba aron ieron ar er ir es os as o a e s".split(
    " ",
  ),
  pt: "amentos amento acoes acao adores adoras adora ador ando endo indo ados adas ado ada idos idas ido ida avam ava aram eram ar er ir ei ou es os as o a e s".split(
    " ",
  ),
}

const stemOther = (word: string, language: Exclude<Language, "en">): string => {
  const base = language === "de" && word.length > 6 && /^ge.*(?:t|en)$/.test(word) ? word.slice(2) : word
  const found = others[language].find((ending) => base.endsWith(ending) && base.length - ending.length >= 4)
  return found === undefined ? base : base.slice(0, -found.length)
}

const baseForms = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [base = "", forms = ""] = line.split(": ")
        return forms.split(" ").map((form): [string, string] => [form, base])
      }),
  )

/** Reads lines of `number: word word`. */
export const numbersByWord = (lines: string): ReadonlyMap<string, number> =>
  new Map([...baseForms(lines)].map(([word, number]): [string, number] => [word, Number(number)]))

const english = baseForms(irregular.en)

/** "heavier" and "heaviest" to "heavy", "larger" to "large", "bigger" to "big". */
const graded = new Map(
  gradable.split(" ").flatMap((word) =>
    ["er", "est"].map((ending): [string, string] => {
      const base = word
        .replace(/y$/, "i")
        .replace(/e$/, "")
        .replace(/(?<=^[^aeiou]*[aeiou])([dgmnt])$/, "$1$1")
      return [base + ending, word]
    }),
  ),
)
const bases: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map([...baseForms(derivedNouns), ...graded, ...english]),
  de: baseForms(irregular.de),
  fr: baseForms(irregular.fr),
  es: baseForms(irregular.es),
  pt: baseForms(irregular.pt),
}

export const isIrregularVerb = (word: string): boolean => english.has(word)

const isPlain = (word: string): boolean => word.length >= 4 && word.length <= 40 && /^[a-z]+$/.test(word)

/** The English stem without irregular forms: in the lexicon, "drove" is no form of "driving". */
export const stem = (word: string): string => (isPlain(word) ? withoutEnding(withoutInflection(word)) : word)

export const stemIn = (word: string, language: Language): string => {
  const base = bases[language].get(word) ?? word
  return language === "en" ? stem(base) : isPlain(base) ? stemOther(base, language) : base
}

export const words = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

const stems = (...lines: ReadonlyArray<string>): ReadonlySet<string> => new Set([...words(...lines)].map(stem))

const stemsByLanguage = (lists: {
  readonly de: string
  readonly fr: string
  readonly es: string
  readonly pt: string
}) =>
  new Set(
    (["de", "fr", "es", "pt"] as const).flatMap((language) =>
      lists[language].split(" ").map((word) => stemIn(word, language)),
    ),
  )

/** Compared before stemming. */
export const stopWords = words(
  "a about above across after again against all almost along already also although always am among an and another any",
  "are aren't around as at away be because been before being below between both but by can can't cannot could couldn't",
  "did didn't do does doesn't doing don't done down during each either else enough etc even ever every few first for",
  "from further get gets getting go goes going got had hadn't has hasn't have haven't having he her here hers herself",
  "him himself his how however i i'd i'll i'm i've if in including inside instead into is isn't it it'd it'll its itself",
  "just last least less let like made make makes making many may maybe me might mine more most much must my myself near",
  "never next no none nor not nothing now of off often on once one only onto or other our ours ourselves out over own per",
  "perhaps please rather really same second see seem she should since so some something still such than that that's the",
  "their theirs them themselves then there these they they're this those though through throughout thus to together too",
  "toward towards two under until up upon us use used uses using usually very via want was wasn't way we we'd we'll we're",
  "we've well were weren't what when where whether which while who whom whose why will with within without won't would",
  "wouldn't yes yet you you'd you'll you're you've your yours yourself eg ie mr mrs ms three four five six seven eight",
  "der die das den dem des ein eine einen einem einer eines und oder mit von vom zu zum zur im ist sind ich wir er sie es",
  "nicht fuer auf als auch bei nach aus habe haben hat hatte war waren wurde wurden werden wird kann koennen an am um durch",
  "mein meine meinen meiner unser unsere sich dass wenn weil damit so nur noch schon sehr dann ueber unter vor kein keine",
  "keinen nie mich mir ihn ihm ihr dabei dort sowie bis seit pro je man diese dieser dieses alle allen jeden jede jeder",
  "le la les un une des du de et ou avec dans est sont j je nous pas pour sur que qui au aux ce cette ces se s l d n ne m t",
  "qu c ai a ont ete etait en par plus son sa ses mon ma mes notre nos leur leurs il elle ils elles nee tres aussi comme chez jamais",
  "el los las y con del al es yo no por para lo su sus mi mis he ha hemos fue era una unos unas que se muy tambien como mas",
  "desde hasta nunca sin sobre entre este esta estos me ella",
  "um uma os as o do da dos das no na nos nas em com e ou ao aos meu minha nao foi eu tambem muito mais sem nunca sua seu",
  "gli di che non sono het een van voor op te zijn ik wij niet met",
)

/** Stop words of other languages that carry meaning in English, as "woman" and "daughter" do. */
const meaningInEnglish = words("man son")

export const isStopWord = (folded: string, language: Language): boolean =>
  stopWords.has(folded) && !(language === "en" && meaningInEnglish.has(folded))

/** Words of advertisements and praise. Compared as stems. */
export const fillers = new Set([
  ...stems(
    "ability able advanced amazing applicant ask aspect awesome background basic best brilliant candidate capable",
    "capability career committed comfortable competence competent confident dedicated demonstrable demonstrate demonstrated",
    "desirable excellent exceptional experience experienced experiences expert expertise exposure extensive extraordinary",
    "familiar familiarity fantastic flawless genius good great greatest guru hands hard hardworking hands-on highly ideal",
    "ideally incredible interest job kind know knowledge legend legendary level listen look master mastery motivated ninja",
    "outstanding passion passionate perfect plus possess practical preferred preference prior professional proficiency",
    "proficient proven qualified qualification relevant required require requirement responsibility responsible role",
    "rockstar skill skilled skills skillful solid strong strength superb superior talent talented top unbeatable",
    "understand understanding unmatched unparalleled various wide work worked works world worldclass class working year",
    "years yrs month months minimum maximum everyone everything anything absolutely certainly definitely truly totally",
    "completely extremely fully deep deeply super simply comes come ever meet nobody born natural number thing things",
    "similar equivalent related field fields better least successful success track record position including etc",
    "current currently present company name city state summary profile objective dynamic oriented results driven person",
    "nice bonus valid possession hold degree degrees bachelor master doctorate phd msc bsc diploma licence license",
    "certificate certified certification completed science arts",
  ),
  ...stemsByLanguage({
    de: "erfahrung erfahrungen kenntnisse kenntnis gute sehr jahre jahr monate fundierte mindestens berufserfahrung abgeschlossene wuenschenswert idealerweise bereich taetigkeit arbeit arbeiten gearbeitet besten beste sicher umgang lang lange abschluss ausbildung studium hochschulabschluss hochschulstudium niveau fuehrerschein klasse",
    fr: "experience experiences connaissance connaissances bonne bonnes excellent excellente annees ans annee minimum moins maitrise travail travailler travaille poste souhaite meilleur meilleure cinq pendant",
    es: "experiencia experiencias conocimiento conocimientos buen buena excelente anos ano minimo menos trabajo trabajar trabajado puesto mejor nivel",
    pt: "experiencia experiencias conhecimento conhecimentos bom boa excelente anos ano minimo menos trabalho trabalhar trabalhei cargo melhor nivel",
  }),
])

/** Words of most jobs, which weigh less than others. Compared as stems. */
export const commonWords = new Set([
  ...stems(
    "application approach area business code company data deliver drive ensure environment engineer general high include",
    "issue large need new part people problem process product production project provide quality run software system task",
    "team technical technology time tool user service services group member members keep keeps meet own daily weekly",
    "monthly multiple variety complex effective efficient strong internal external cross functional activities activity",
    "standard standards procedure procedures policy policies requirements operations office department departments",
    "information program programs resource resources goal goals result results value key best practices practice ensure",
    "maintain manner timely basis perform performed performing contribute participate participated follow following small",
    "up-to-date based based participate different level needs opportunity opportunities order personal control equipment",
    "lead improve grow growth impact scale partner partners vision deadline deadlines detail details attention fast paced",
    "end line full life cycle set make industry industrial market organization organizational community public written",
    "verbal oral self starter flexible independent independently interpersonal relationship relationships site sites",
    "day days month week hour hours shift shifts place use check staff",
  ),
  ...stemsByLanguage({
    de: "team firma unternehmen projekt projekte aufgaben bereich abteilung betrieb qualitaet",
    fr: "equipe entreprise projet projets service societe qualite",
    es: "equipo empresa proyecto proyectos servicio calidad",
    pt: "equipe equipa empresa projeto projetos servico qualidade",
  }),
])

/** Words that show little experience. Compared folded. */
export const weakeners = words(
  "basic basics beginner beginners little course courses coursework hobby hobbies interest interests interested exposure",
  "familiar occasionally sometimes rudimentary introductory introduction workshop tutorial theory",
  "theoretical grundkenntnisse grundlagen notions bases basico basica nocoes nociones shadowed",
)

/** Words that qualify a statement. Compared folded. */
export const hedges = words(
  "mostly usually just whatever whoever maybe perhaps basically basic basics informal informally occasionally sometimes",
  "somewhat kinda sorta roughly guess rarely hoc lightweight lighter situational depends varies vary depending uneven",
  "generally tend tends hopefully eventually random quick quickly assumptions unless but still though although supposed",
  "rather less meistens manchmal vielleicht eigentlich ungefaehr gelegentlich eher irgendwie surtout parfois",
  "plutot seulement principalmente quizas talvez normalmente solo apenas",
)
/** Words that deny. Compared folded. */
export const negations = words(
  "not never nor don't didn't doesn't wasn't weren't isn't aren't hadn't haven't can't couldn't wouldn't",
  "nobody nothing nicht nie pas jamais nunca nao",
)

/** Qualities that every candidate claims. Compared as stems. */
export const softWords: ReadonlySet<string> = new Set([
  ...stems(
    "attention accuracy accurate adaptable adaptability analytical creative creativity critical thinking punctual reliable",
    "reliability motivation initiative integrity honest honesty multitask multitasking organizational prioritize priorities",
    "pressure stress positive attitude friendly empathy patience mindset responsibility interpersonal listening player teamwork communicate communication collaborate collaboration problem solving coordinate handle plan",
  ),
])
