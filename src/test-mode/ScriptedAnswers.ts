/** Answers of the scripted candidate of test mode: what is written, chosen and uploaded, by how good the answers are. */
import { crc32 } from "node:zlib"
import { type Language as ReadLanguage, readLanguages } from "../evaluations/keyword/Language.ts"
import { askedOrder, type InterviewSet, type Question, type Requirement } from "../interview-sets/InterviewSet.ts"
import { rulesOf, spokenKinds } from "../interview-sets/QuestionRules.ts"
import { fieldType } from "../interviews/AnswerForm.ts"
import type { AnswerRow } from "../interviews/AnswerRepository.ts"
import type { AnswerQuality } from "./TestMode.ts"

export interface ScriptedFile {
  readonly question: Question
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ScriptedAnswers {
  readonly rows: ReadonlyArray<AnswerRow>
  /** Spoken answers, to questions that do not offer typing. */
  readonly spoken: ReadonlyArray<{ readonly question: Question; readonly text: string }>
  readonly files: ReadonlyArray<ScriptedFile>
}

/** In code points, of a requirement's name in a sentence. */
const maxName = 200

/** Sentences of one answer, so that a set with many requirements gets no answer beyond the limit. */
const maxSentences = 20

const nameOf = ({ content, title }: Requirement): string =>
  [...(title?.trim() || content?.trim() || "this work").replaceAll(/\s+/g, " ")].slice(0, maxName).join("")

/** What the candidate writes of a requirement's name, or of none. */
interface Wording {
  readonly good: (name: string) => string
  readonly medium: (name: string) => string
  readonly poor: string
}

/** In the languages that the keyword evaluator reads. */
const wordings: Readonly<Record<ReadLanguage, Wording>> = {
  en: {
    good: (name) =>
      `For the last eight years I have worked with ${name} every day: ${name} was the main part of my job, and I was responsible for it from the plan to the result.`,
    medium: (name) => `I used ${name} in two smaller projects last year.`,
    poor: "I have not done this so far, and I would have to learn it. I cannot give an example from my work, but I am curious.",
  },
  de: {
    good: (name) =>
      `In den letzten acht Jahren habe ich jeden Tag mit ${name} gearbeitet: ${name} war der Hauptteil meiner Arbeit, und ich war dafür vom Plan bis zum Ergebnis verantwortlich.`,
    medium: (name) => `Ich habe ${name} im letzten Jahr in zwei kleineren Projekten benutzt.`,
    poor: "Das habe ich bisher nicht gemacht, und ich müsste es lernen. Ein Beispiel aus meiner Arbeit kann ich nicht nennen, aber ich bin neugierig.",
  },
  fr: {
    good: (name) =>
      `Ces huit dernières années, j’ai travaillé tous les jours avec ${name} : ${name} était la partie principale de mon travail, et j’en étais responsable du plan jusqu’au résultat.`,
    medium: (name) => `J’ai utilisé ${name} dans deux petits projets l’année dernière.`,
    poor: "Je n’ai pas encore fait cela, et je devrais l’apprendre. Je ne peux pas donner d’exemple de mon travail, mais cela m’intéresse.",
  },
  es: {
    good: (name) =>
      `En los últimos ocho años he trabajado todos los días con ${name}: ${name} era la parte principal de mi trabajo, y yo era responsable desde el plan hasta el resultado.`,
    medium: (name) => `El año pasado usé ${name} en dos proyectos pequeños.`,
    poor: "Hasta ahora no he hecho esto, y tendría que aprenderlo. No puedo dar un ejemplo de mi trabajo, pero me interesa.",
  },
  pt: {
    good: (name) =>
      `Nos últimos oito anos trabalhei todos os dias com ${name}: ${name} era a parte principal do meu trabalho, e eu era responsável por tudo, do plano ao resultado.`,
    medium: (name) => `No ano passado usei ${name} em dois projetos pequenos.`,
    poor: "Até agora não fiz isso, e teria de aprender. Não posso dar um exemplo do meu trabalho, mas tenho interesse.",
  },
}

/** The first of the set's languages, BCP 47; English if the scripted candidate does not write it. */
export const answerLanguage = (languages: ReadonlyArray<string>): ReadLanguage => {
  const first = languages[0]?.split("-")[0]?.toLowerCase()
  return readLanguages.find((language) => language === first) ?? "en"
}

const written = (requirements: ReadonlyArray<Requirement>, quality: AnswerQuality, wording: Wording): string => {
  const { poor } = wording
  const sentence = quality === "good" ? wording.good : wording.medium
  const named = requirements.slice(0, maxSentences).map((requirement) => sentence(nameOf(requirement)))
  return quality === "poor" || named.length === 0 ? poor : named.join(" ")
}

/** Each requirement is named in one answer at least. */
const shareOf = (requirements: ReadonlyArray<Requirement>, index: number, count: number) =>
  requirements.length <= count
    ? requirements.filter((_, i) => i === index % requirements.length)
    : requirements.filter((_, i) => i % count === index)

const chosen = (question: Question, quality: AnswerQuality): ReadonlyArray<string> => {
  const ids = question.options.map(({ id }) => String(id))
  const knockOut = new Set(rulesOf(question).knockOut)
  const allowed = ids.filter((id) => !knockOut.has(id))
  const refused = ids.filter((id) => knockOut.has(id))
  const best = quality === "poor" ? [...refused, ...allowed.toReversed()] : [...allowed, ...refused]
  const isSeveral = fieldType(question) === "checkbox"
  return isSeveral && quality === "good" && allowed.length > 0 ? allowed : best.slice(0, 1)
}

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** One transparent point. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** An OpenDocument presentation with nothing but its type: a zip archive (APPNOTE.TXT, 4.3) of one stored file. */
const presentation = (): Uint8Array => {
  const name = Buffer.from("mimetype")
  const content = Buffer.from("application/vnd.oasis.opendocument.presentation")
  // version, flags, method, time, day, CRC, both sizes, length of the name, length of the extra field
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x21, 8)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(content.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(name.length, 22)
  const file = Buffer.concat([Buffer.from("PK\u0003\u0004"), facts, name, content])
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), facts, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006")
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(file.length, 16)
  return new Uint8Array(Buffer.concat([file, entry, end]))
}

/** A file of the first kind that the question allows. */
const fileOf = ({ allowed_file_types }: Question): Omit<ScriptedFile, "question"> => {
  const [kind = "pdf"] = allowed_file_types ?? []
  const text = (name: string, content: string) => ({ name, bytes: new TextEncoder().encode(content) })
  switch (kind) {
    case "word":
      return text("answer.rtf", "{\\rtf1\\ansi A file of the scripted candidate.}")
    case "spreadsheet":
      return text("answer.csv", "Answer\r\nA file of the scripted candidate\r\n")
    case "presentation":
      return { name: "answer.odp", bytes: presentation() }
    case "image":
      return { name: "answer.png", bytes: new Uint8Array(Buffer.from(picture, "base64")) }
    case "text":
      return text("answer.txt", "A file of the scripted candidate.\n")
    default:
      return text("answer.pdf", pdf)
  }
}

/** `mayType`: typing was granted for questions that are answered by speaking only. `language`: of the answers. */
export const scriptedAnswers = (
  { iai_questions, iai_requirements }: Pick<InterviewSet, "iai_questions" | "iai_requirements">,
  quality: AnswerQuality,
  { language, mayType }: { readonly language: ReadLanguage; readonly mayType: boolean },
): ScriptedAnswers => {
  const asked = askedOrder(iai_questions)
  const texts = asked.filter((question) => fieldType(question) === "text")
  const requirements = quality === "medium" ? iai_requirements.filter((_, i) => i % 2 === 0) : iai_requirements
  const textOf = (question: Question) => {
    const index = texts.indexOf(question)
    return written(shareOf(requirements, index, texts.length), quality, wordings[language])
  }
  const isSpoken = (question: Question) => !mayType && rulesOf(question).isSpeakingOnly
  return {
    rows: asked.flatMap((question): ReadonlyArray<AnswerRow> => {
      const { id: question_id } = question
      switch (fieldType(question)) {
        case "text":
          return isSpoken(question) ? [] : [{ question_id, content: textOf(question), option_ids: [] }]
        case "checkbox":
        case "radio":
          return [{ question_id, content: null, option_ids: [...chosen(question, quality)] }]
        default:
          return []
      }
    }),
    spoken: texts.filter(isSpoken).flatMap((question) =>
      // the sound of the scripted candidate has no picture
      spokenKinds(rulesOf(question)).includes("audio") ? [{ question, text: textOf(question) }] : [],
    ),
    files: asked.flatMap((question) => (fieldType(question) === "file" ? [{ question, ...fileOf(question) }] : [])),
  }
}
