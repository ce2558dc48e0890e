/** Formats times as the visitor does: in the organization's time zone (`data-zone`), else in the visitor's. */
const { dataset, lang } = document.documentElement
const languages = navigator.languages.find((language) => language.startsWith(lang)) ?? (lang === "en" ? "en-GB" : lang)
const hour = { hour: "2-digit", minute: "2-digit" }
const date = { day: "numeric", month: "long", year: "numeric" }
const named = { timeZoneName: "short" }
const options = {
  time: hour,
  moment: { weekday: "long", ...date, ...hour },
  day: { ...date, month: "short" },
  short: { ...date, month: "short", ...hour },
}
const once = (make) => {
  const made = {}
  return (name) => {
    made[name] ??= make(name)
    return made[name]
  }
}
const own = once((name) => new Intl.DateTimeFormat(languages, options[name]))
const ownNamed = once((name) => new Intl.DateTimeFormat(languages, { ...options[name], ...named }))
const zoned = once((name) => new Intl.DateTimeFormat(languages, { ...options[name], timeZone: dataset.zone }))

/** The server's text names the zone. It stays where the visitor's clock shows another time. */
const showZoned = (time, name, at) => {
  const [here, there] = [own(name).format(at), zoned(name).format(at)]
  time.title = here === there ? time.textContent : `${ownNamed(name).format(at)} (your time)`
  if (here === there && name !== "moment") time.textContent = here
}

const showOwn = (time, name, at) => {
  time.title = time.textContent
  time.textContent = (name === "day" ? own : ownNamed)(name).format(at)
}

const show = (root) => {
  for (const time of root.querySelectorAll("time[data-local]")) {
    const { local } = time.dataset
    delete time.dataset.local
    try {
      ;(dataset.zone === undefined ? showOwn : showZoned)(time, local, new Date(time.dateTime))
    } catch {
      // a browser that lacks the zone: the server's text stays
    }
  }
}

show(document)
// for rows that devLists.js adds
new MutationObserver(() => show(document)).observe(document.body, { childList: true, subtree: true })

for (const input of document.querySelectorAll("input[data-own-zone]")) {
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone
}
