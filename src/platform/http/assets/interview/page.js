/** The page: its elements, its texts, and browser storage. */
export const find = (selector, root = document) => root.querySelector(selector)
export const form = find("#answers")
/** The element that every page of a running interview has. */
export const running = form ?? find("[data-review]")
export const question = form && find("[data-question]", form)
const status = find("[data-status]")
export const channel = "BroadcastChannel" in window ? new BroadcastChannel("interview") : undefined

/** The texts of the script, in the page's language. */
const catalogue = JSON.parse(running?.dataset.texts ?? "{}")
export const words = (key, values = {}) => catalogue[key].replace(/\{(\w+)\}/g, (_, name) => values[name])

/** The locale for numbers and times; en-GB has 24 hours. */
export const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang

export const say = (text, failing = false) => {
  // writes only changes: a screen reader speaks each once
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

/** The storage key of an unsent answer. */
export const draftKey = (question) => `interview.${running.dataset.draft}.${question}`

const keptIn = (area) => ({
  get: (key) => {
    try {
      return JSON.parse(area().getItem(key)) ?? undefined
    } catch {}
  },
  set: (key, value) => {
    try {
      area().setItem(key, JSON.stringify(value))
    } catch {} // storage is full or not allowed: only this page has the text
  },
  remove: (key) => {
    try {
      area().removeItem(key)
    } catch {}
  },
  /** All entries whose key starts with `prefix`. */
  all: (prefix) => {
    try {
      return Object.keys(area())
        .filter((key) => key.startsWith(prefix))
        .map((key) => [key.slice(prefix.length), JSON.parse(area().getItem(key))])
    } catch {
      return []
    }
  },
})

/** On this device, for all windows. */
export const storage = keptIn(() => localStorage)
/** In this window, until it closes. */
export const inWindow = keptIn(() => sessionStorage)
