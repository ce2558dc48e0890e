/** The settings' pages: copying, forms that are sent once, boxes of events, lists that follow what happens, secrets that do not stay. */

// what stands in a field or a block goes to the clipboard
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
      // without the clipboard's leave it is marked, and copied by hand
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

// a press too many sends nothing
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent !== undefined) event.preventDefault()
    form.dataset.sent = ""
  })
}

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent
})

// the browser may keep the page for the way back; the value is not to come back with it
addEventListener("pagehide", () => {
  for (const once of document.querySelectorAll("[data-forget]")) {
    once.textContent = "The value was shown once, and is not shown again."
  }
})
