/**
 * What the candidate's pages do beyond plain forms: they tell the first human act, save answers as they are typed,
 * count down, and ask before they submit. Everything works without it, by the buttons.
 */
const form = document.querySelector("#answers")
const find = (selector) => document.querySelector(selector)

const initiate = (address) => {
  const acts = ["pointerdown", "keydown"]
  const told = () => {
    for (const act of acts) removeEventListener(act, told)
    fetch(address, { method: "POST", keepalive: true }).catch(() => {})
  }
  for (const act of acts) addEventListener(act, told, { passive: true })
}

// ---------------------------------------------------------------------------------------------------- the questions
const questions = form ? [...form.querySelectorAll("[data-question]")] : []
const isAnswered = (question) =>
  question.querySelector("textarea")?.value.trim() || question.querySelector("input:checked") !== null

const showAnswered = (question) => {
  const answered = Boolean(isAnswered(question))
  question.toggleAttribute("data-answered", answered)
  const link = find(`[data-link="${question.dataset.question}"]`)
  link.toggleAttribute("data-answered", answered)
  link.querySelector("[data-said]").textContent = answered ? ", answered" : ""
}

const showProgress = () => {
  const answered = questions.filter(isAnswered).length
  find("[data-progress]").textContent = `${answered} of ${questions.length} answered`
  form.querySelector("progress").value = answered
}

const showCount = (question) => {
  const text = question.querySelector("textarea")
  if (text === null) return
  const count = question.querySelector("[data-count]")
  const { length } = text.value
  count.textContent = `${length.toLocaleString("en")} of ${text.maxLength.toLocaleString("en")} characters`
  if (CSS.supports("field-sizing", "content")) return
  text.style.height = "auto"
  text.style.height = `${text.scrollHeight + 2}px`
}

// ------------------------------------------------------------------------------------------------------------ saving
const status = find("[data-status]")
/** Ids of questions whose answers changed since they were last sent. */
const changed = new Set()
let saving = false
let leaving = false
let failures = 0
let timer

const say = (text, failing = false) => {
  // written only when it differs: a screen reader speaks it once
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

const fieldsOf = (ids) => {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (ids.has(name.slice(name.indexOf(".") + 1))) fields.append(name, value)
  return fields
}

const later = (millis) => {
  clearTimeout(timer)
  timer = setTimeout(save, millis)
}

const save = async () => {
  if (saving || leaving || changed.size === 0) return
  saving = true
  const sent = new Set(changed)
  changed.clear()
  try {
    const body = fieldsOf(sent)
    // keepalive lets it finish when the page goes away; browsers allow that for 64 KiB
    const keepalive = String(body).length < 60_000
    const answer = await fetch(form.dataset.save, { method: "POST", body, keepalive, headers: { accept: "*/*" } })
    if (leaving) return
    if (answer.status === 404 || answer.status === 409) {
      leaving = true
      location.reload()
      return
    }
    if (!answer.ok) throw new Error(String(answer.status))
    failures = 0
    const now = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date())
    if (changed.size === 0) say(`Saved ${now}`)
  } catch {
    for (const id of sent) changed.add(id)
    failures += 1
    say("Not saved yet. Trying again…", true)
  } finally {
    saving = false
    if (changed.size > 0) later(failures === 0 ? 800 : Math.min(30_000, 1_500 * 2 ** failures))
  }
}

const autosave = () => {
  document.documentElement.dataset.scripted = ""
  if (!location.search.includes("saved")) say("Answers save as you type.")
  form.addEventListener("input", ({ target }) => {
    const question = target.closest("[data-question]")
    if (question === null) return
    changed.add(question.dataset.question)
    showAnswered(question)
    showProgress()
    showCount(question)
    if (failures === 0) later(800)
  })
  form.addEventListener("change", save)
  addEventListener("online", save)
  addEventListener("pagehide", save)
  document.addEventListener("visibilitychange", () => document.hidden && save())
  addEventListener("beforeunload", (event) => {
    if (leaving || (changed.size === 0 && !saving)) return
    save()
    if (failures > 0) event.preventDefault()
  })
}

// -------------------------------------------------------------------------------------------------------- submitting
const leave = () => {
  leaving = true
  clearTimeout(timer)
}

const confirmSubmit = () => {
  const dialog = find("[data-confirm]")
  find("[data-back]").addEventListener("click", () => dialog.close())
  form.addEventListener("submit", (event) => {
    if (leaving) return event.preventDefault()
    if (event.submitter?.hasAttribute("data-submit")) {
      event.submitter.setAttribute("aria-disabled", "true")
      return leave()
    }
    event.preventDefault()
    save()
    if (!event.submitter?.hasAttribute("data-finish")) return
    const open = questions.filter((question) => !isAnswered(question)).length
    find("[data-confirm-text]").textContent =
      open === 0
        ? "You have answered every question."
        : `${open} ${open === 1 ? "question is" : "questions are"} not answered yet.`
    dialog.showModal()
  })
}

// --------------------------------------------------------------------------------------------------------- the clock
const countDown = (clock) => {
  const end = Date.now() + Number(clock.dataset.secondsLeft) * 1000
  const figure = clock.querySelector("[data-clock]")
  const warning = find("[data-warning]")
  const warnings = [
    { seconds: 60, text: "1 minute left. Then your answers are submitted." },
    { seconds: 300, text: "5 minutes left." },
  ].filter(({ seconds }) => seconds < Number(clock.dataset.secondsLeft))
  clock.querySelector("[data-clock-label]").textContent = "Time left"
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
    const two = (count) => String(count).padStart(2, "0")
    figure.textContent = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
    clock.toggleAttribute("data-late", left <= 300)
    const due = warnings.findIndex((one) => left <= one.seconds)
    // the shortest that is due is said, the longer ones are over with it
    if (due >= 0) warning.textContent = warnings.splice(due)[0].text
    if (left > 0) return
    clearInterval(ticking)
    if (leaving) return
    leave()
    say("Your time is over. Your answers are being submitted.")
    form.submit()
  }
  const ticking = setInterval(tick, 1000)
  tick()
}

// A page from the browser's memory may be long out of date.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload())

const invited = find("[data-initiate]")
if (invited) initiate(invited.dataset.initiate)
if (form) {
  for (const question of questions) {
    showAnswered(question)
    showCount(question)
  }
  showProgress()
  autosave()
  confirmSubmit()
  const clock = find("[data-seconds-left]")
  if (clock) countDown(clock)
}
