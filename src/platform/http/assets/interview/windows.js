/** Shows changes made in other windows and on other devices. */
import { id, isSame, showAnswer, valueNow } from "./answer.js"
import { saveAll } from "./correction.js"
import { find, question, running, say, words } from "./page.js"
import { ended, leave, save, work } from "./saving.js"
import { state } from "./service.js"

export const refresh = async () => {
  const now = await state().catch(() => undefined)
  if (now === undefined || work.leaving) return
  if (now.state !== "running" || now.draft !== running.dataset.draft) {
    const isSaved = await saveAll()
    if (work.leaving) return
    if (!isSaved) return ended()
    leave()
    return location.assign(running.dataset.home)
  }
  const saved = now.answers[id]
  if (!question || saved === undefined || saved.revision <= work.revision || work.saving) return
  const isOther = !isSame(valueNow(), saved)
  // save() offers the choice
  if (isOther && work.isChanged) return void save()
  work.revision = saved.revision
  if ((saved.file !== null) !== (find("[data-file]", question) !== null)) return location.reload()
  if (!isOther) return
  showAnswer(saved)
  say(words("elsewhere"))
}
