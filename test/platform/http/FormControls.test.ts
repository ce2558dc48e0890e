import { assert, describe, it } from "@effect/vitest"
import { compactField, errorSummary, field, fieldErrors } from "../../../src/platform/http/FormControls.ts"

const labels = { email: "The address", name: "The name" }
const error = (pointer: string, message: string) => ({ pointer, message, code: "too_long" as const })

describe("fieldErrors", () => {
  it("keeps the first error of each field, in the form's order", () => {
    const errors = fieldErrors(
      [
        error("/name", "is too long"),
        error("/email", "is not an address"),
        error("/name", "is empty"),
        error("/other", "must not be set"),
      ],
      labels,
    )
    assert.deepStrictEqual(Object.entries(errors), [
      ["", "It must not be set."],
      ["email", "The address is not an address."],
      ["name", "The name is too long."],
    ])
  })
})

describe("errorSummary", () => {
  it("links to each field and takes the focus", () => {
    const errors = { "": "It is full.", email: "The address <is> wrong.", "c.0.name": "" }
    const text = String(errorSummary(errors, "Not saved."))
    assert.include(text, '<div class="alert" role="alert" id="error" tabindex="-1" autofocus>')
    assert.include(text, "<strong>Not saved.</strong> It is full.")
    assert.include(text, '<a href="#email">The address &lt;is&gt; wrong.</a>')
    assert.include(text, '<a href="#c.0.name">Check the marked fields.</a>')
    assert.include(String(field({ name: "email", label: "Email", errors })), 'id="email"')
    assert.include(String(compactField({ name: "c.0.name", label: "Name", value: "", errors })), 'id="c.0.name"')
  })

  it("is absent without errors", () => {
    assert.isNull(errorSummary({}, "Not saved."))
  })
})
