/**
 * The page of a submission: saves the review as a draft while the member rates and writes. A sent review is changed by its
 * button only, so the page warns before changes are lost.
 */
const form = document.getElementById("review-form")

const delay = 800
const saving = "Saving…"
const maxDelay = 30_000

if (form !== null) {
  const status = document.getElementById("draft-note")
  const conflict = document.getElementById("draft-conflict")
  const isDraft = form.dataset.draft !== undefined
  const { changes } = form.elements

  /** What a draft stores. Mentions are chosen when the review is sent. */
  const stateOf = () => {
    const data = new FormData(form)
    for (const name of ["changes", "mention"]) data.delete(name)
    return new URLSearchParams(data).toString()
  }
  const isMentioning = () => form.querySelector("[name=mention]:checked") !== null

  // a form that was refused is unsaved from the start
  let saved = form.dataset.unsaved === "" ? stateOf() : undefined
  let isSending = false
  let isRefused = false
  let wait = delay
  let timer
  let running

  const say = (text) => {
    if (status.textContent !== text) status.textContent = text
    status.setAttribute("aria-busy", String(text === saving))
  }

  /** Shows the text that another window saved, beside the typed one. */
  const showConflict = (other) => {
    isRefused = true
    say("Not saved: you changed this review in another window or on another device.")
    conflict.querySelector("p + p").textContent = other.note === "" ? "There is no note." : other.note
    conflict.hidden = false
    conflict.querySelector("[data-keep]").onclick = () => {
      changes.value = other.changes
      settle()
      saveSoon(0)
    }
    conflict.querySelector("[data-take]").onclick = () => {
      changes.value = other.changes
      form.elements.note.value = other.note
      for (const radio of form.querySelectorAll("[type=radio]")) {
        radio.checked = radio.value === String(other.ratings[radio.name.slice("rating.".length)] ?? "")
      }
      settle()
      saved = stateOf()
      say("The saved version is shown.")
    }
  }

  const settle = () => {
    isRefused = false
    conflict.hidden = true
    form.elements.note.focus()
  }

  const save = async () => {
    const state = stateOf()
    if (state === saved || isRefused) return
    const body = new URLSearchParams(new FormData(form))
    body.set("do", "draft")
    // keepalive: also when the member leaves the page
    const answer = await fetch(form.dataset.draft, { method: "POST", body, keepalive: true, redirect: "manual" })
    if (answer.type === "opaqueredirect") {
      isRefused = true
      say("Not saved: you are signed out. Copy your note, then sign in again.")
    } else if (answer.status === 200) {
      const stored = await answer.json()
      changes.value = stored.changes
      saved = state
      wait = delay
      say("Draft saved. Only you can see it until you send it.")
    } else if (answer.status === 409) {
      const stored = await answer.json()
      if (stored.note === undefined) {
        isRefused = true
        say(`Not saved: ${stored.reason}.`)
      } else showConflict(stored)
    } else if (answer.status === 422) {
      // saves again after the next change
      saved = undefined
      say((await answer.json()).reason)
      return
    } else throw new Error(String(answer.status))
    if (stateOf() !== saved) saveSoon(wait)
  }

  const run = () => {
    running ??= save()
      .catch(() => {
        wait = Math.min(wait * 2, maxDelay)
        say("Not saved yet: the service cannot be reached. Your text stays on this page and is saved when it can be.")
        saveSoon(wait)
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  const saveSoon = (after) => {
    clearTimeout(timer)
    timer = setTimeout(run, after)
  }

  if (isDraft) {
    document.getElementById("save-draft").hidden = true
    form.addEventListener("input", (event) => {
      if (event.target.name === "mention") return
      if (!isRefused) say(saving)
      saveSoon(delay)
    })
    addEventListener("online", () => saveSoon(0))
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && !isSending) run()
    })
  }

  // of a review that was sent: there is nothing to save before a change
  const change = document.querySelector("[data-changes]")
  if (change !== null) {
    const showChange = () => {
      change.hidden = stateOf() === saved && !isMentioning()
    }
    form.addEventListener("input", showChange)
    addEventListener("pageshow", showChange)
    showChange()
  }

  form.addEventListener("submit", (event) => {
    isSending = true
    clearTimeout(timer)
    if (running === undefined) return
    // the form needs the number of changes that this save returns
    event.preventDefault()
    const { submitter } = event
    running.finally(() => {
      // settings.js sends a form once
      delete form.dataset.sent
      form.requestSubmit(submitter)
    })
  })
  addEventListener("pageshow", () => {
    isSending = false
  })
  addEventListener("beforeunload", (event) => {
    if (isSending || (stateOf() === saved && !isMentioning())) return
    const isReachable = isDraft && !isRefused && saved !== undefined && wait === delay
    if (isReachable && !isMentioning()) run()
    else event.preventDefault()
  })
}
