/** Adds new rows to the lists of the mailbox and the receiver under npm start; leaves shown rows, open or closed. */
const list = document.querySelector("[data-live]")

const refresh = async () => {
  if (document.hidden) return
  const answer = await fetch(location.href, { headers: { accept: "text/html" } })
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  const rows = [...page.querySelectorAll("[data-live] > li")]
  const added = rows.filter(({ id }) => document.getElementById(id) === null)
  list.prepend(...added)
  if (added.length > 0) document.querySelector("[data-live] + .empty")?.remove()
}

const again = () => {
  setTimeout(() => {
    // also after a network error
    refresh()
      .catch(() => {})
      .finally(again)
  }, 2000)
}

again()
