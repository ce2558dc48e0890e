/** Formats times as the visitor does: in the organization's time zone (`data-zone`), else in the visitor's. */
const { dataset, lang } = document.documentElement
const languages = navigator.languages.find((language) => language.startsWith(lang)) ?? (lang === "en" ? "en-GB" : lang)
const hour = { hour: "2-digit", minute: "2-digit" }
const date = { day: "numeric", month: "long", year: "numeric" }
const second = { second: "2-digit" }
const named = { timeZoneName: "short" }
/** Their page names the zone, or it would not help. */
const withoutZone = ["clock", "second", "day"]
const options = {
  clock: hour,
  second: { ...hour, ...second },
  time: hour,
  moment: { weekday: "long", ...date, ...hour },
  day: { ...date, month: "short" },
  short: { ...date, month: "short", ...hour },
  exact: { ...date, month: "short", ...hour, ...second },
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
const zonedNamed = once(
  (name) => new Intl.DateTimeFormat(languages, { ...options[name], ...named, timeZone: dataset.zone }),
)
const zoned = once((name) => new Intl.DateTimeFormat(languages, { ...options[name], timeZone: dataset.zone }))

/** Names the zone where the visitor's clock shows another time. */
const showZoned = (time, name, at) => {
  const isSame = own(name).format(at) === zoned(name).format(at)
  time.title = isSame ? time.textContent : `${ownNamed(name).format(at)} (your time)`
  if (name !== "moment") time.textContent = (isSame || withoutZone.includes(name) ? zoned : zonedNamed)(name).format(at)
}

const showOwn = (time, name, at) => {
  time.title = time.textContent
  time.textContent = (withoutZone.includes(name) ? own : ownNamed)(name).format(at)
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
