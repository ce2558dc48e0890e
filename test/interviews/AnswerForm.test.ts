import { assert, describe, it } from "@effect/vitest"
import { type ByteSize, Schema } from "effect"
import { questionTypeIds } from "../../src/interview-sets/InterviewSet.ts"
import { decodeAnswers, maxText, textLimit } from "../../src/interviews/AnswerForm.ts"
import { option, question, questionId } from "./interviewView.ts"

const questions = [
  question(1, { cfg_question_type_id: questionTypeIds.radio, options: [option(1), option("b")] }),
  question(2, { cfg_question_type_id: questionTypeIds.checkbox, options: [option("b"), option("c"), option(7)] }),
  question(3),
  question(4, { cfg_question_type_id: questionTypeIds.file }),
  question(5, { cfg_question_type_id: questionTypeIds.checkbox }),
]

const Field = Schema.Tuple([
  Schema.Union([
    Schema.Literals(
      [1, 2, 3, 4, 5, 6].flatMap((n) => [`option.${questionId(n)}` as const, `answer.${questionId(n)}` as const]),
    ),
    Schema.String,
  ]),
  Schema.Union([Schema.Literals(["1", "b", "c", "7", ""]), Schema.String]),
])

describe("decodeAnswers", () => {
  it.prop("ignores unknown questions and options", [Schema.Array(Field)], ([fields]) => {
    const answers = decodeAnswers(questions, fields)
    assert.strictEqual(new Set(answers.map(({ question_id }) => question_id)).size, answers.length)
    for (const { content, option_ids, question_id } of answers) {
      const asked = questions.find(({ id }) => id === question_id)
      assert.isDefined(asked)
      const offered = asked?.options.map(({ id }) => String(id)) ?? []
      assert.isTrue(option_ids.every((id) => offered.includes(id)))
      assert.strictEqual(new Set(option_ids).size, option_ids.length)
      if (asked?.cfg_question_type_id === questionTypeIds.radio) assert.isAtMost(option_ids.length, 1)
      if (offered.length > 0) assert.isNull(content)
    }
  })

  const decode = (...fields: ReadonlyArray<readonly [string, string]>) => decodeAnswers(questions, fields)
  const [radio, checkbox, text] = [`option.${questionId(1)}`, `option.${questionId(2)}`, `answer.${questionId(3)}`]

  it("keeps the first choice of a radio and all of a checkbox; compares ids as text", () => {
    assert.deepStrictEqual(decode([radio, ""], [radio, "1"], [radio, "b"], [checkbox, "7"], [checkbox, "b"]), [
      { question_id: questionId(1), content: null, option_ids: ["1"] },
      { question_id: questionId(2), content: null, option_ids: ["7", "b"] },
    ])
  })

  it("decodes a cleared choice as an empty answer and omits questions that are not in the form", () => {
    assert.deepStrictEqual(decode([checkbox, ""]), [{ question_id: questionId(2), content: null, option_ids: [] }])
  })

  it("keeps spaces and line ends of a text, removes NUL, and cuts nothing", () => {
    const content = (value: string) => decode([text, value])[0]?.content
    assert.strictEqual(content(" a\r\nb\0 "), " a\nb ")
    assert.isNull(content(" \r\n "))
    assert.strictEqual(content("é".repeat(maxText + 1)), "é".repeat(maxText + 1))
    assert.strictEqual(content("a\ud83d"), "a\ufffd", "lone surrogates are replaced")
  })

  it("ignores fields of file questions", () => {
    assert.deepStrictEqual(decode([`answer.${questionId(4)}`, "x"], [`file.${questionId(4)}`, "x"]), [])
  })

  it("limits texts so that any script fits into the request's body", () => {
    for (const maxBody of [8_192n, 65_536n, 2n * 1024n * 1024n]) {
      const limit = textLimit(maxBody as ByteSize.ByteSize)
      for (const letter of ["a", "é", "字", "\u0800"]) {
        const form = new URLSearchParams({
          [text]: letter.repeat(limit),
          question: questionId(3),
          attempt: "1",
          go: "stay",
        })
        assert.isAtMost(String(form).length, Number(maxBody))
      }
    }
    assert.strictEqual(textLimit((2n * 1024n * 1024n) as ByteSize.ByteSize), maxText)
  })
})
