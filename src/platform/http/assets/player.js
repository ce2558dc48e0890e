/** Recordings of answers: how fast they play, and links to a second of them. The browser stores the speed. */
const speedName = "speed"
const players = document.querySelectorAll(".recorded")

// the member may have turned storage off
const storedSpeed = () => {
  try {
    return Number(localStorage.getItem(speedName)) || 1
  } catch {
    return 1
  }
}

const play = (speed) => {
  for (const player of players) {
    // loading a recording sets it to the default
    player.defaultPlaybackRate = speed
    player.playbackRate = speed
  }
  for (const button of document.querySelectorAll("[data-speed]"))
    button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === speed))
}

for (const choice of document.querySelectorAll(".speeds")) choice.hidden = false
play(storedSpeed())

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-speed]")
  if (button === null) return
  play(Number(button.dataset.speed))
  try {
    localStorage.setItem(speedName, button.dataset.speed)
  } catch {
    // the choice holds for this page
  }
})

/** A link to a second plays the recording there. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-second]")
  const player = link && document.querySelector(`[data-recording="${link.dataset.of}"]`)
  if (!player || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  player.currentTime = Number(link.dataset.second)
  player.play().catch(() => {})
  player.focus()
})
