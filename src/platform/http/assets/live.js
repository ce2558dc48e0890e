/** Adds new rows to a list as they appear on the server. Rows that are there stay as they are, open or closed. */
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
    // a server that is away now may be back the next time
    refresh()
      .catch(() => {})
      .finally(again)
  }, 2000)
}

again()
