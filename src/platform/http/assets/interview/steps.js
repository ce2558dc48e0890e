/** Uploads, next question, submission. */
import { id } from "./answer.js"
import { saveAll, saveCorrection } from "./correction.js"
import { sendDrafts } from "./drafts.js"
import { channel, find, form, question, running, say, words } from "./page.js"
import { reachable, submitWith } from "./reach.js"
import { stopRecording } from "./recorder.js"
import { ended, leave, work } from "./saving.js"

export const upload = (input) => {
  const bar = find("[data-upload]", question)
  const alert = find("[data-error]", question)
  // opens the chooser at once; without the script, the summary unfolds it
  find("[data-replace] > summary", question)?.addEventListener("click", (event) => {
    event.preventDefault()
    input.click()
  })
  const refuse = (error) => {
    input.value = ""
    alert.textContent = error
    alert.hidden = false
    say(words("choosing"))
  }
  input.addEventListener("change", () => {
    const [file] = input.files
    if (!file) return
    if (file.size > Number(input.dataset.maxSize)) return refuse(words("tooLarge", { name: file.name }))
    alert.hidden = true
    const request = new XMLHttpRequest()
    let done
    work.saving = new Promise((resolve) => {
      done = resolve
    })
    bar.hidden = false
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = (100 * loaded) / total
      say(words("uploading", { percent: Math.floor((10 * loaded) / total) * 10 }))
    })
    request.addEventListener("loadend", () => {
      work.saving = undefined
      bar.hidden = true
      if (request.status === 409 || request.status === 404) return ended()
      if (request.status === 200) {
        leave()
        channel?.postMessage({ draft: running.dataset.draft, id, revision: work.revision + 1 })
        return work.destination
          ? location.assign(work.destination)
          : location.replace(`?${find("[name=from]", form) ? "review&" : ""}saved`)
      }
      let error
      try {
        error = JSON.parse(request.responseText).error
      } catch {}
      refuse(error ?? words("uploadFailed"))
      work.destination = undefined
      done()
    })
    request.open("POST", running.dataset.save)
    request.setRequestHeader("accept", "application/json")
    request.send(new FormData(form))
  })
  addEventListener("beforeunload", (event) => {
    if (work.saving && !work.leaving) event.preventDefault()
  })
}

export const handleSubmit = () => {
  form.addEventListener("submit", async (event) => {
    const { submitter } = event
    event.preventDefault()
    if (work.leaving || submitter?.hasAttribute("aria-disabled")) return
    submitter?.setAttribute("aria-disabled", "true")
    await stopRecording()
    if (submitter?.hasAttribute("data-correct")) {
      await saveCorrection()
      return submitter.removeAttribute("aria-disabled")
    }
    if (submitter?.hasAttribute("data-remove") || (submitter && !submitter.dataset.href && find("[type=file]", form))) {
      // the form has the correction, too: what is on its way arrives before it
      if (!(await reachable()) || !(await saveCorrection())) return submitter.removeAttribute("aria-disabled")
      leave()
      return submitWith(form, submitter)
    }
    work.destination = submitter?.dataset.href
    const isSending = work.isChanged
    let isDone = await saveAll()
    // no check if a save has just reached the service
    if (isDone ? !isSending : work.failures > 0) isDone = (await reachable()) && isDone
    submitter?.removeAttribute("aria-disabled")
    const { destination } = work
    work.destination = undefined
    if (!isDone || !destination || work.leaving) return
    leave()
    location.assign(destination)
  })
}

export const submitOnce = (finish) =>
  finish.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (work.leaving || work.isSubmitting) return
    const { submitter } = event
    work.isSubmitting = true
    submitter?.setAttribute("aria-disabled", "true")
    await stopRecording()
    // no check while a reload is pending: the reload would come before the submission
    const isReady = (work.isReloading || (await reachable())) && (await sendDrafts())
    if (work.leaving) return
    if (isReady) {
      leave()
      return finish.submit()
    }
    work.isSubmitting = false
    submitter?.removeAttribute("aria-disabled")
    find("[data-unsent] a")?.focus()
  })
