/** The page that the script runs on: its parts, what it says, and what the browser keeps. */
export const find = (selector, root = document) => root.querySelector(selector)
export const form = find("#answers")
/** Every page of a running interview has one. */
export const running = form ?? find("[data-review]")
export const question = form && find("[data-question]", form)
const status = find("[data-status]")
export const channel = "BroadcastChannel" in window ? new BroadcastChannel("interview") : undefined

/** What the script says comes with the page, in its language. */
const catalogue = JSON.parse(running?.dataset.texts ?? "{}")
export const words = (key, values = {}) => catalogue[key].replace(/\{(\w+)\}/g, (_, name) => values[name])

/** Numbers and times as the page's language writes them; the English one writes 24 hours. */
export const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang

export const say = (text, failing = false) => {
  // written only when it differs: a screen reader speaks it once
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

/** Where a text is kept until it has arrived. */
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
    } catch {} // full, or not allowed: then only this page has it
  },
  remove: (key) => {
    try {
      area().removeItem(key)
    } catch {}
  },
  /** Every entry whose key begins so. */
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

/** On this device, for every window. */
export const storage = keptIn(() => localStorage)
/** In this window, until it is closed. */
export const inWindow = keptIn(() => sessionStorage)
