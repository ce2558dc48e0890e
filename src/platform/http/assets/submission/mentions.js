/** The page of a submission: offers the names of colleagues while a member writes an @ in a comment. */
const colleagues = [...document.querySelectorAll(".mentions [name=mention] + span bdi")].map((one) => one.textContent)
const most = 6

/** The @ and what follows it, before the cursor. */
const begun = /(?:^|[\s(])@([^\n@]{0,60})$/

const offer = (area) => {
  const list = document.createElement("ul")
  list.id = `${area.id}-names`
  list.className = "names"
  list.setAttribute("role", "listbox")
  list.setAttribute("aria-label", "Colleagues")
  list.hidden = true
  area.after(list)
  area.setAttribute("aria-autocomplete", "list")
  area.setAttribute("aria-controls", list.id)

  let active = 0

  const typed = () => begun.exec(area.value.slice(0, area.selectionStart))?.[1]

  const close = () => {
    list.hidden = true
    area.removeAttribute("aria-activedescendant")
  }

  const mark = (index) => {
    active = (index + list.children.length) % list.children.length
    for (const [at, one] of [...list.children].entries()) one.setAttribute("aria-selected", String(at === active))
    area.setAttribute("aria-activedescendant", list.children[active].id)
  }

  const take = () => {
    const start = area.selectionStart - typed().length
    area.setRangeText(`${list.children[active].textContent} `, start, area.selectionStart, "end")
    area.dispatchEvent(new Event("input", { bubbles: true }))
    close()
  }

  const update = () => {
    const text = typed()?.toLocaleLowerCase()
    const found =
      text === undefined
        ? []
        : colleagues.filter((name) =>
            [name, ...name.split(/\s+/)].some((part) => part.toLocaleLowerCase().startsWith(text)),
          )
    if (found.length === 0) return close()
    list.replaceChildren(
      ...found.slice(0, most).map((name, index) => {
        const option = document.createElement("li")
        option.id = `${list.id}-${index}`
        option.dir = "auto"
        option.setAttribute("role", "option")
        option.textContent = name
        option.addEventListener("pointerdown", (event) => {
          event.preventDefault()
          active = index
          take()
        })
        return option
      }),
    )
    list.hidden = false
    mark(0)
  }

  area.addEventListener("input", update)
  area.addEventListener("blur", close)
  area.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const moves = {
      ArrowDown: () => mark(active + 1),
      ArrowUp: () => mark(active - 1),
      Enter: take,
      Tab: take,
      Escape: close,
    }
    if (!Object.hasOwn(moves, event.key)) return
    event.preventDefault()
    event.stopPropagation()
    moves[event.key]()
  })
}

if (colleagues.length > 0) for (const area of document.querySelectorAll(".comments textarea")) offer(area)
