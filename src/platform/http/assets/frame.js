/** The workspace's frame: the menu of narrow screens, the choice of a settings section, the focus on errors. */

// browsers ignore autofocus when the URL has a fragment
document.querySelector("[role=alert][autofocus]")?.focus()

const menu = document.querySelector(".menu")
if (menu) {
  const header = menu.closest("header")
  const summary = menu.querySelector("summary")
  const close = () => {
    menu.open = false
  }
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return
    close()
    summary.focus()
  })
  document.addEventListener("click", ({ target }) => header.contains(target) || close())
  header.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !header.contains(relatedTarget)) close()
  })
  // for the back/forward cache
  addEventListener("pagehide", close)
}

for (const form of document.querySelectorAll("[data-go]")) {
  const [select, button] = [form.querySelector("select"), form.querySelector("button")]
  button.hidden = true
  // in a closed select, each arrow key changes the value: the button lets the visitor pass several sections
  let isTyping = false
  select.addEventListener("pointerdown", () => {
    isTyping = false
  })
  select.addEventListener("keydown", ({ key }) => {
    isTyping = key !== "Enter"
  })
  select.addEventListener("change", () => {
    if (isTyping) button.hidden = false
    else form.requestSubmit()
  })
  addEventListener("pageshow", () => form.reset())
}
