/** The list of submissions: updates while it is open, the selection, the keyboard, a link to the list. */
import { areShortcutsOn } from "./shortcuts.js"

const list = document.getElementById("list")
const said = document.getElementById("said")
const count = document.getElementById("count")
const all = document.getElementById("all")
const compare = document.querySelector('.bulk [formaction="/submissions/compare"]')
const every = document.getElementById("every")

const rows = () => [...document.querySelectorAll("#list tbody tr")]
const boxOf = (row) => row.querySelector("input")
const linkOf = (row) => row.querySelector("th a")
const idOf = (row) => boxOf(row).value.split(":")[0]

// on phones, the views are one line that is wider than the window
const shownView = document.querySelector(".views [aria-current]")
if (shownView !== null) {
  const bar = shownView.parentElement
  bar.scrollLeft += shownView.getBoundingClientRect().left - bar.getBoundingClientRect().left - 20
}

const showCount = () => {
  if (count === null) return
  const boxes = rows().map(boxOf)
  const checked = boxes.filter((box) => box.checked).length
  if (every?.checked && checked < boxes.length) every.checked = false
  count.textContent = checked === 0 ? "For the selected rows" : every?.checked ? "Selected:" : `${checked} selected`
  all.checked = checked > 0 && checked === boxes.length
  all.indeterminate = checked > 0 && checked < boxes.length
  if (compare !== null) {
    const sets = new Set(rows().flatMap((row) => (boxOf(row).checked ? [row.cells[2].textContent] : [])))
    compare.disabled = sets.size > 1
    compare.title = sets.size > 1 ? "Candidates of one interview set can be compared" : ""
  }
}
if (all !== null) all.hidden = false
document.addEventListener("change", (event) => {
  const { target } = event
  if (target === all || (target !== null && target === every))
    for (const row of rows()) boxOf(row).checked = target.checked
  showCount()
})
// the browser restores checked boxes after going back
addEventListener("pageshow", showCount)

// the form of the list stays open after a download
document.addEventListener("submit", (event) => {
  const { submitter, target } = event
  if (submitter !== null && "download" in submitter.dataset) setTimeout(() => delete target.dataset.sent)
})
// leaves empty filters out of the address
document.querySelector("form[role=search]")?.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name)
})

const copy = document.getElementById("copy-link")
if (copy !== null) {
  copy.hidden = false
  copy.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(new URL(list.dataset.path, location.href).href).then(
      () => true,
      () => false,
    )
    copy.textContent = done ? "Copied" : "Copy it from the address bar"
    said.textContent = copy.textContent
    setTimeout(() => {
      copy.textContent = "Copy link"
    }, 3000)
  })
}

// --- the keyboard ---

const keys = document.getElementById("keys")
if (keys !== null) keys.hidden = false

const isTyping = (element) =>
  element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") !== null

const move = (step) => {
  const shown = rows()
  const at = shown.findIndex((row) => row.contains(document.activeElement))
  const next = shown[at === -1 ? 0 : Math.min(Math.max(at + step, 0), shown.length - 1)]
  if (next === undefined) return
  linkOf(next).focus({ preventScroll: true })
  next.scrollIntoView({ block: "nearest" })
}

const select = () => {
  const row = document.activeElement.closest("#list tbody tr")
  if (row === null) return
  boxOf(row).click()
  said.textContent = boxOf(row).checked ? "Selected" : "Not selected"
}

const showKeys = () => {
  keys.open = !keys.open
  keys.querySelector("summary").focus()
}

const commands = {
  "/": () => document.getElementById("search")?.focus(),
  j: () => move(1),
  k: () => move(-1),
  x: select,
  "?": () => keys !== null && showKeys(),
}

document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, isComposing, key, metaKey, target } = event
  if (altKey || ctrlKey || metaKey || isComposing || isTyping(target) || !Object.hasOwn(commands, key)) return
  if (!areShortcutsOn()) return
  event.preventDefault()
  commands[key]()
})

// --- updates ---

const interval = 5000
const maxInterval = 80_000
let wait = interval
let { tag } = list?.dataset ?? {}
let timer

/** The address of the shown rows, without the notice of a form. */
const address = () => {
  const url = new URL(location.href)
  for (const name of ["done", "form"]) url.searchParams.delete(name)
  return url.href
}

const countText = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`

/** The first row that is not above the window, and its place. */
const anchorOf = (shown) => {
  const row = shown.find((one) => one.getBoundingClientRect().bottom > 0)
  return row === undefined ? undefined : { id: idOf(row), top: row.getBoundingClientRect().top }
}

const replaceRows = (body, fresh) => {
  const before = new Map(rows().map((row) => [idOf(row), row]))
  const anchor = scrollY > 0 ? anchorOf([...before.values()]) : undefined
  const focused = document.activeElement.closest("#list tbody tr")
  const focusedId = focused === null ? undefined : idOf(focused)
  const focusesBox = document.activeElement.matches("input")
  const place = focused === null ? -1 : rows().indexOf(focused)
  let added = 0
  let changed = 0
  const lost = []
  const next = fresh.map((row) => {
    const old = before.get(idOf(row))
    if (old === undefined) {
      added++
      row.classList.add("added")
      return row
    }
    if (old.dataset.v === row.dataset.v) return old
    changed++
    row.classList.add("added")
    if (boxOf(old).checked) {
      // the member has not seen the new decision
      if (boxOf(old).value === boxOf(row).value) boxOf(row).checked = true
      else lost.push(linkOf(row).textContent)
    }
    return row
  })
  const removed = [...before.keys()].filter((id) => !next.some((row) => idOf(row) === id)).length
  body.replaceChildren(...next)
  // the boxes are named by the links
  for (const [index, row] of next.entries()) {
    linkOf(row).id = `n${index}`
    boxOf(row).setAttribute("aria-labelledby", `n${index}`)
  }
  if (focusedId !== undefined) {
    const row = next.find((one) => idOf(one) === focusedId) ?? next[Math.min(place, next.length - 1)]
    if (row !== undefined) (focusesBox ? boxOf(row) : linkOf(row)).focus({ preventScroll: true })
  }
  const kept = anchor === undefined ? undefined : next.find((row) => idOf(row) === anchor.id)
  if (kept !== undefined) scrollBy(0, kept.getBoundingClientRect().top - anchor.top)
  showCount()
  said.textContent = [
    added > 0 ? `${countText(added, "new row")}.` : "",
    changed > 0 ? `${countText(changed, "changed row")}.` : "",
    removed > 0 && added === 0 ? `${countText(removed, "row")} no longer listed.` : "",
    lost.length > 0 ? `No longer selected, because the decision changed: ${lost.join(", ")}.` : "",
  ].join(" ")
}

const update = (page) => {
  const fresh = page.getElementById("list")
  if (fresh === null) return
  const body = list.querySelector("tbody")
  const freshRows = [...fresh.querySelectorAll("tbody tr")].map((row) => document.importNode(row, true))
  if (body !== null && freshRows.length > 0) {
    replaceRows(body, freshRows)
    const pager = fresh.querySelector(".pager")
    const old = list.querySelector(".pager")
    if (pager !== null && old?.outerHTML !== pager.outerHTML) {
      if (old === null) list.append(document.importNode(pager, true))
      else if (!old.contains(document.activeElement)) old.replaceWith(document.importNode(pager, true))
    }
  } else if (body === null && freshRows.length > 0) {
    // the first row needs the whole form
    location.reload()
  } else if (body !== null) {
    replaceRows(body, [])
  }
}

/** Returns whether to go on. */
const poll = async () => {
  const answer = await fetch(address(), {
    cache: "no-store",
    headers: { accept: "text/html", ...(tag === undefined ? {} : { "if-none-match": tag }) },
  })
  // signed out
  if (answer.redirected) return false
  if (answer.status === 304) return true
  if (!answer.ok) throw new Error(String(answer.status))
  tag = answer.headers.get("etag") ?? undefined
  update(new DOMParser().parseFromString(await answer.text(), "text/html"))
  return true
}

const schedule = (delay) => {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    // starts again when the page is shown
    if (document.hidden) return
    const goesOn = await poll().then(
      (more) => {
        wait = interval
        return more
      },
      () => {
        wait = Math.min(wait * 2, maxInterval)
        return true
      },
    )
    if (goesOn) schedule(wait)
  }, delay)
}

if (list !== null) {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) schedule(0)
  })
  schedule(interval)
}
