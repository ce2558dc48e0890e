/** Settings pages: copy buttons, forms sent once, checkbox groups, live regions, removal of secrets. */

const textOf = (element) => ("value" in element ? element.value : element.textContent)

const mark = (element) => {
  if ("select" in element) element.select()
  else getSelection().selectAllChildren(element)
}

const said = document.createElement("p")
said.className = "unseen"
said.setAttribute("role", "status")
document.querySelector("main").append(said)

const prepareCopies = (root) => {
  for (const button of root.querySelectorAll("[data-copy][hidden]")) {
    button.hidden = false
    const before = [...button.childNodes]
    button.addEventListener("click", async () => {
      const element = document.getElementById(button.dataset.copy)
      const done = await navigator.clipboard.writeText(textOf(element)).then(
        () => true,
        () => false,
      )
      // without permission, selects the text for copying by hand
      if (!done) mark(element)
      button.textContent = done ? "Copied" : "Press Ctrl+C"
      said.textContent = button.textContent
      setTimeout(() => {
        button.replaceChildren(...before)
        said.textContent = ""
      }, 3000)
    })
  }
}
prepareCopies(document)

document.addEventListener("submit", (event) => {
  const form = event.target
  // a preview leaves the form as it is
  if (form.method !== "post" || (event.submitter?.formTarget ?? "") !== "") return
  if (form.dataset.sent !== undefined) return event.preventDefault()
  form.dataset.sent = ""
  // the visitor may stop and send again
  setTimeout(() => delete form.dataset.sent, 10_000)
})

// for the back/forward cache: releases forms, removes secrets
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent
})
addEventListener("pagehide", () => {
  for (const once of document.querySelectorAll("[data-forget]")) once.textContent = once.dataset.forget
})

for (const tree of document.querySelectorAll("[data-tree]")) {
  const [parent, ...children] = tree.querySelectorAll("input")
  const show = () => {
    parent.indeterminate = !parent.checked && children.some(({ checked }) => checked)
  }
  const spread = () => {
    for (const child of children) child.checked = parent.checked
    show()
  }
  if (parent.checked) spread()
  parent.addEventListener("change", spread)
  for (const child of children) {
    child.addEventListener("change", () => {
      parent.checked = children.every(({ checked }) => checked)
      show()
    })
  }
  addEventListener("pageshow", show)
}

// a colour is chosen or typed; the typed one is sent
for (const picker of document.querySelectorAll("[data-fills]")) {
  const field = document.getElementById(picker.dataset.fills)
  picker.hidden = false
  picker.addEventListener("input", () => {
    field.value = picker.value
  })
  field.addEventListener("input", () => {
    if (/^#[\da-f]{6}$/i.test(field.value)) picker.value = field.value
  })
}

// inserts a word in double braces at the cursor
for (const button of document.querySelectorAll("[data-inserts]")) {
  button.parentElement.hidden = false
  const field = document.getElementById(button.dataset.into)
  button.addEventListener("click", () => {
    field.focus()
    field.setRangeText(button.dataset.inserts, field.selectionStart, field.selectionEnd, "end")
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

// shows what words in double braces become for a sample candidate, as fillTokens of invitations/Invitation.ts
for (const part of document.querySelectorAll("[data-samples]")) {
  const samples = new Map(Object.entries(JSON.parse(part.dataset.samples)))
  const filled = (text) =>
    text.trim().replace(/((?:,?[ \t])?)\{\{([^{}\n]*)\}\}/g, (whole, space, name) => {
      const value = samples.get(name.trim())
      return value === undefined ? whole : value && space + value
    })
  for (const shown of part.querySelectorAll("[data-sample-of]")) {
    const field = document.getElementById(shown.dataset.sampleOf)
    const show = () => {
      shown.textContent = filled(field.value) || shown.dataset.empty
    }
    field.addEventListener("input", show)
    addEventListener("pageshow", show)
  }
}

// bytes of a file, and characters of a text, that previews send
const maxPreviewed = 200_000

// draws the preview beside a form from what is typed, in a new frame, which adds no step to the browser's history
for (const live of document.querySelectorAll("[data-live]")) {
  const form = document.getElementById(live.dataset.live)
  const views = [...live.querySelectorAll("button")]
  const why = live.querySelector("[role=status]")
  let [view] = views
  let count = 0
  let timer
  let isDrawing = false
  const show = (fresh) => {
    // null: an email, whose frame is sandboxed
    const page = fresh.contentDocument
    const reasons = page?.querySelector(".unusable")
    why.textContent = reasons?.innerText ?? ""
    if (reasons) return fresh.remove()
    for (const frame of live.querySelectorAll("iframe")) if (frame !== fresh) frame.remove()
    fresh.hidden = false
  }
  const draw = () => {
    const frame = document.createElement("iframe")
    frame.name = `preview-${++count}`
    frame.title = view.textContent
    frame.hidden = true
    live.append(frame)
    frame.addEventListener("load", () => {
      if (frame.contentDocument?.URL === "about:blank") return
      if (frame.name === `preview-${count}`) show(frame)
      else frame.remove()
    })
    view.formTarget = frame.name
    isDrawing = true
    form.requestSubmit(view)
    isDrawing = false
  }
  form.addEventListener("formdata", ({ formData }) => {
    if (!isDrawing) return
    for (const [name, value] of [...formData]) {
      if (typeof value !== "string" && value.size > maxPreviewed) formData.delete(name)
      if (typeof value === "string" && value.length > maxPreviewed) formData.set(name, value.slice(0, maxPreviewed))
    }
  })
  form.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(draw, 400)
  })
  for (const button of views) {
    button.setAttribute("aria-pressed", String(button === view))
    button.addEventListener("click", (event) => {
      event.preventDefault()
      view = button
      for (const one of views) one.setAttribute("aria-pressed", String(one === view))
      draw()
    })
  }
  // a form that came back with errors, or from the history
  if (form.querySelector("[aria-invalid]") || [...form.querySelectorAll("textarea")].some(({ value }) => value)) draw()
}

// Escape and a click elsewhere close what a button has opened over the page
const closeOthers = (kept) => {
  for (const open of document.querySelectorAll(".pop[open]")) if (open !== kept) open.open = false
}
document.addEventListener("click", ({ target }) => closeOthers(target.closest(".pop")))
document.addEventListener("keydown", ({ key, target }) => {
  const open = key === "Escape" ? target.closest(".pop[open]") : null
  if (open === null) return
  open.open = false
  open.querySelector("summary").focus()
})

// shows a row for each line of a text; the text is sent. A refused text stays whole, so that its error names its lines
for (const area of document.querySelectorAll("textarea[data-lines]:not([aria-invalid])")) {
  const [label] = area.labels
  const name = label.firstChild.textContent.trim()
  const rows = document.createElement("ul")
  rows.className = "line-rows"
  const inputs = () => [...rows.querySelectorAll("input")]
  const store = () => {
    area.value = inputs()
      .map(({ value }) => value.trim())
      .filter(Boolean)
      .join("\n")
    for (const [i, input] of inputs().entries()) input.setAttribute("aria-label", `${name}, ${i + 1}`)
  }
  const addRow = (value, before = null) => {
    const row = document.createElement("li")
    const input = document.createElement("input")
    input.type = "text"
    input.dir = "auto"
    input.value = value
    const remove = document.createElement("button")
    remove.type = "button"
    remove.className = "secondary square"
    remove.title = "Remove"
    remove.setAttribute("aria-label", "Remove")
    remove.textContent = "×"
    remove.addEventListener("click", () => {
      const near = row.nextElementSibling ?? row.previousElementSibling
      row.remove()
      store()
      ;(near?.querySelector("input") ?? more).focus()
    })
    input.addEventListener("input", store)
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return
      event.preventDefault()
      addRow("", row.nextElementSibling).focus()
    })
    input.addEventListener("paste", (event) => {
      const [first, ...others] = event.clipboardData.getData("text").split(/\r?\n/)
      if (others.length === 0) return
      event.preventDefault()
      input.setRangeText(first, input.selectionStart, input.selectionEnd, "end")
      for (const line of others.toReversed()) addRow(line, row.nextElementSibling)
      store()
    })
    row.append(input, remove)
    rows.insertBefore(row, before)
    store()
    return input
  }
  const draw = () => {
    const lines = area.value.trim() === "" ? [] : area.value.split("\n")
    rows.replaceChildren()
    for (const line of lines) addRow(line)
  }
  const more = document.createElement("button")
  more.type = "button"
  more.className = "link"
  more.textContent = "Add a reason"
  more.addEventListener("click", () => addRow("").focus())
  draw()
  // a suggestion, and what the browser restores
  area.addEventListener("input", draw)
  addEventListener("pageshow", draw)
  label.addEventListener("click", () => (inputs()[0] ?? more).focus())
  area.hidden = true
  area.after(rows, more)
}

// adds a suggestion as the last line of a text, or fills a field with it
for (const button of document.querySelectorAll("[data-adds-to]")) {
  button.hidden = false
  button.addEventListener("click", () => {
    const field = document.getElementById(button.dataset.addsTo)
    const isText = field.matches("textarea")
    field.value = isText ? [field.value.trimEnd(), button.textContent].filter(Boolean).join("\n") : button.textContent
    button.hidden = isText
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

// marks the part of the account's page that is being read, in the menu of its parts
const partLinks = [...document.querySelectorAll(".own-sections a[href^='#']")]
if (partLinks.length > 0) {
  const parts = partLinks.map(({ hash }) => document.querySelector(hash))
  const markRead = () => {
    const isEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    const passed = parts.findLastIndex((part) => part.getBoundingClientRect().top < innerHeight / 3)
    // the last parts are too short to come to the top
    const chosen = isEnd ? partLinks.findIndex(({ hash }) => hash === location.hash) : -1
    const current = chosen < 0 ? Math.max(passed, 0) : chosen
    for (const [index, link] of partLinks.entries())
      if (index === current) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
  }
  addEventListener("scroll", markRead, { passive: true })
  addEventListener("hashchange", markRead)
  markRead()
}

for (const form of document.querySelectorAll("form.filter")) {
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name)
  })
}

const known = new Map()

const isBusy = (region) => {
  const selection = getSelection()
  return !selection.isCollapsed && region.contains(selection.anchorNode)
}

const replace = (region, fresh) => {
  const before = new Map([...region.querySelectorAll("details")].map(({ id, open }) => [id, open]))
  const focused = region.contains(document.activeElement) ? document.activeElement.id : ""
  const next = document.importNode(fresh, true)
  region.replaceWith(next)
  for (const details of next.querySelectorAll("details")) details.open = before.get(details.id) ?? details.open
  prepareCopies(next)
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true })
}

// returns whether more changes are expected
const refresh = async () => {
  const regions = [...document.querySelectorAll("[data-refresh]")]
  if (regions.length === 0) return false
  if (document.hidden) return true
  const answer = await fetch(location.href, { headers: { accept: "text/html" } })
  // signed out
  if (answer.redirected) return false
  if (!answer.ok) return true
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  for (const region of regions) {
    const fresh = page.getElementById(region.id)
    if (fresh === null || known.get(region.id) === fresh.outerHTML || isBusy(region)) continue
    known.set(region.id, fresh.outerHTML)
    replace(region, fresh)
  }
  return true
}

const again = () => {
  setTimeout(() => {
    // retries after a network error
    refresh()
      .catch(() => true)
      .then((goesOn) => goesOn && again())
  }, 4000)
}
again()
