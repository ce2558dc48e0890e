/**
 * The page of a submission: shortcuts of one key (docs/workspace.md). They are off in text fields and with modifier keys, and
 * the member can turn them off (WCAG 2.1.4); the browser stores that.
 */
import { areShortcutsOn, storeShortcuts } from "../shortcuts.js"
import { criteria } from "./marks.js"

const keysDialog = document.getElementById("shortcuts")
const keysButton = document.getElementById("show-shortcuts")
const keysChoice = keysDialog.querySelector("[type=checkbox]")
const review = document.getElementById("review-form")
const decide = document.querySelector(".decide")
const reason = document.getElementById("decision-reason")
const hint = document.getElementById("decision-hint")

let isOn = areShortcutsOn()
keysChoice.checked = isOn
keysChoice.addEventListener("change", () => {
  isOn = keysChoice.checked
  storeShortcuts(isOn)
})
// the page of an erased person's submission has no form of a review, and so no button
if (keysButton !== null) {
  keysButton.hidden = false
  keysButton.addEventListener("click", () => keysDialog.showModal())
}

const follow = (rel) => document.querySelector(`.around a[rel=${rel}]`)?.click()

/** The requirement with the focus, else the first without a rating. */
const currentRequirement = () =>
  criteria.find((one) => one.contains(document.activeElement)) ??
  criteria.find((one) => one.querySelector(".rate [value='']:checked") !== null) ??
  criteria[0]

/** Where there is nothing to review yet, the review is folded. */
const openReview = (part) => {
  const fold = part?.closest(".rate-anyway")
  if (fold) fold.open = true
}

const writeNote = () => {
  const note = document.getElementById("note")
  openReview(note)
  note?.focus()
}

const rate = (value) => {
  const current = currentRequirement()
  const radio = current?.querySelector(`.rate [value="${value}"]`)
  if (radio == null) return
  openReview(current)
  radio.checked = true
  radio.dispatchEvent(new Event("input", { bubbles: true }))
  const next = criteria[criteria.indexOf(current) + 1]
  const target = next?.querySelector(".rate :checked") ?? radio
  target.focus()
  ;(next ?? current).scrollIntoView({ block: "nearest" })
}

let chosen

/** A decision needs a second key: the reason gets the focus, and Ctrl+Enter decides. */
const choose = (value) => {
  if (decide === null) return
  chosen = decide.querySelector(`[name=decision][value=${value}]`)
  for (const one of decide.querySelectorAll("[name=decision]")) one.classList.toggle("chosen", one === chosen)
  decide.querySelector("details").open = true
  reason.focus()
  hint.textContent = `${chosen.textContent}: press Ctrl+Enter. Escape cancels.`
}

const cancelChoice = () => {
  chosen.classList.remove("chosen")
  chosen = undefined
  hint.textContent = ""
  document.getElementById("panel").focus()
}

const send = () => {
  if (chosen !== undefined && document.activeElement === reason) return decide.requestSubmit(chosen)
  if (document.activeElement === reason) return
  const comment = document.activeElement.closest(".comments form")
  if (comment !== null) return comment.requestSubmit()
  review?.requestSubmit(document.querySelector("[form=review-form][value=send]"))
}

const shortcuts = {
  j: () => follow("next"),
  k: () => follow("prev"),
  1: () => rate(0),
  2: () => rate(1),
  3: () => rate(2),
  4: () => rate(3),
  5: () => rate(4),
  a: () => choose("advance"),
  h: () => choose("hold"),
  r: () => choose("reject"),
  n: writeNote,
  s: send,
  "?": () => keysDialog.showModal(),
}

const isTextField = (element) =>
  element.closest("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])") !== null

document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, isComposing, key, metaKey, repeat, target } = event
  if (isComposing || keysDialog.open) return
  if (key === "Enter" && (ctrlKey || metaKey) && !altKey) {
    event.preventDefault()
    if (!repeat) send()
  } else if (key === "Escape" && chosen !== undefined && target === reason) cancelChoice()
  else if (!isOn || altKey || ctrlKey || metaKey || repeat || isTextField(target) || !Object.hasOwn(shortcuts, key))
    return
  else {
    event.preventDefault()
    shortcuts[key]()
  }
})
