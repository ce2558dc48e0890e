/** The page of a submission: opens the folded part that a link leads to, and chooses the answer that a comment is about. */
const openTarget = () => {
  const part = document.querySelector(":target")?.closest("summary")?.parentElement
  if (part) part.open = true
}
addEventListener("hashchange", openTarget)
openTarget()

document.addEventListener("click", (event) => {
  const { altKey, button, ctrlKey, metaKey, shiftKey, target } = event
  if (altKey || button !== 0 || ctrlKey || metaKey || shiftKey) return
  // the address stays the same when a part was closed again
  if (target.closest(`a[href="${location.hash}"]`) !== null) openTarget()
  const about = target.closest("[data-about]")?.dataset.about
  if (about === undefined) return
  event.preventDefault()
  document.getElementById("comment-about").value = about
  document.getElementById("comment-text").focus()
})
