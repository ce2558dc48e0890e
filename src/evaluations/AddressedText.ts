/** Finds sentences that address the evaluator in common wordings, such as "ignore previous instructions". */
import { sentencesOf, type Word, wordsOf } from "./keyword/Text.ts"

const isSoonAfter = (words: ReadonlyArray<Word>, at: number, reach: number, set: ReadonlySet<string>): boolean => {
  for (let next = at + 1; next <= at + reach && next < words.length; next += 1) {
    if (set.has(words[next]?.folded ?? "")) return true
  }
  return false
}

const overrides = new Set(["ignore", "disregard", "forget", "override", "bypass"])
const orderWords = new Set(["instruction", "instructions", "prompt", "prompts", "rules", "rule", "criteria", "above"])
const awards = new Set(["give", "rate", "score", "grade", "award", "assign", "mark", "evaluate", "grant"])
const receivers = new Set(["me", "myself", "candidate", "applicant"])
const marks = new Set(["10", "ten", "100", "full", "maximum", "max", "highest", "top", "perfect", "points", "marks"])

const isAddressed = (words: ReadonlyArray<Word>): boolean =>
  words.some(
    ({ folded }, at) =>
      (overrides.has(folded) && isSoonAfter(words, at, 6, orderWords)) ||
      (awards.has(folded) && isSoonAfter(words, at, 3, receivers) && isSoonAfter(words, at, 12, marks)) ||
      (folded === "system" && isSoonAfter(words, at, 1, orderWords)),
  )

const orders = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your)\b.{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|directions?)\b/iu,
  /(?:^|\b(?:please|must|should|shall|always|now|you)\s+)(?:assign|give|rate|score|grade|mark|output|return|set|respond|answer|choose)\b.{0,80}\b(?:full|strong|maximum|max|highest|top|perfect|10)\b.{0,60}\b(?:levels?|scores?|ratings?|marks?|points?|requirements?|criteri(?:a|on))\b/iu,
  /\bignorier\w*.{0,60}(?:anweisung|anleitung|vorgabe|regel)/iu,
  /\b(?:ignore[zr]?|oublie[zr]?)\b.{0,60}(?:instructions|consignes|règles)/iu,
  /\b(?:ignora|ignore|olvida|olvide)\w*.{0,60}(?:instrucciones|indicaciones|reglas)/iu,
  /\b(?:ignor[ae]|desconsidere|esqueça)\w*.{0,60}(?:instruções|regras|orientações)/iu,
  /bỏ qua.{0,60}(?:hướng dẫn|chỉ dẫn|quy tắc|chỉ thị)/iu,
  // instructions to give a rating
  /^(?:bitte )?(?:bewerten?|vergib|vergeben|gib|geben|setzen?)\b(?=.*\b(?:voll|höchste|maximale?|beste)[nrs]?\b)(?=.*(?:stufe|note\b|punkt|bewertung|anforderung|kriteri|bewerber|kandidat))/iu,
  /^(?:(?:merci|prière) (?:de |d['’])|veuillez )?(?:donne[rz]|attribue[rz]|mette[rz]|notez|évaluez)(?!\p{L})(?=.*(?:maximal|maximum|la plus haute|parfait))(?=.*(?:note(?!\p{L})|niveau|score|points|critère|exigence|candidat))/iu,
  /^(?:por favor,? )?(?:da|dé|asigne|otorgue|califique|evalúe|puntúe|asigna|otorga|califica|evalúa|puntúa|dê|atribua|avalie|conceda|classifique)(?!\p{L})(?=.*(?:máxim[ao]|m[aá]s alt[ao]|perfect[ao]|perfeit[ao]))(?=.*(?:nota(?!\p{L})|puntuación|pontuação|nivel|nível|requisito|candidat))/iu,
  // notes addressed to the model
  /\b(?:note|message|instructions?|attention|notice),?\s+(?:to|for)\s+(?:(?:the|any|all|this|every|whichever)\s+)?(?:ai|llm|gpt|chatgpt|language model|model|evaluator|grader|assistant)s?\b(?:\s+(?:screener|reviewer|reader|evaluator|grader|system|tool|bot|model)s?)?\s*(?:[:,.!–—]|-\s)/iu,
  /\b(?:attention|dear|hello|hi|hey),?\s+(?:ai|llm|gpt|chatgpt|language model|evaluator|grader|assistant)s?\b(?:\s+(?:screener|reviewer|reader|evaluator|grader|system|tool|bot|model)s?)?\s*(?:[:,.!–—]|-\s)/iu,
  /^(?:the\s+)?(?:ai|llm|gpt|chatgpt|(?:language )?model)\s*(?:screener|reviewer|reader|evaluator|grader|model)?\s*[:,]\s*(?:please|treat|rate|give|mark|consider|score|assign|choose|skip|(?:this|the) (?:candidate|applicant))\b/iu,
  /^to (?:the|any|whichever|every) (?:ai|llm|(?:language )?model|evaluator|grader|assistant)\b.{0,30}\b(?:reading|evaluating|grading|scoring|screening|rating|processing|reviewing|that \w+|who \w+) (?:this|these|my|it)\b/iu,
  /\b(?:ai|llm|model)\b (?:that|which|who) (?:reads?|evaluates?|grades?|scores?|screens?|rates?|reviews?) (?:this|my) (?:text|cv|résumé|resume|application|answers?|interview|submission)\b/iu,
  /\b(?:hinweis|anmerkung|nachricht|notiz|anweisung|achtung),?\s+(?:an|für)\s+(?:(?:die|das|den|alle|jede[ns]?)\s+)?(?:ki|ai|llm|sprachmodelle?|modelle?|bewerter|assistenten?)(?:-(?:systeme?|modelle?|bewerter|prüfer|assistenten?|screener))?\s*(?:[:,.!–—]|-\s)/iu,
  /\b(?:achtung|liebe[rs]?|hallo),?\s+(?:ki|ai|llm|sprachmodell)\s*(?:[:,!–—]|-\s)/iu,
  /^an (?:die|das|den|jede[ns]?) (?:ki|ai|llm|sprachmodell|modell),? (?:die|das|der|welche[rs]?) .{0,40}\b(?:liest|bewertet|prüft)\b/iu,
  /\b(?:note|message|remarque|consigne|attention)\s+(?:à|au|aux|pour)\s+(?:(?:l['’]|le |les |la |toute? )\s*)?(?:ia|ai|llm|modèles?|évaluateurs?|assistants?)(?!\p{L})(?: ia| qui [^:,]{1,30})?\s*(?:[:,!–—]|-\s)/iu,
  /\b(?:cher|chère|bonjour|attention),?\s+(?:l['’])?(?:ia|llm|modèle)\s*(?:[:,!–—]|-\s)/iu,
  /^(?:à|au|aux) (?:l['’]\s*)?(?:ia|llm|modèles?)(?!\p{L}).{0,40}(?<!\p{L})(?:li(?:t|sez|sent)|évalue\p{L}*|note\p{L}*)(?!\p{L})/iu,
  /\b(?:nota|mensaje|mensagem|aviso|atención|atenção|instrucci[oó]n(?:es)?|instruç(?:ão|ões))\s+(?:a|al|à|ao|para)\s+(?:(?:la|el|los|las|o|a|os|as)\s+)?(?:ia|ai|llm|modelos?|evaluador|avaliador|asistente|assistente)(?!\p{L})(?: (?:de (?:la |el )?)?(?:ia|idioma|lenguaje|linguagem))?\s*(?:[:,.!–—]|-\s)/iu,
  /^(?:al?|à|ao) (?:(?:la|el) )?(?:ia|llm|modelo) que (?:lee|lea|lê|leia|evalúa|evalúe|avalia|avalie)(?!\p{L})/iu,
  /\b(?:the|any|every|dear) (?:evaluator|grader|screener|scoring system|language model) (?:must|should|shall|has to|needs to|will) (?:conclude|accept|assume|treat|consider|acknowledge|credit|award)\b/iu,
  /\brate (?:me |this |my \w{1,20} )?accordingly\b/iu,
  // claims to be the hiring manager
  /\b(?:as (?:(?:the|your) )?|i, the )(?:hiring|recruiting|hr|talent) (?:manager|lead|director)\b,? (?:(?:i|we) )?(?:hereby )?(?:confirm|certify|approve|instruct|verify|attest)\b/iu,
  /\bals (?:\p{L}+ )?(?:personalleiter|personalchef|einstellungsleiter|recruiting-leiter)(?:in)?,? (?:bestätige|bestätigen|versichere|genehmige) (?:ich|wir)\b/iu,
  /\ben tant que (?:drh|(?:responsable|directeur|directrice|chargée?|chef) (?:du|de) recrutement),? (?:j['’]attest|(?:je|nous) (?:confirm|certifi|valid|attest))(?:e|ons)(?!\p{L})/iu,
  /\bcomo (?:responsable|responsável|gerente|gestora?|directora?|diretora?|jef[ea]) (?:de|da|do|del) (?:contratación|selección|personal|recursos humanos|contratação|recrutamento|seleção),? (?:yo |eu )?(?:confirmo|certifico|apruebo|aprovo|atesto)(?!\p{L})/iu,
  // "you are an AI"
  /\byou are (?:now |no longer )?(?:an?|the) (?:(?:ai|llm|language model|evaluator|grader|(?:helpful |ai )?assistant)\b(?! (?:engineer|developer|researcher|expert|specialist|company|team|lab|student|trainer|consultant|manager))|hiring\b)/iu,
  /\bas an? (?:ai|llm|(?:large )?language model)\b(?: \w+)?,? (?:you|your|please)\b/iu,
  /\b(?:wenn|falls) (?:du|sie) (?:eine? |das )?(?:ki|llm|sprachmodell)\b.{0,20}(?:bist|sind)\b/iu,
  /\bsi (?:vous êtes|tu es|eres|usted es) (?:une? |una )?(?:ia|llm|modèle|modelo)(?!\p{L})/iu,
  /\bse (?:você é|és|for) (?:uma? )?(?:ia|llm|modelo)(?!\p{L})/iu,
  /<\/?(?:system|assistant|user|instructions?)\b[^>]{0,80}>|<\|[^|\s]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/iu,
  /^\s*(?:#{1,6}\s*)?(?:assistant|(?:system|developer) (?:prompt|message|instructions?))\s*:/iu,
  /["“](?:level|requirement|ratings)["”]\s*:/iu,
  /(?<!\p{L})r\d{1,3}\s*[:=]\s*["“]?(?:none|weak|partial|strong|full)(?!\p{L})/iu,
  /(?<!\p{L})(?:(?:use|enter|write|return|put|output)\b.{0,30}["“]?(?:full|strong)["”]?\s+(?:everywhere|for (?:all|each|every))|(?:ü|ue)berall\s+["„]?(?:full|voll))(?!\p{L})/iu,
  /\brequirements?\b.{0,60}\blevel\s*[:=]?\s*["“]?(?:full|strong)(?!\p{L})/iu,
  /\b(?:BEGIN|END) CANDIDATE TEXT\b/u,
]

const lookalikes = new Map(
  "аa еe іi јj оo рp сc уy хx ѕs һh ԁd ԛq ԝw ӏl вb кk мm нh тt αa εe ιi κk νv οo ρp τt υu χx"
    .split(" ")
    .map(([letter = "", latin = ""]) => [letter, latin] as const),
)

/** True if the sentence addresses the evaluator instead of describing the candidate. */
export const isOrder = (sentence: string): boolean => {
  // lookalike letters and invisible characters hide words from patterns, not from a model
  const plain = sentence
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => lookalikes.get(letter.toLowerCase()) ?? letter)
    .replaceAll(/\s+/g, " ")
    .trim()
  return isAddressed(wordsOf(plain)) || orders.some((order) => order.test(plain))
}

export interface Pieces {
  readonly said: ReadonlyArray<string>
  readonly addressed: ReadonlyArray<string>
}

/** Splits a text at the sentences that address the evaluator. `said`, the rest, has one piece more than `addressed`. */
export const piecesOf = (text: string): Pieces => {
  const said: Array<string> = []
  const addressed: Array<string> = []
  let from = 0
  let at = 0
  for (const sentence of sentencesOf(text)) {
    const start = text.indexOf(sentence, at)
    at = start + sentence.length
    if (!isOrder(sentence)) continue
    said.push(text.slice(from, start))
    addressed.push(sentence)
    from = at
  }
  return { said: [...said, text.slice(from)], addressed }
}
