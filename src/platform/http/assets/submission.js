/** The page of a submission: warns before unsaved changes of a review are lost. */
const form = document.querySelector("form[data-unsaved]")

if (form !== null) {
  const stateOf = () => new URLSearchParams(new FormData(form)).toString()
  // a form that was refused is unsaved from the start
  const saved = form.dataset.unsaved === "" ? stateOf() : undefined
  let isSending = false
  form.addEventListener("submit", () => {
    isSending = true
  })
  addEventListener("pageshow", () => {
    isSending = false
  })
  addEventListener("beforeunload", (event) => {
    if (!isSending && stateOf() !== saved) event.preventDefault()
  })
}
