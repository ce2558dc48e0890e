/** /docs: copy buttons, tabs of languages. */

const said = document.createElement("p")
said.className = "unseen"
said.setAttribute("role", "status")
document.querySelector("main").append(said)

for (const pre of document.querySelectorAll(".code > pre")) {
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    const done = await navigator.clipboard.writeText(pre.textContent).then(
      () => true,
      () => false,
    )
    // without permission, selects the text for copying by hand
    if (!done) getSelection().selectAllChildren(pre)
    button.textContent = done ? "Copied" : "Press Ctrl+C"
    said.textContent = button.textContent
    setTimeout(() => {
      button.textContent = "Copy"
      said.textContent = ""
    }, 3000)
  })
  pre.before(button)
}

const key = "docs.language"

// a browser may refuse storage
const stored = () => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const store = (language) => {
  try {
    localStorage.setItem(key, language)
  } catch {}
}

const groups = [...document.querySelectorAll(".samples")].map((samples, group) => {
  const list = document.createElement("div")
  list.setAttribute("role", "tablist")
  list.setAttribute("aria-label", "Language")
  const tabs = [...samples.querySelectorAll("details")].map((details) => {
    const language = details.querySelector("summary").textContent
    const panel = details.querySelector(".code")
    const tab = document.createElement("button")
    tab.type = "button"
    tab.textContent = language
    tab.id = `tab-${group}-${language}`
    tab.setAttribute("role", "tab")
    panel.id = `code-${group}-${language}`
    panel.setAttribute("role", "tabpanel")
    panel.setAttribute("aria-labelledby", tab.id)
    tab.setAttribute("aria-controls", panel.id)
    list.append(tab)
    return { language, panel, tab }
  })
  samples.replaceChildren(list, ...tabs.map(({ panel }) => panel))
  return tabs
})

const show = (language) => {
  for (const tabs of groups) {
    for (const each of tabs) {
      const isChosen = each.language === language
      each.tab.setAttribute("aria-selected", String(isChosen))
      each.tab.tabIndex = isChosen ? 0 : -1
      each.panel.hidden = !isChosen
    }
  }
}

// code above changes its height: the chosen tab stays where it is
const choose = ({ language, tab }) => {
  const { top } = tab.getBoundingClientRect()
  show(language)
  store(language)
  tab.focus({ preventScroll: true })
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" })
}

const targets = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

for (const tabs of groups) {
  for (const [index, each] of tabs.entries()) {
    each.tab.addEventListener("click", () => choose(each))
    each.tab.addEventListener("keydown", (event) => {
      const target = targets[event.key]?.(index, tabs.length)
      if (target === undefined) return
      event.preventDefault()
      choose(tabs[target])
    })
  }
}

const [first = []] = groups
const remembered = first.find(({ language }) => language === stored())
if (first.length > 0) show((remembered ?? first[0]).language)

// the code above the target of the link changed its height
const target = location.hash === "" ? null : document.getElementById(location.hash.slice(1))
if (target !== null) target.scrollIntoView({ behavior: "instant" })
