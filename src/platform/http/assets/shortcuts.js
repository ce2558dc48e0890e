/** Whether the member uses shortcuts of one key in this browser (WCAG 2.1.4); the page of a submission has the switch. */
const shortcutsName = "shortcuts"

// the member may have turned storage off
export const areShortcutsOn = () => {
  try {
    return localStorage.getItem(shortcutsName) !== "off"
  } catch {
    return true
  }
}

export const storeShortcuts = (isOn) => {
  try {
    localStorage.setItem(shortcutsName, isOn ? "on" : "off")
  } catch {
    // the choice holds for this page
  }
}
