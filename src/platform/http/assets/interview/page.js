/** Elements and texts of the page; the browser's storage. */
export const find = (selector, root = document) => root.querySelector(selector)
export const form = find("#answers")
export const running = form ?? find("[data-review]")
export const question = form && find("[data-question]", form)
const status = find("[data-status]")
export const channel = "BroadcastChannel" in window ? new BroadcastChannel("interview") : undefined

const catalogue = JSON.parse(running?.dataset.texts ?? "{}")
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])
export const words = (key, values = {}) => fill(catalogue[key], values)
/** In the plural form of `count`. */
export const counted = (key, count) => {
  const forms = catalogue[key]
  const rule = new Intl.PluralRules(document.documentElement.lang).select(count)
  return fill(forms[rule] ?? forms.other, { count })
}

/** English uses the 24-hour clock. */
export const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang

export const say = (text, failing = false) => {
  // screen readers announce each write
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

export const draftKey = (questionId) => `interview.${running.dataset.draft}.${questionId}`

/** Of the draft of a corrected transcript. */
export const correctionKey = (questionId) => `correction.${running.dataset.draft}.${questionId}`

const storageIn = (area) => ({
  get: (key) => {
    try {
      return JSON.parse(area().getItem(key)) ?? undefined
    } catch {}
  },
  set: (key, value) => {
    try {
      area().setItem(key, JSON.stringify(value))
    } catch {} // full or blocked
  },
  remove: (key) => {
    try {
      area().removeItem(key)
    } catch {}
  },
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

export const storage = storageIn(() => localStorage)
/** Until this window is closed. */
export const inWindow = storageIn(() => sessionStorage)
