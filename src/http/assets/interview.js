/**
 * What the candidate's pages do beyond plain forms: they tell the first human act, save answers as they are typed, keep
 * what could not be sent, tell when another window has changed an answer, upload with progress, and count down.
 * Everything works without it, by the buttons.
 */
const find = (selector, root = document) => root.querySelector(selector)
const form = find("#answers")
const running = form ?? find("[data-review]")
const question = form && find("[data-question]", form)
const status = find("[data-status]")
const channel = "BroadcastChannel" in window ? new BroadcastChannel("interview") : undefined

const texts = {
  typing: "Answers save as you type.",
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

const initiate = (address) => {
  const acts = ["pointerdown", "keydown"]
  const told = () => {
    for (const act of acts) removeEventListener(act, told)
    fetch(address, { method: "POST", keepalive: true }).catch(() => {})
  }
  for (const act of acts) addEventListener(act, told, { passive: true })
}

const say = (text, failing = false) => {
  // written only when it differs: a screen reader speaks it once
  if (status.textContent !== text) status.textContent = text
  status.toggleAttribute("data-failing", failing)
}

// ---------------------------------------------------------------------------------------------------- the answer
const id = question?.dataset.question
const text = question && find("textarea", question)
const options = question ? [...question.querySelectorAll("input[type=radio], input[type=checkbox]")] : []

/** The answer as it stands in the form, comparable to what the service has. */
const valueNow = () => ({
  content: text?.value ?? null,
  option_ids: options.filter(({ checked }) => checked).map(({ value }) => value),
})
const isSame = (one, other) =>
  (one?.content?.replaceAll("\r\n", "\n").trim() ?? "") === (other?.content?.trim() ?? "") &&
  [...(one?.option_ids ?? [])].sort().join("\n") === [...(other?.option_ids ?? [])].sort().join("\n")

const put = ({ content, option_ids }) => {
  if (text) text.value = content ?? ""
  for (const option of options) option.checked = option_ids.includes(option.value)
  showAnswered()
  showCount()
}

const showAnswered = () => {
  const { content, option_ids } = valueNow()
  const answered = Boolean(content?.trim()) || option_ids.length > 0 || find("[data-file]", question) !== null
  question.toggleAttribute("data-answered", answered)
  const link = find(`[data-link="${id}"]`)
  link.toggleAttribute("data-answered", answered)
  find("[data-said]", link).textContent = answered ? texts.answered : ""
  const [done, all] = [document.querySelectorAll("[data-link][data-answered]").length, find(".panel progress").max]
  const total = document.querySelectorAll("[data-link]").length
  find("[data-progress]").textContent = texts.progress(done, total)
  find(".panel progress").value = Math.min(done, all)
}

const showCount = () => {
  if (!text) return
  find("[data-count]", question).textContent = texts.count(text.value.length, text.maxLength)
  if (CSS.supports("field-sizing", "content")) return
  text.style.height = "auto"
  text.style.height = `${text.scrollHeight + 2}px`
}

// ------------------------------------------------------------------------- drafts: what was typed and never arrived
const draftKey = (question) => `interview.${running.dataset.draft}.${question}`
const storage = {
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

// ------------------------------------------------------------------------------------------------------------ saving
let revision = Number(question?.dataset.revision ?? 0)
let isChanged = false
/** The service does not take the answer as it is. */
let isRefused = false
let saving
let leaving = false
let failures = 0
let timer

const leave = () => {
  leaving = true
  clearTimeout(timer)
}

/** The interview goes on no more: its page says why. What was not sent by now is not part of it, and the page says so too. */
const ended = () => {
  leave()
  location.assign(`${running.dataset.home}?late`)
}

const post = async (fields, options = {}) => {
  fields.set("attempt", find("[name=attempt]").value)
  return fetch(running.dataset.save, {
    method: "POST",
    body: fields,
    headers: { accept: "application/json" },
    ...options,
  })
}

const fieldsOf = (question, { content, option_ids }) => {
  const fields = new URLSearchParams({ question })
  if (content !== null) fields.set(`answer.${question}`, content)
  else for (const option of ["", ...option_ids]) fields.append(`option.${question}`, option)
  return fields
}

const later = (millis) => {
  clearTimeout(timer)
  timer = setTimeout(save, millis)
}

const attempt = async () => {
  isChanged = false
  const sent = valueNow()
  try {
    const fields = fieldsOf(id, sent)
    // keepalive lets it finish when the page goes away; browsers allow that for 64 KiB
    const answer = await post(fields, { keepalive: String(fields).length < 60_000 })
    if (leaving) return true
    if (answer.status === 404 || answer.status === 409) return void ended()
    if (answer.status === 413 || answer.status === 422) {
      isRefused = true
      say((await answer.json().catch(() => ({}))).fault ?? texts.again, true)
      return false
    }
    if (!answer.ok) throw new Error(String(answer.status))
    const { saved } = await answer.json()
    const now = saved.find((one) => one.question_id === id)?.revision ?? revision
    const replaced = now > revision + 1
    revision = now
    failures = 0
    if (!isChanged) storage.remove(draftKey(id))
    channel?.postMessage({ draft: running.dataset.draft, id, revision })
    const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date())
    if (!isChanged) say(replaced ? texts.replaced : texts.saved(time))
    return true
  } catch {
    isChanged = true
    failures += 1
    say(texts.again, true)
    return false
  }
}

/** Sends what changed; true when everything is there. */
const save = async () => {
  if (leaving || !question) return true
  if (saving) await saving
  if (!isChanged) return failures === 0 && !isRefused
  saving = attempt()
  const done = await saving
  saving = undefined
  if (isChanged && !leaving) later(failures === 0 ? 800 : Math.min(30_000, 1_500 * 2 ** failures))
  return done && !isChanged
}

const changed = () => {
  isChanged = true
  isRefused = false
  storage.set(draftKey(id), { revision, value: valueNow() })
  showAnswered()
  showCount()
  if (failures === 0) later(800)
}

const autosave = () => {
  if (text === null && options.length === 0) return
  if (!location.search.includes("saved")) say(texts.typing)
  form.addEventListener("input", ({ target }) => target.closest("[data-question]") && changed())
  form.addEventListener("change", save)
  addEventListener("online", save)
  addEventListener("pagehide", save)
  document.addEventListener("visibilitychange", () => document.hidden && save())
  addEventListener("beforeunload", (event) => {
    if (leaving || (!isChanged && !saving)) return
    save()
    // the text is kept on this device; where that is not possible, leaving would lose it
    if (failures > 0 && storage.all(draftKey(id)).length === 0) event.preventDefault()
  })
}

// ------------------------------------------------------------------------------------- other windows, other devices
const state = async () => {
  const answer = await fetch(running.dataset.state, { headers: { accept: "application/json" } })
  return answer.ok ? answer.json() : undefined
}

/** Shows what another window has done meanwhile. */
const refresh = async () => {
  const now = await state().catch(() => undefined)
  if (now === undefined || leaving) return
  if (now.state !== "running" || now.draft !== running.dataset.draft) {
    if (isChanged) return ended()
    leave()
    return location.assign(running.dataset.home)
  }
  const saved = now.answers[id]
  if (!question || saved === undefined || saved.revision <= revision || saving) return
  const isOther = !isSame(valueNow(), saved)
  if (isOther && isChanged) return say(texts.conflict, true)
  revision = saved.revision
  if ((saved.file !== null) !== (find("[data-file]", question) !== null)) return location.reload()
  if (!isOther) return
  put(saved)
  say(texts.elsewhere)
}

/** Sends what an earlier page could not, unless something newer was saved since. */
const sendDrafts = async () => {
  const drafts = storage.all(draftKey(""))
  if (drafts.length === 0) return
  const now = await state()
  if (now?.state !== "running") return
  for (const [other, { revision: known, value }] of drafts) {
    const saved = now.answers[other]
    if (isSame(value, saved)) storage.remove(draftKey(other))
    else if (other === id && isChanged) continue
    else if ((saved?.revision ?? 0) > known) {
      if (other === id) offer(value)
    } else if (other === id) {
      put(value)
      isChanged = true
      await save()
    } else {
      const answer = await post(fieldsOf(other, value))
      if (answer.ok) storage.remove(draftKey(other))
      if (answer.ok && !form) location.reload()
    }
  }
}

const offer = (value) => {
  const line = document.createElement("p")
  const button = document.createElement("button")
  line.className = "note"
  button.className = "secondary"
  button.type = "button"
  button.textContent = texts.useUnsent
  line.append(`${texts.unsent} `, button)
  question.append(line)
  button.addEventListener("click", () => {
    put(value)
    line.remove()
    changed()
  })
}

// ----------------------------------------------------------------------------------------------------- files
const upload = (input) => {
  const bar = find("[data-upload]", question)
  input.addEventListener("change", () => {
    const [file] = input.files
    if (!file) return
    if (file.size > Number(input.dataset.maxSize)) {
      input.value = ""
      return say(texts.tooLarge, true)
    }
    const request = new XMLHttpRequest()
    bar.hidden = false
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = (100 * loaded) / total
      say(texts.uploading(Math.floor((10 * loaded) / total) * 10))
    })
    request.addEventListener("loadend", () => {
      bar.hidden = true
      saving = undefined
      if (request.status === 409 || request.status === 404) return ended()
      if (request.status === 200) {
        leave()
        channel?.postMessage({ draft: running.dataset.draft, id, revision: revision + 1 })
        return location.replace(`${location.pathname}?saved`)
      }
      input.value = ""
      let fault
      try {
        fault = JSON.parse(request.responseText).fault
      } catch {}
      say(fault ?? texts.uploadFailed, true)
    })
    request.open("POST", running.dataset.save)
    request.setRequestHeader("accept", "application/json")
    request.send(new FormData(form))
  })
}

// -------------------------------------------------------------------------------------------------------- going on
const goOn = () => {
  form.addEventListener("submit", async (event) => {
    const { submitter } = event
    if (leaving) return event.preventDefault()
    if (submitter?.hasAttribute("data-remove") || (submitter && !submitter.dataset.href && find("[type=file]", form))) {
      return leave()
    }
    event.preventDefault()
    if (submitter?.hasAttribute("aria-disabled")) return
    submitter?.setAttribute("aria-disabled", "true")
    const done = await save()
    submitter?.removeAttribute("aria-disabled")
    if (!done || !submitter?.dataset.href || leaving) return
    leave()
    location.assign(submitter.dataset.href)
  })
}

const submitOnce = (finish) =>
  finish.addEventListener("submit", (event) => {
    if (leaving) return event.preventDefault()
    leave()
    event.submitter?.setAttribute("aria-disabled", "true")
  })

// --------------------------------------------------------------------------------------------------------- the clock
const countDown = (clock) => {
  const given = Number(clock.dataset.secondsLeft)
  const end = Date.now() + given * 1000
  const figure = find("[data-clock]", clock)
  const warning = find("[data-warning]")
  const warnings = [
    { seconds: 60, text: texts.minute },
    { seconds: 300, text: texts.minutes(5) },
    { seconds: 600, text: texts.minutes(10) },
  ].filter(({ seconds }) => seconds < given)
  find("[data-clock-label]", clock).textContent = texts.left
  const tick = async () => {
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
    say(texts.over)
    await save()
    if (leaving) return
    leave()
    find("#finish").submit()
  }
  const ticking = setInterval(tick, 1000)
  tick()
}

// A page from the browser's memory may be long out of date.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload())

const invited = find("[data-initiate]")
if (invited) initiate(invited.dataset.initiate)

// after the end, nothing of what was typed stays on the device
const over = find("[data-forget]")
if (over)
  for (const [key] of storage.all(`interview.${over.dataset.forget}.`))
    storage.remove(`interview.${over.dataset.forget}.${key}`)

if (running) {
  document.documentElement.dataset.scripted = ""
  channel?.addEventListener(
    "message",
    ({ data }) => data.draft === running.dataset.draft && data.id === id && refresh(),
  )
  document.addEventListener("visibilitychange", () => document.hidden || refresh())
  addEventListener("focus", refresh)
  submitOnce(find("#finish"))
  const clock = find("[data-seconds-left]")
  if (clock) countDown(clock)
  addEventListener("online", () => sendDrafts().catch(() => {}))
  sendDrafts().catch(() => {})
}
if (form) {
  showAnswered()
  showCount()
  autosave()
  goOn()
  const file = find("[type=file]", form)
  if (file) upload(file)
}
