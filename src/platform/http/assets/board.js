/** The board: drag and drop, moves in a dialog, updates while it is open. Forms and answers are those of the pages. */

const board = document.getElementById("board")
const notice = document.getElementById("notice")
const said = document.getElementById("said")
const placeOf = (card) => card.closest("section").dataset.place
const nameOf = (card) => card.querySelector("bdi").textContent
const hrefOf = (card) => card.querySelector(".move").href

let dragged
let isBusy = false
let dialog

const prepare = () => {
  for (const card of board.querySelectorAll("li")) {
    card.draggable = true
    // links are draggable by themselves
    for (const link of card.querySelectorAll("a")) link.draggable = false
  }
}
prepare()

const isOpen = () => document.getElementById("ended")?.open ?? false

/** Replaces the columns and the notice by those of a page. The board keeps its place and the focus. */
const show = (page, moved) => {
  const fresh = page.getElementById("board")
  const focused = document.activeElement.closest("#board li")?.id ?? moved
  const isMove = moved !== undefined || document.activeElement.matches(".move")
  const [left, top, wasOpen] = [board.scrollLeft, board.scrollTop, isOpen()]
  board.replaceChildren(...[...fresh.children].map((column) => document.importNode(column, true)))
  board.dataset.tag = fresh.dataset.tag
  const ended = document.getElementById("ended")
  if (ended !== null) ended.open = wasOpen
  board.scrollTo(left, top)
  prepare()
  const card = focused === undefined ? null : document.getElementById(focused)
  if (moved !== undefined) {
    const told = page.getElementById("notice")
    notice.replaceChildren(...[...told.children].map((one) => document.importNode(one, true)))
    said.textContent = notice.querySelector("p")?.textContent ?? ""
    card?.classList.add("moved")
    card?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }
  card?.querySelector(isMove ? ".move" : "a")?.focus({ preventScroll: true })
}

const alertOf = (text) => {
  const box = document.createElement("div")
  box.className = "alert"
  box.setAttribute("role", "alert")
  const line = document.createElement("p")
  line.textContent = text
  box.append(line)
  return box
}

const closeDialog = () => dialog?.close()

const openDialog = (form) => {
  closeDialog()
  dialog = document.createElement("dialog")
  dialog.className = "move-dialog"
  const heading = form.querySelector("h1")
  heading.id = "move-title"
  dialog.setAttribute("aria-labelledby", heading.id)
  dialog.append(form)
  dialog.addEventListener("close", ({ target }) => {
    target.remove()
    if (dialog === target) dialog = undefined
  })
  document.querySelector("main").append(dialog)
  dialog.showModal()
  const first = form.querySelector("input[type=radio]:checked") ?? form.querySelector("input[type=radio]")
  first?.focus()
}

/** Shows the answer to a form, which is the board or the form with its errors. */
const take = async (answer, moved) => {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  const form = page.querySelector(".move-form")
  if (page.getElementById("board") !== null) {
    closeDialog()
    show(page, moved)
  } else if (form !== null) openDialog(document.importNode(form, true))
  // signed out, or the candidate is no longer readable
  else location.assign(answer.url)
}

const send = async (url, body, moved, restore) => {
  if (isBusy) return
  isBusy = true
  try {
    const answer = await fetch(url, { method: "POST", headers: { accept: "text/html" }, body })
    if (answer.status >= 500) throw new Error(String(answer.status))
    await take(answer, moved)
  } catch {
    restore()
    notice.replaceChildren(alertOf("Nothing was moved: the service could not be reached. Try again."))
  } finally {
    isBusy = false
  }
}

const ask = async (card, to) => {
  const url = `${hrefOf(card)}${to === undefined ? "" : `?to=${to}`}`
  try {
    const answer = await fetch(url, { headers: { accept: "text/html" } })
    await take(answer)
  } catch {
    location.assign(url)
  }
}

// --- drag and drop ---

const columnAt = ({ target }) => (target instanceof Element ? target.closest("#board section") : null)

const mark = (column) => {
  for (const one of board.querySelectorAll(".target")) one.classList.remove("target")
  column?.classList.add("target")
}

board.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.("li")
  if (dragged === null || dragged === undefined) return
  event.dataTransfer.effectAllowed = "move"
  event.dataTransfer.setData("text/plain", nameOf(dragged))
  dragged.classList.add("dragged")
})
board.addEventListener("dragover", (event) => {
  const column = columnAt(event)
  if (!dragged || column === null) return
  event.preventDefault()
  event.dataTransfer.dropEffect = "move"
  mark(column)
})
board.addEventListener("dragend", () => {
  dragged?.classList.remove("dragged")
  dragged = undefined
  mark()
})
board.addEventListener("drop", (event) => {
  const card = dragged
  const column = columnAt(event)
  if (!card || column === null) return
  event.preventDefault()
  const to = column.dataset.place
  if (to === placeOf(card)) return
  if (to === "ended") {
    ask(card, "reject")
    return
  }
  const [list, next] = [card.parentElement, card.nextElementSibling]
  column.querySelector("ul").prepend(card)
  const body = new URLSearchParams({ to, seen: card.dataset.seen, on: "board" })
  const address = new URL(hrefOf(card))
  address.search = new URL(board.dataset.moves, location.href).search
  send(address, body, card.id, () => list.insertBefore(card, next))
})

// --- the dialog ---

document.addEventListener("click", (event) => {
  const { altKey, button, ctrlKey, metaKey, shiftKey, target } = event
  if (altKey || button !== 0 || ctrlKey || metaKey || shiftKey) return
  if (target.closest("[data-close]") !== null && dialog !== undefined) {
    event.preventDefault()
    closeDialog()
    return
  }
  const link = target.closest("#board .move")
  if (link === null) return
  event.preventDefault()
  ask(link.closest("li"))
})
document.addEventListener("submit", (event) => {
  const form = event.target
  const isMove = form.matches(".move-form")
  if (!isMove && !form.matches("#notice form")) return
  event.preventDefault()
  const id = new URL(form.action).pathname.split("/")[4]
  send(form.action, new URLSearchParams(new FormData(form)), `c${id}`, () => delete form.dataset.sent)
})

// --- updates ---

const interval = 10_000
const poll = async () => {
  if (document.hidden || isBusy || dragged || dialog !== undefined) return true
  const answer = await fetch(board.dataset.path, {
    cache: "no-store",
    headers: { accept: "text/html", "if-none-match": board.dataset.tag },
  })
  if (answer.redirected) return false
  if (answer.status === 200 && !isBusy && !dragged && dialog === undefined)
    show(new DOMParser().parseFromString(await answer.text(), "text/html"))
  return true
}
const schedule = () => {
  setTimeout(async () => {
    if (await poll().catch(() => true)) schedule()
  }, interval)
}
schedule()
