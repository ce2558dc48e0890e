/** Links and forms wait until the service is reachable; otherwise the browser would show an error page. */
import { createElement } from "./offer.js"
import { find } from "./page.js"

const notice = find("[data-offline]")
/** Milliseconds. */
const patience = 10_000

let retry
let onReached

const check = async () => {
  clearTimeout(retry)
  const answered = await fetch(notice.dataset.offline, { method: "HEAD", signal: AbortSignal.timeout(patience) }).then(
    ({ status }) => status < 500,
    () => false,
  )
  const text = answered ? "" : notice.dataset.words
  if (notice.textContent !== text) notice.textContent = text
  if (answered) onReached?.()
  else retry = setTimeout(check, 5_000)
  return answered
}

export const reachable = async () => {
  if (!notice) return true
  // so that screen readers announce the notice again
  notice.textContent = ""
  return check()
}

export const whenReachable = async (next) => {
  if (await reachable()) return next()
  onReached = next
}

/** Submits the form without another `submit` event, with the name and value of the pressed button. */
export const submitWith = (form, submitter) => {
  if (!submitter?.name) return form.submit()
  const pressed = createElement("input", { type: "hidden", name: submitter.name, value: submitter.value })
  form.append(pressed)
  form.submit()
  // submit() has read the fields; a page restored from the back/forward cache must not send it again
  pressed.remove()
}

const isPlain = ({ altKey, button, ctrlKey, metaKey, shiftKey }) =>
  button === 0 && !(altKey || ctrlKey || metaKey || shiftKey)

/** Guards links and forms that no other module handles. */
export const guardNavigation = () => {
  if (!notice) return
  addEventListener("online", () => notice.textContent && check())
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]")
    if (!link || event.defaultPrevented || !isPlain(event) || link.origin !== location.origin) return
    if (link.hasAttribute("download") || link.hash) return
    event.preventDefault()
    if (await reachable()) location.assign(link.href)
  })
  document.addEventListener("submit", async (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    const { submitter, target } = event
    if (submitter?.hasAttribute("aria-disabled")) return
    submitter?.setAttribute("aria-disabled", "true")
    if (await reachable()) return submitWith(target, submitter)
    submitter?.removeAttribute("aria-disabled")
  })
}
