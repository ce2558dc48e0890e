/** Finds what a sentence denies, wishes for, or says of another person, by word patterns in five languages. */
import type { Language } from "./Language.ts"
import { claimWords } from "./lexicon/claims.ts"
import { holdsAny, soonAfter, soonBefore } from "./Nearby.ts"
import { contentStem, type Word } from "./Text.ts"
import { words as wordSet } from "./WordLists.ts"

type Words = ReadonlyArray<Word>

const contrasts = wordSet(
  "but however although though whereas yet instead aber sondern jedoch doch dafuer mais cependant pourtant pero sino mas porem",
)
const subjects = wordSet("i we my our i'm i've we've ich wir je j nous yo eu nosotros mi mein meine")
const conjunctions = wordSet(
  "damit sodass dass weil wenn um obwohl waehrend though because so while et und y e and ce qui was which that",
)

const negators = wordSet(
  "not never nor neither hardly barely rarely seldom cannot can't don't doesn't didn't haven't hasn't hadn't isn't wasn't aren't weren't",
  "won't wouldn't nobody nicht nie niemals kaum selten pas jamais nunca jamas nao",
)
const absences = wordSet(
  "no without zero little lack lacks lacking lacked limited kein keine keinen keinem keiner keinerlei ohne aucun aucune sans",
  "ningun ninguna sin nenhum nenhuma sem",
)
const deeds = wordSet(
  "use used work worked know known tried touched learned learnt studied done built build written wrote write led lead managed",
  "manage deployed deploy comfortable confident heard involved proficient understand practised practiced seen experienced",
  "familiar speak have had hold own taught teach passed finished completed trained responsible drive been did do made",
  "gearbeitet benutzt verwendet gemacht genutzt installiert geleitet gelernt vertraut kenne kann spreche besitze studiert",
  "utilise travaille fait connais parle maitrise possede appris usado trabajado hecho conozco hablo manejado trabalhado",
  "feito conheco falo",
)
const knowledge = wordSet(
  "experience knowledge hands exposure familiarity expertise skill skills idea clue chance opportunity training licence license",
  "degree diploma certificate certification qualification background erfahrung erfahrungen kenntnisse kenntnis ahnung",
  "abschluss fuehrerschein ausbildung experience connaissance connaissances permis diplome experiencia conocimiento",
  "conocimientos carnet titulo experiencia conhecimento conhecimentos carta diploma",
)
const denials = wordSet("unfamiliar inexperienced unerfahren unlicensed")
const wishes = wordSet(
  "want wants like love hope hoping plan planning eager keen willing happy excited wish moechte wuerde will aimerais voudrais",
  "souhaite quiero quisiera gustaria quero gostaria",
)
const learning = wordSet(
  "learn learning try explore lernen kennenlernen einarbeiten apprendre decouvrir aprender conhecer become werden devenir",
)
const seeking = wordSet("seeking seek looking suche recherche busco procuro objective obtain")
const wanted = wordSet(
  "position role opportunity opportunities job career employment stelle poste emploi puesto empleo vaga emprego",
)
const things = wordSet("is are was were be been being got gets")
const ofThings = wordSet("isn't aren't wasn't weren't")
const afterNot = wordSet("only just merely nur seulement solo apenas so")
/** "I never missed a deadline" denies nothing. */
const failures = wordSet(
  "failed missed lost late stopped gave complained hesitated had forgot verpasst gefehlt manque perdido",
)
const auxiliaries = wordSet(
  "have had i i've we we've was am i'm do did could ich habe hatte bin kann wir ai suis j je he soy fui yo eu tenho",
)
const firstVerbs = wordSet(
  "he tengo conozco soy trabaje use hice hablo se estoy tuve hemos tenemos tenho conheco sei sou falo trabalhei usei fiz estou tive temos",
)
const own = wordSet("my our meine mein unser unsere mon ma notre nos mi mis nuestro minha meu nosso")
const kin = wordSet(
  "brother sister father mother husband wife son daughter uncle aunt friend friends cousin neighbour neighbor boss colleague",
  "colleagues supervisor manager predecessor roommate classmate classmates bruder schwester vater mutter mann frau sohn tochter freund kollege kollegen chef frere soeur pere",
  "mere ami collegue collegues kollegin kolleginnen tante onkel cousin cousine tante oncle primo prima tio tia hermano hermana padre madre amigo irmao irma pai mae colega colegas",
)
const outsiders = wordSet("another other others someone somebody external our")

/** A clause ends before a contrast, and after a pause before a new subject or conjunction. */
const clausesOf = (words: Words): ReadonlyArray<Words> => {
  const clauses: Array<Array<Word>> = [[]]
  for (const [index, word] of words.entries()) {
    const next = words[index + 1]
    const starts =
      subjects.has(word.folded) || (conjunctions.has(word.folded) && next !== undefined && subjects.has(next.folded))
    if (contrasts.has(word.folded) || (word.pause && (starts || conjunctions.has(word.folded)))) clauses.push([])
    clauses.at(-1)?.push(word)
  }
  return clauses
}

/** "The index was not used" denies nothing of the candidate. */
const isOfThing = (clause: Words, at: number): boolean => {
  const before = clause[at - 1]?.folded ?? ""
  const subject = clause[at - 2]?.folded ?? ""
  return ofThings.has(clause[at]?.folded ?? "") || (things.has(before) && !subjects.has(subject))
}

const speakers = wordSet("i we i'm i've we've ich wir je nous yo eu")
const intents = wordSet("want hope hoping wish plan planning intend intending aim aspire going about")
const aims = wordSet("to i a on")
const ownIntents = wordSet(
  "moechte hoffe beabsichtige souhaite espere aimerais voudrais quiero quisiera gustaria gostaria quero",
)
/** "I want to bring my ten years of nursing to your ward" is no wish. */
const brought = wordSet(
  "bring contribute continue keep share offer please mention add say stress einbringen einsetzen apporter continuer aportar continuar",
  "seguir contribuir trazer",
)
const used = wordSet("use apply put nutzen anwenden utiliser mettre usar aplicar")
const isBrought = (clause: Words, at: number, reach: number): boolean =>
  soonAfter(clause, at, reach, brought) ||
  (clause[at + 2]?.folded === "build" && clause[at + 3]?.folded === "on") ||
  (soonAfter(clause, at, reach, used) && (soonAfter(clause, at, reach + 2, own) || soonAfter(clause, at, 6, knowledge)))
const relatives = wordSet("that which as wie die das den que")
const tellsOfOwn = (clause: Words, at: number): boolean =>
  clause.some(({ folded }, index) => index > at && relatives.has(folded) && soonAfter(clause, index, 1, speakers))
const dreams = wordSet("is was would to of")
const gladly = wordSet("gern gerne")
const conditions = wordSet("if wenn falls")
const conditionals = wordSet("would i'd wuerde wuerden")

const isFuture = (clause: Words, at: number): boolean => {
  const next = clause[at + 1]?.folded ?? ""
  switch (clause[at]?.folded) {
    case "will":
      return soonBefore(clause, at, 1, speakers)
    case "werde":
    case "werden":
      return soonBefore(clause, at, 1, speakers) || soonAfter(clause, at, 1, speakers)
    case "vais":
    case "allons":
    case "vou":
      return /(?:[aei]r|re)$/.test(next)
    case "voy":
    case "vamos":
      return next === "a"
  }
  return false
}

/** "I plan to lead", "Next year I will run", "If I were hired, I would run". */
const isAhead = (clause: Words, at: number, sentence: Words): boolean => {
  const folded = clause[at]?.folded ?? ""
  if (ownIntents.has(folded)) return !isBrought(clause, at, clause.length)
  if (isBrought(clause, at, 3)) return false
  if (intents.has(folded)) return soonBefore(clause, at, 2, speakers) && soonAfter(clause, at, 1, aims)
  if (folded === "dream" && soonBefore(clause, at, 1, own) && soonAfter(clause, at, 1, dreams)) return true
  if (/^(?:wuerde|wuerden)$/.test(folded) && soonAfter(clause, at, 2, gladly)) return true
  if (tellsOfOwn(clause, at)) return false
  if (conditionals.has(folded)) return holdsAny(sentence, conditions) && soonBefore(clause, at, 1, speakers)
  return isFuture(clause, at)
}

const nothing = wordSet("none nil keine keiner aucun aucune ninguna ninguno nenhum nenhuma")
const knows = wordSet("know knew weiss")
/** "Accidents: none" denies nothing. */
const troubles = wordSet(
  "accidents points defects complaints incidents errors faults absences injuries unfaelle punkte fehler maengel",
)

const isNothing = (clause: Words, at: number): boolean => {
  const folded = clause[at]?.folded ?? ""
  if (/^(?:nothing|nichts)$/.test(folded)) return soonBefore(clause, at, 2, knows)
  if (!nothing.has(folded) || at === 0 || at < clause.length - 1) return false
  return (clause.length <= 3 || soonBefore(clause, at, at, knowledge)) && !soonBefore(clause, at, at, troubles)
}

const givenUp = wordSet(claimWords.givenUp)
const lost = wordSet(claimWords.lost)
const regained = wordSet(claimWords.back)
const papers = wordSet(claimWords.papers)
const exams = wordSet(claimWords.exams)
const passed = wordSet(claimWords.passed)
const nevers = wordSet("never not didn't haven't without nie nicht jamais pas nunca nao")

/** "I lost my driving licence", "My licence was taken away", unless it was regained; "I failed the exam", "failed to". */
const isAbandoned = (clause: Words, at: number, sentence: Words): boolean => {
  const folded = clause[at]?.folded ?? ""
  if (soonBefore(clause, at, 2, nevers)) return false
  if (/^(?:failed|fail|flunked)$/.test(folded)) {
    if (clause[at + 1]?.folded === "to") return soonBefore(clause, at, 1, speakers)
    const isOwn = at === 0 || soonBefore(clause, at, 2, speakers)
    return isOwn && soonAfter(clause, at, 6, exams) && !holdsAny(sentence, passed)
  }
  const isGone = lost.has(folded) || (givenUp.has(folded) && soonBefore(clause, at, 6, own))
  const isPaper = soonBefore(clause, at, 6, papers) || soonAfter(clause, at, 5, papers)
  return isGone && isPaper && !holdsAny(sentence, regained)
}

const heard = wordSet("read heard watched gelesen gehoert lu entendu")
const ofWhat = wordSet("about of ueber von sur parler")
const thatWords = wordSet("that dass que")

/** "I have only read about it". */
const isHearsay = (clause: Words, at: number): boolean =>
  (/^(?:only|merely|nur|seulement)$/.test(clause[at]?.folded ?? "") &&
    soonAfter(clause, at, 2, heard) &&
    soonAfter(clause, at, 3, ofWhat)) ||
  (heard.has(clause[at]?.folded ?? "") && soonBefore(clause, at, 2, speakers) && soonAfter(clause, at, 1, thatWords))

const impossible = wordSet("could couldn't would wouldn't")
const without = wordSet("without ohne sans")

const isDoubled = (clause: Words): boolean =>
  clause.some(
    ({ folded }, at) =>
      negators.has(folded) &&
      soonAfter(clause, at, 10, without) &&
      (impossible.has(folded) || soonBefore(clause, at, 1, impossible)),
  )

const contracted = wordSet("haven't can't cannot don't")

const isNegated = (clause: Words, at: number): boolean => {
  const folded = clause[at]?.folded ?? ""
  if (!negators.has(folded) || isOfThing(clause, at) || soonAfter(clause, at, 1, afterNot)) return false
  if (soonAfter(clause, at, 1, failures) && !soonAfter(clause, at, 3, knowledge)) return false
  if (soonAfter(clause, at, 4, deeds) || soonAfter(clause, at, 5, knowledge)) return true
  if (contracted.has(folded) && soonBefore(clause, at, 1, subjects)) return true
  if (/^(?:nunca|jamas|nao|no)$/.test(folded)) return soonAfter(clause, at, 1, firstVerbs)
  if (/^(?:nicht|nie|niemals)$/.test(folded))
    return soonBefore(clause, at, 8, subjects) || soonAfter(clause, at, 3, subjects)
  if (/^(?:pas|jamais)$/.test(folded)) return soonBefore(clause, at, 4, subjects)
  return soonBefore(clause, at, 2, auxiliaries) && soonBefore(clause, at, 3, subjects)
}

const isDenied = (clause: Words, sentence: Words): boolean =>
  !isDoubled(clause) &&
  clause.some(
    ({ folded }, at) =>
      denials.has(folded) ||
      isAhead(clause, at, sentence) ||
      isNothing(clause, at) ||
      isAbandoned(clause, at, sentence) ||
      isHearsay(clause, at) ||
      (folded === "isn't" && clause[at + 1]?.folded === "something" && soonAfter(clause, at, 3, subjects)) ||
      isNegated(clause, at) ||
      (folded === "no" && soonAfter(clause, at, 1, firstVerbs)) ||
      (absences.has(folded) && soonAfter(clause, at, 5, knowledge)) ||
      (wishes.has(folded) && soonAfter(clause, at, 3, learning)) ||
      (seeking.has(folded) && soonAfter(clause, at, 6, wanted)) ||
      (folded === "new" && soonAfter(clause, at, 1, new Set(["to"]))) ||
      (folded === "yet" && soonAfter(clause, at, 1, new Set(["to"]))),
  )

const mine = wordSet("my mein meine meinen mon ma mes mi mis minha meu")
const toMe = wordSet("me us i mich mir uns ich nous moi nos mim")

const isOfOthers = (clause: Words): boolean => {
  const [first, second, third] = clause
  if (own.has(first?.folded ?? "") && kin.has(second?.folded ?? "") && third?.folded !== "and")
    return !clause.some(({ folded }, at) => toMe.has(folded) || (at > 1 && mine.has(folded)))
  if (clause.some(({ folded }) => folded === "i" || folded === "ich")) return false
  if (clause.some(({ folded }, at) => anyone.has(folded) && soonAfter(clause, at, 1, described))) return true
  return clause.some(
    ({ folded }, at) => folded === "by" && soonBefore(clause, at, 2, passives) && soonAfter(clause, at, 1, outsiders),
  )
}

const anyone = wordSet("somebody someone anybody anyone jemand jemanden alguien alguem")
const described = wordSet("with who else mit der die que con com qui avec")

const addressed = wordSet(claimWords.addressed)
const politeVerbs = wordSet(claimWords.politeVerbs)
const first = wordSet("i i'm i've me my we our us ich mir mich mein meine wir je j me mon ma yo mi eu meu minha")

/** In a CV, "You will run payroll" is the text of an advertisement. */
const isAddressed = (clause: Words): boolean =>
  (holdsAny(clause.slice(0, 3), addressed) || (clause[0]?.raw === "Sie" && politeVerbs.has(clause[1]?.folded ?? ""))) &&
  !holdsAny(clause, first)

const passives = wordSet("handled done made performed managed prepared run carried taken written")

const beginnings =
  /\b(?:at first|initially|in the beginning|at the (?:start|beginning)|(?:when|before) i (?:started|joined|began)|anfangs|zuerst|am anfang|zu beginn|au d(?:e|é)but|al principio|no (?:inicio|comeco))\b/

/** "At first I had no experience" denies nothing that follows. */
const isOfBeginning = (clause: Words): boolean => beginnings.test(clause.map(({ folded }) => folded).join(" "))

/**
 * Returns the words of the clauses that deny nothing. A denial that does not name what it denies ("as for Kafka, I have
 * never used it") denies the whole sentence.
 */
export const affirmedWords = (words: Words, language: Language, isOfCv: boolean): Words => {
  const clauses = clausesOf(words)
  const denied = clauses.filter(
    (clause) => isDenied(clause, words) || isOfOthers(clause) || (isOfCv && isAddressed(clause)),
  )
  if (denied.length === 0) return words
  const namesSubject = (clause: Words) =>
    clause.some(
      (word) => !deeds.has(word.folded) && !knowledge.has(word.folded) && contentStem(word, language) !== null,
    )
  return denied.every((clause) => namesSubject(clause) || isOfBeginning(clause))
    ? clauses.filter((clause) => !denied.includes(clause)).flat()
    : []
}
