/** The page that the script runs on: its parts, what it says, and what the browser keeps. */
export const find = (selector, root = document) => root.querySelector(selector)
export const form = find("#answers")
/** Every page of a running interview has one. */
export const running = form ?? find("[data-review]")
export const question = form && find("[data-question]", form)
const status = find("[data-status]")
export const channel = "BroadcastChannel" in window ? new BroadcastChannel("interview") : undefined

export const texts = {
  typing: "Your answer saves by itself.",
  choosing: "A file is saved as soon as you choose it.",
  saved: (time) => `Saved ${time}`,
  again: "Not saved yet. Your text is kept on this device and sent when you are connected again.",
  elsewhere: "You changed this answer in another window. It is shown here now.",
  replaced: "Saved. This replaced what you wrote in another window.",
  conflict: "You changed this answer in another window too. What you type here replaces it.",
  unsent: "This device has a version that was never sent.",
  useUnsent: "Use it",
  uploading: (percent) => `Uploading… ${percent} %`,
  uploadFailed: "The upload was cut off. Please choose the file again.",
  tooLarge: "This file is larger than 10 MB. Please choose a smaller one.",
  minute: "1 minute left. Then your answers are submitted.",
  minutes: (minutes) => `${minutes} minutes left.`,
  over: "Your time is over. Your answers are being submitted.",
  left: "Time left",
  count: (count, most) => `${count.toLocaleString("en")} of ${most.toLocaleString("en")} characters`,
  answered: ", answered",
  progress: (answered, total) => `${answered} of ${total} answered`,
}

export const say = (text, failing = false) => {
  // written only when it differs: a screen reader speaks it once
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

/** Where a text is kept until it has arrived. */
export const draftKey = (question) => `interview.${running.dataset.draft}.${question}`

export const storage = {
  set: (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value))
    } catch {} // full, or not allowed: then only this page has it
  },
  remove: (key) => {
    try {
      localStorage.removeItem(key)
    } catch {}
  },
  /** Every entry whose key begins so. */
  all: (prefix) => {
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(prefix))
        .map((key) => [key.slice(prefix.length), JSON.parse(localStorage.getItem(key))])
    } catch {
      return []
    }
  },
}
