/** Converts times from UTC to the visitor's time zone. */
const { lang } = document.documentElement
const languages = navigator.languages.find((language) => language.startsWith(lang)) ?? (lang === "en" ? "en-GB" : lang)
const hour = { hour: "2-digit", minute: "2-digit" }
const date = { day: "numeric", month: "long", year: "numeric" }
const formats = {
  time: new Intl.DateTimeFormat(languages, hour),
  moment: new Intl.DateTimeFormat(languages, { weekday: "long", ...date, ...hour, timeZoneName: "short" }),
  day: new Intl.DateTimeFormat(languages, { ...date, month: "short" }),
  short: new Intl.DateTimeFormat(languages, { ...date, month: "short", ...hour }),
}

const show = (root) => {
  for (const time of root.querySelectorAll("time[data-local]")) {
    time.title = time.textContent
    time.textContent = formats[time.dataset.local].format(new Date(time.dateTime))
    delete time.dataset.local
  }
}

show(document)
// for rows that devLists.js adds
new MutationObserver(() => show(document)).observe(document.body, { childList: true, subtree: true })
