/**
 * The editor of interview sets: cards are moved, copied and removed without a request, fields of other answer types are
 * hidden, unsaved changes are reported, and the question that is edited is previewed. Rows keep their names when they move: the
 * server reads them in the order of the page.
 */
const form = document.querySelector("form[data-editor]")
const said = form.querySelector("[data-said]")
const unsaved = form.querySelector("[data-unsaved]")

const say = (text) => {
  // the same text twice is announced twice
  said.textContent = ""
  setTimeout(() => {
    said.textContent = text
  }, 50)
}

// unsaved changes

const lists = [...form.querySelectorAll("[data-rows]")]
const rowsOf = (list) => [...list.querySelectorAll(":scope > .card")]
const orderOf = () => lists.map((list) => rowsOf(list).map(({ id }) => id)).join()
const firstOrder = orderOf()
let isLeaving = false

const isChanged = (control) => {
  if (control.type === "hidden" || control.type === "search" || control.name === "") return false
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked
  if (control.options !== undefined) {
    const chosen = [...control.options].findIndex(({ defaultSelected }) => defaultSelected)
    return control.selectedIndex !== Math.max(0, chosen)
  }
  return "defaultValue" in control && control.value !== control.defaultValue
}
const isDirty = () => form.dataset.dirty !== undefined || orderOf() !== firstOrder || [...form.elements].some(isChanged)

const showState = () => {
  if (unsaved === null) return
  const text = isDirty() ? (isKept() ? "Unsaved changes, kept as your draft" : "Unsaved changes") : ""
  unsaved.classList.remove("failed")
  if (unsaved.textContent !== text) unsaved.textContent = text
  keepSoon(keepDelay)
}

// drafts, saved while the member types; the library of questions has none

const keepDelay = 1000
const maxKeepDelay = 30_000
/** Browsers send larger requests only while the page is open. */
const maxLeaving = 60_000
const changes = form.elements.namedItem("changes")
const conflict = form.querySelector("[data-draft-conflict]")
const isKeeping = form.dataset.draft !== undefined

const stateOf = () => {
  const data = new FormData(form)
  for (const name of ["changes", "version"]) data.delete(name)
  return new URLSearchParams(data).toString()
}

/** What the stored draft, or the saved set, has. */
let kept
let isRefused = false
let keepWait = keepDelay
let keepTimer
let keeping

const isKept = () => isKeeping && Number(changes.value) > 0 && stateOf() === kept
/** Opening a card adds fields, but changes nothing. */
const isBehind = () => !isRefused && !isLeaving && (isDirty() || Number(changes.value) > 0) && stateOf() !== kept

const refuse = (text) => {
  isRefused = true
  unsaved.textContent = text
  unsaved.classList.add("failed")
}

/** Shows what another window saved. */
const showConflict = (other) => {
  refuse("Draft not saved. What you typed is still here.")
  const list = conflict.querySelector("dl")
  list.replaceChildren()
  for (const { name, own, saved } of other.differences) {
    const entry = document.createElement("div")
    const term = document.createElement("dt")
    term.dir = "auto"
    term.textContent = name
    entry.append(term)
    for (const [label, text] of [
      ["There", saved],
      ["Here", own],
    ]) {
      const version = document.createElement("dd")
      version.dir = "auto"
      version.textContent = `${label}: ${text === "" ? "(none)" : text.slice(0, 300)}`
      entry.append(version)
    }
    list.append(entry)
  }
  const take = conflict.querySelector("[data-take]")
  take.hidden = other.changes === 0
  take.onclick = () => open(form.dataset.openDraft, "_blank")
  conflict.querySelector("[data-keep]").onclick = () => {
    changes.value = other.changes
    isRefused = false
    conflict.hidden = true
    form.querySelector("[data-save-draft]")?.focus()
    keepSoon(0)
  }
  conflict.hidden = false
}

const keep = async () => {
  if (!isBehind()) return
  const state = stateOf()
  const body = new URLSearchParams(new FormData(form)).toString()
  const answer = await fetch(form.dataset.draft, {
    method: "POST",
    body: new URLSearchParams(body),
    keepalive: body.length < maxLeaving,
    redirect: "manual",
  })
  if (answer.type === "opaqueredirect") {
    return refuse("Not kept: you are signed out. Sign in in another tab, then go on here.")
  }
  if (answer.status === 200) {
    changes.value = (await answer.json()).changes
    kept = state
    keepWait = keepDelay
    showState()
  } else if (answer.status === 409) {
    const other = await answer.json()
    if (other.changes === undefined) refuse(`Draft not saved: ${other.reason}.`)
    else showConflict(other)
  } else throw new Error(String(answer.status))
}

const runKeep = () => {
  keeping ??= keep()
    .catch(() => {
      keepWait = Math.min(keepWait * 2, maxKeepDelay)
    })
    .finally(() => {
      keeping = undefined
      if (isBehind()) keepSoon(keepWait)
    })
  return keeping
}

const keepSoon = (after) => {
  if (!isKeeping || isRefused || isLeaving) return
  clearTimeout(keepTimer)
  keepTimer = setTimeout(runKeep, after)
}

addEventListener("beforeunload", (event) => {
  if (isLeaving || !isDirty() || isKept()) return
  const isSmall = isKeeping && stateOf().length < maxLeaving
  if (isSmall && !isRefused && keepWait === keepDelay && navigator.onLine) runKeep()
  else event.preventDefault()
})
if (isKeeping) {
  for (const button of form.querySelectorAll("[data-save-draft]")) button.hidden = true
  document.addEventListener("visibilitychange", () => document.hidden && !isLeaving && runKeep())
}

// cards

const nameOf = (list) => (list.dataset.rows === "q" ? "question" : "requirement")

const renumber = (list) => {
  const rows = rowsOf(list)
  const name = nameOf(list)
  for (const [i, row] of rows.entries()) {
    row.querySelector("h3").textContent = `${name[0].toUpperCase()}${name.slice(1)} ${i + 1}`
    for (const button of row.querySelectorAll(".step")) {
      button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/\d+$/, i + 1))
      if (button.value.endsWith(".up")) button.disabled = i === 0
      if (button.value.endsWith(".down")) button.disabled = i === rows.length - 1
    }
  }
  const count = document.querySelector(`[data-count="${list.dataset.rows}"]`)
  if (count !== null) count.textContent = rows.length
  for (const button of list.parentElement.querySelectorAll('[value$=".add"], [value$=".library"]')) {
    button.disabled = rows.length >= Number(list.parentElement.querySelector("[data-max]").dataset.max)
  }
}

const numberOf = (row) => row.id.slice(1)
const summaryOf = (row) => row.querySelector("summary")
const listOf = (row) => lists.find((one) => one.dataset.rows === row.id[0])

/** Focuses the button again, or the card when the button is off or gone. */
const keepFocus = (row, button) => (button === undefined || button.disabled ? summaryOf(row) : button).focus()

const changed = (list) => {
  renumber(list)
  showState()
  if (panel !== null) preview()
}

const placeText = (list, row) => {
  const rows = rowsOf(list)
  return `now ${nameOf(list)} ${rows.indexOf(row) + 1} of ${rows.length}.`
}

const move = (list, row, button, isUp) => {
  const rows = rowsOf(list)
  const other = rows[rows.indexOf(row) + (isUp ? -1 : 1)]
  if (other === undefined) return
  if (isUp) other.before(row)
  else other.after(row)
  changed(list)
  keepFocus(row, button)
  row.scrollIntoView({ block: "nearest" })
  say(`Moved: ${placeText(list, row)}`)
}

const attributes = ["name", "id", "aria-describedby", "value"]

/** Names a part of a card after another row. */
const rename = (part, before, after) => {
  for (const element of part.querySelectorAll("*")) {
    for (const name of attributes) {
      const value = element.getAttribute(name)
      if (name === "value" && element.localName !== "button") continue
      if (value?.includes(before)) element.setAttribute(name, value.replaceAll(before, after))
    }
    if (element.name === "at") element.value = after.split(".")[1]
  }
}

/** A copy with a new number and without errors. */
const cloneOf = (list, row) => {
  const letter = list.dataset.rows
  const before = `${letter}.${numberOf(row)}.`
  const all = [...list.querySelectorAll(".card, .gone")].map((one) => Number(one.dataset.number ?? numberOf(one)))
  const number = Math.max(...all) + 1
  const copy = row.cloneNode(true)
  copy.id = `${letter}${number}`
  const selects = row.querySelectorAll("select")
  for (const [i, select] of copy.querySelectorAll("select").entries()) select.selectedIndex = selects[i].selectedIndex
  for (const error of copy.querySelectorAll(".error")) error.remove()
  for (const element of copy.querySelectorAll("[aria-invalid]")) element.removeAttribute("aria-invalid")
  rename(copy, before, `${letter}.${number}.`)
  return copy
}

const field = (row, name) => row.querySelector(`[name$=".${name}"]`)

const duplicate = (list, row) => {
  expand(row)
  const copy = cloneOf(list, row)
  const source = field(copy, "source")
  if (source !== null && source.value === "") source.value = field(row, "id").value
  field(copy, "id").value = ""
  prepare(copy)
  row.after(copy)
  copy.querySelector("details").open = true
  changed(list)
  summaryOf(copy).focus()
  say(`Added a copy, ${placeText(list, copy)}`)
}

/** Clears a copy of the last card. */
const add = (list) => {
  const last = rowsOf(list).at(-1)
  if (last === undefined) return false
  expand(last)
  const row = cloneOf(list, last)
  for (const control of row.querySelectorAll("input, textarea, select")) {
    if (control.type === "checkbox")
      control.checked =
        control.name.endsWith(".files") || (control.name.endsWith(".answerWith") && control.value === "text")
    else if (control.options !== undefined) control.selectedIndex = control.name.endsWith(".importance") ? 2 : 0
    else if (!/\.(files|answerWith)$/.test(control.name)) control.value = ""
  }
  for (const details of row.querySelectorAll("details")) details.open = details.parentElement === row
  offer(row)
  prepare(row)
  last.after(row)
  show(row)
  changed(list)
  field(row, "title").focus()
  say(`Added ${nameOf(list)} ${rowsOf(list).length}.`)
  return true
}

const remove = (list, row) => {
  const rows = rowsOf(list)
  const at = rows.indexOf(row)
  // adding clones a card
  if (rows.length === 1) return false
  const name = nameOf(list)
  const gone = document.createElement("li")
  gone.className = "gone"
  gone.dataset.number = numberOf(row)
  const undo = document.createElement("button")
  undo.type = "button"
  undo.className = "secondary"
  undo.textContent = "Undo"
  undo.setAttribute("aria-label", `Undo: keep ${name} ${at + 1}`)
  undo.addEventListener("click", () => {
    gone.replaceWith(row)
    changed(list)
    summaryOf(row).focus()
    say(`Kept: ${placeText(list, row)}`)
  })
  gone.append(`Removed ${name} ${at + 1}.`, undo)
  row.replaceWith(gone)
  changed(list)
  undo.focus()
  say(`Removed ${name} ${at + 1}.`)
  return true
}

/** Places the controls of spoken answers; false: the page has none to copy. */
const speak = (place, row = place) => {
  const template = document.querySelector("template[data-answers]")
  const button = place.querySelector('button[value$=".speak"]')
  if (template === null || button === null) return false
  const controls = template.content.cloneNode(true)
  rename(controls, "q.N.", `q.${numberOf(row)}.`)
  button.parentElement.replaceWith(controls)
  return true
}

const steps = {
  up: (list, row, button) => move(list, row, button, true),
  down: (list, row, button) => move(list, row, button, false),
  copy: duplicate,
  remove,
  speak: (list, row) => {
    if (!speak(row)) return false
    row.querySelector(".spoken [value=audio]").focus()
    changed(list)
    say(`${placeText(list, row)} can be answered by speaking.`)
    return true
  },
}

form.addEventListener("click", (event) => {
  const button = event.target.closest('button[name="do"]')
  if (button === null) return
  const step = button.value.split(".").at(-1)
  const list = lists.find((one) => one.dataset.rows === button.value[0] && one.parentElement.contains(button))
  if (list === undefined) return
  const row = button.closest(".card")
  const isDone = step === "add" ? add(list) : row !== null && steps[step]?.(list, row, button)
  if (isDone !== false && (step === "add" || steps[step] !== undefined)) event.preventDefault()
})

// keys: arrows go from card to card, with Alt they move the card

for (const hint of form.querySelectorAll("[data-keys]")) hint.hidden = false

form.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event
  const row = target.closest(".card")
  if (ctrlKey || metaKey || shiftKey || row === null || target !== summaryOf(row)) return
  const list = listOf(row)
  const rows = rowsOf(list)
  const at = rows.indexOf(row)
  const places = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }
  if (places[key] === undefined || (altKey && !key.startsWith("Arrow"))) return
  event.preventDefault()
  if (altKey) move(list, row, undefined, key === "ArrowUp")
  else if (rows[places[key]] !== undefined) summaryOf(rows[places[key]]).focus()
})

// drag

const makeGrip = (list, row) => {
  const grip = document.createElement("span")
  grip.className = "grip"
  grip.setAttribute("aria-hidden", "true")
  grip.title = "Drag to move"
  grip.textContent = "⠿"
  grip.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return
    down.preventDefault()
    const before = rowsOf(list)
    row.classList.add("dragged")
    const drag = ({ clientY }) => {
      const edge = 60
      if (clientY < edge) scrollBy(0, -12)
      else if (clientY > innerHeight - edge) scrollBy(0, 12)
      const others = rowsOf(list).filter((one) => one !== row)
      const next = others.find((one) => {
        const { height, top } = one.getBoundingClientRect()
        return clientY < top + height / 2
      })
      if (next === undefined) others.at(-1)?.after(row)
      else if (next.previousElementSibling !== row) next.before(row)
    }
    const end = (isDropped) => {
      stop.abort()
      row.classList.remove("dragged")
      if (!isDropped) for (const one of before) list.append(one)
      if (rowsOf(list).every((one, i) => one === before[i])) return
      changed(list)
      summaryOf(row).focus({ preventScroll: true })
      say(`Moved: ${placeText(list, row)}`)
    }
    const stop = new AbortController()
    const { signal } = stop
    // moving the row would end a capture of the pointer
    addEventListener("pointermove", drag, { signal })
    addEventListener("pointerup", () => end(true), { signal })
    addEventListener("pointercancel", () => end(false), { signal })
    addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal })
  })
  return grip
}

// fields of answer types

const show = (row) => {
  const type = field(row, "type")
  if (type === null) return
  if (type.value === "file" && row.querySelector('[data-for="file"]') === null) {
    const kinds = document.querySelector("template[data-files]").content.cloneNode(true)
    const placed = (name) => name.replace(".N.", `.${numberOf(row)}.`)
    const group = kinds.querySelector("fieldset")
    group.id = placed(group.id)
    for (const input of kinds.querySelectorAll("input")) input.name = placed(input.name)
    row.querySelector(".options").after(kinds)
  }
  for (const part of row.querySelectorAll("[data-for]")) {
    const isUsed = part.dataset.for.split(" ").includes(type.value)
    part.hidden = !isUsed
    if (isUsed && part.localName === "details") part.open = true
  }
  for (const note of row.querySelectorAll("[data-unused]")) note.hidden = !row.querySelector(".options").hidden
}

/** Offers the options as knock-out answers. A changed line keeps its mark while the number of lines stays. */
const offer = (row) => {
  const group = row.querySelector("[data-knock-out]")
  if (group === null) return
  const lines = [
    ...new Set(
      field(row, "options")
        .value.split("\n")
        .map((line) => line.trim()),
    ),
  ].filter(Boolean)
  const boxes = [...group.querySelectorAll("input")]
  const before = boxes.map(({ value }) => value)
  const marked = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value))
  const isRenamed = (line, i) =>
    before.length === lines.length && !before.includes(line) && !lines.includes(before[i]) && marked.has(before[i])
  for (const label of group.querySelectorAll("label")) label.remove()
  for (const [i, line] of lines.entries()) {
    const label = document.createElement("label")
    label.className = "pick"
    const box = document.createElement("input")
    Object.assign(box, {
      type: "checkbox",
      name: group.id,
      value: line,
      checked: marked.has(line) || isRenamed(line, i),
    })
    const name = document.createElement("span")
    name.dir = "auto"
    name.textContent = line
    label.append(box, name)
    group.append(label)
  }
  group.hidden = lines.length === 0
}

const summarize = (row) => {
  const text = field(row, "title").value.trim() || field(row, "content").value.trim()
  row.querySelector("[data-title]").textContent = text.slice(0, 120)
  const select = field(row, "type") ?? field(row, "importance")
  row.querySelector("[data-kind]").textContent = select.selectedOptions[0]?.textContent.split(",")[0] ?? ""
}

// folded cards of a long set (pages/SetCards.ts)

/** A copy of the template of controls, named after the row. */
const controlsFor = (row) => {
  const controls = listOf(row).parentElement.querySelector("template[data-card]").content.cloneNode(true)
  rename(controls, `${row.id[0]}.N.`, `${row.id[0]}.${numberOf(row)}.`)
  return controls
}

/** Sets what the form was loaded with, so that the control counts as unchanged. */
const fill = (control, values) => {
  if (values.length === 0) return
  if (control.type === "checkbox") {
    control.defaultChecked = values.includes(control.value)
    control.checked = control.defaultChecked
  } else if (control.options === undefined) control.defaultValue = values[0]
  else {
    for (const option of control.options) option.defaultSelected = option.value === values[0]
    control.value = values[0]
  }
}

/** Makes the controls of a folded card. */
const expand = (row) => {
  if (row.dataset.folded === undefined) return
  delete row.dataset.folded
  const carried = [...row.querySelectorAll(":scope > input")]
  const fillAll = (part) => {
    for (const control of part.querySelectorAll("[name]")) {
      const values = carried.filter(({ name }) => name === control.name).map(({ value }) => value)
      if (control.localName !== "button" && control.type !== "hidden") fill(control, values)
      else if (/\.(id|source)$/.test(control.name)) fill(control, values)
    }
  }
  const controls = controlsFor(row)
  controls.querySelector(".steps").remove()
  if (carried.some(({ name }) => name.endsWith(".answerWith"))) speak(controls, row)
  fillAll(controls)
  for (const error of row.querySelectorAll(":scope > .error")) error.removeAttribute("id")
  row.querySelector("details").append(controls)
  offer(row)
  const knockOuts = row.querySelector("[data-knock-out]")
  if (knockOuts !== null) fillAll(knockOuts)
  for (const input of carried) input.remove()
  show(row)
  const files = row.querySelector('[data-for="file"]')
  if (files !== null) fillAll(files)
  for (const details of row.querySelectorAll("[data-help]")) {
    details.open = [...details.querySelectorAll("input, textarea")].some(({ value }) => value !== "")
  }
}

/** Gives a folded card a summary that opens it, and the buttons of other cards. */
const makeFoldable = (row) => {
  const details = document.createElement("details")
  const summary = document.createElement("summary")
  details.append(summary)
  row.prepend(details)
  for (const name of ["h3", "[data-title]", "[data-kind]"]) summary.append(row.querySelector(name), " ")
  row.querySelector(":scope > .steps").replaceWith(controlsFor(row).querySelector(".steps"))
  // before the browser shows the open card
  summary.addEventListener("click", () => expand(row))
  details.addEventListener("toggle", () => details.open && expand(row))
}

const prepare = (row) => {
  const list = listOf(row)
  if (row.dataset.folded !== undefined) makeFoldable(row)
  row.querySelector(".grip")?.remove()
  row.querySelector(".steps").prepend(makeGrip(list, row))
  if (row.dataset.folded !== undefined) return
  show(row)
  summarize(row)
}
for (const list of lists) {
  for (const row of rowsOf(list)) prepare(row)
  renumber(list)
}

// preview

const panel = form.parentElement.querySelector("[data-question-preview]")
const wide = matchMedia("(min-width: 68.75rem)")
let previewed
let waiting
let request

const showPage = (page) => {
  let frame = panel.querySelector("iframe")
  if (frame === null) {
    frame = document.createElement("iframe")
    frame.title = "The candidate's page of the question"
    frame.setAttribute("sandbox", "")
  }
  frame.srcdoc = page
  if (!frame.isConnected) panel.append(frame)
}

const load = async () => {
  if (!wide.matches) return
  request?.abort()
  request = new AbortController()
  const body = new URLSearchParams(new FormData(form))
  body.set("at", previewed ?? "")
  body.set("frame", "1")
  const answer = await fetch("/i/preview/draft", { method: "POST", body, signal: request.signal, redirect: "error" })
  if (answer.ok) showPage(await answer.text())
}
const preview = (delay = 400) => {
  clearTimeout(waiting)
  // the next change tries again
  waiting = setTimeout(() => load().catch(() => {}), delay)
}
const edited = (event) => {
  const row = event.target.closest?.('.card[id^="q"]')
  const number = row === null || row === undefined ? previewed : numberOf(row)
  const isOther = number !== previewed
  previewed = number
  const button = form.querySelector("[data-preview-button]")
  if (button !== null && number !== undefined) {
    button.name = "at"
    button.value = number
  }
  return isOther
}
if (panel !== null) {
  panel.hidden = false
  form.addEventListener("focusin", (event) => edited(event) && preview(100))
  wide.addEventListener("change", () => preview(0))
  preview(0)
  form.addEventListener("click", (event) => {
    const button = event.target.closest('[formaction="/i/preview/draft"]')
    if (button === null || !wide.matches) return
    event.preventDefault()
    edited(event)
    load().catch(() => {})
  })
}

form.addEventListener("input", (event) => {
  const row = event.target.closest(".card")
  if (row !== null) {
    if (event.target.name.endsWith(".type")) show(row)
    if (event.target.name.endsWith(".options")) offer(row)
    summarize(row)
  }
  showState()
  edited(event)
  if (panel !== null) preview()
})

// save

const failed = (text) => {
  unsaved.textContent = `${text} What you typed is still here.`
  unsaved.classList.add("failed")
}

/** Saves with a request of the script, so that the page stays when the request fails. */
const save = async (button) => {
  clearTimeout(keepTimer)
  // the form needs the number of the draft that this returns
  await keeping
  const body = new URLSearchParams(new FormData(form, button))
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" } })
  if (answer.redirected && new URL(answer.url).pathname.startsWith("/sign-in")) {
    return failed("Not saved: you are signed out. Sign in in another tab, then save again.")
  }
  if (answer.status >= 500 || answer.status === 408 || answer.status === 413 || answer.status === 403) {
    return failed(`Not saved: the service answered with an error (${answer.status}). Try again.`)
  }
  isLeaving = true
  if (answer.redirected) return location.assign(answer.url)
  // errors beside the fields
  form.dataset.plain = ""
  delete form.dataset.sent
  form.requestSubmit(button)
}

form.addEventListener("submit", (event) => {
  const button = event.submitter
  if (button?.formTarget === "_blank") {
    // the tab of the preview; the form can be sent again
    setTimeout(() => delete form.dataset.sent)
    return
  }
  if ((button?.value !== "save" && button?.name !== "replaced") || form.dataset.plain !== undefined) {
    isLeaving = true
    return
  }
  event.preventDefault()
  if (form.dataset.saving !== undefined) return
  form.dataset.saving = ""
  save(button)
    .catch(() => failed("Not saved: no connection to the service. Try again."))
    .finally(() => {
      delete form.dataset.saving
      setTimeout(() => delete form.dataset.sent)
    })
})

// the page as it was loaded, with all cards prepared

if (isKeeping && (form.dataset.dirty === undefined || form.dataset.kept !== undefined)) kept = stateOf()
addEventListener("pageshow", () => {
  isLeaving = false
  showState()
})
