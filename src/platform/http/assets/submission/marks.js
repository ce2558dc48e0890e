/** The page of a submission: marks the places of a requirement in the answers while it has the pointer or the focus. */
export const criteria = [...document.querySelectorAll(".criterion")]

let shownNumber = document.querySelector(".places-of[aria-current]")?.closest(".criterion").dataset.number

const markPlaces = (number) => {
  if (number === shownNumber) return
  shownNumber = number
  for (const mark of document.querySelectorAll("mark[data-of]")) {
    mark.classList.toggle("on", mark.dataset.of.split(" ").includes(number))
  }
  for (const one of criteria) one.classList.toggle("on", one.dataset.number === number)
}

for (const one of criteria) {
  one.addEventListener("pointerenter", () => markPlaces(one.dataset.number))
  one.addEventListener("focusin", () => markPlaces(one.dataset.number))
  one.querySelector(".places-of")?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    markPlaces(one.dataset.number)
    location.hash = event.currentTarget.hash
  })
}
