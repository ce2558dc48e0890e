/** Copies questions or requirements of other sets into the draft of a set, which the page carries in hidden fields. */
import type { Member } from "../../accounts/members/Member.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { wordIn } from "../../platform/http/PageParts.ts"
import { type Question, questionTypeOf } from "../InterviewSet.ts"
import type { LibraryItem } from "../SetLibraryRepository.ts"
import { recordPage } from "./RecordPage.ts"
import { answerKind, typeNames, weightNames } from "./SetLabels.ts"

export interface Library {
  readonly action: string
  readonly rowKind: "q" | "r"
  readonly text: string
  readonly set: string
  readonly sets: ReadonlyArray<readonly [id: string, title: string]>
  readonly items: ReadonlyArray<LibraryItem>
  /** The questions among `items`. */
  readonly questions: ReadonlyArray<Question>
  readonly hasMore: boolean
  readonly picked: ReadonlyArray<string>
  /** The draft. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly notice?: Notice | undefined
}

export const setLibraryPage = (member: Member, library: Library): Document => {
  const { action, fields, hasMore, items, rowKind, notice, picked, questions, set, sets, text } = library
  const names = rowKind === "q" ? "questions" : "requirements"
  const title = `Add ${names} from another set`
  const elsewhere = picked.filter((id) => !items.some((item) => item.id === id))
  const kindOf = ({ id, type_id }: LibraryItem) => {
    if (rowKind === "r") return wordIn(weightNames, String(type_id))
    const question = questions.find((one) => one.id === id)
    return question === undefined ? wordIn(typeNames, questionTypeOf(type_id)) : answerKind(question)
  }
  const page = recordPage(member, {
    title,
    place: "Interview sets",
    notice,
    main: html`<header class="lead"><h1>${title}</h1><p class="welcome">Choose what to copy. Your edits are kept; nothing is saved yet.</p></header>
<form method="post" action="${action}" class="set-form library" data-editor data-dirty novalidate>
<div class="narrow" role="search"><label class="grow">Search<input type="search" name="library.text" value="${text}" maxlength="200" autofocus></label>
<label>Set<select name="library.set"><option value="">All sets</option>${sets.map(([id, name]) => html`<option value="${id}"${id === set ? html` selected` : null}>${name}</option>`)}</select></label>
<button class="secondary" name="do" value="library.search">Search</button></div>
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="library" value="${rowKind}">${elsewhere.map((id) => html`<input type="hidden" name="pick" value="${id}">`)}
${
  items.length === 0
    ? html`<p class="empty">${text === "" && set === "" ? `Your other sets have no ${names} yet.` : `No ${names} match. Search for other words, or choose another set.`}</p>`
    : html`<fieldset class="picks found"><legend class="unseen">Found ${names}</legend>${items.map(
        (item) =>
          html`<label class="pick"><input type="checkbox" name="pick" value="${item.id}"${picked.includes(item.id) ? html` checked` : null}><span><span dir="auto">${item.title}</span> <span class="quiet">${kindOf(item)} · <bdi>${item.set_title}</bdi></span></span></label>
`,
      )}</fieldset>`
}
${hasMore ? html`<p class="note">Only the newest are shown. Search to find others.</p>` : null}
${elsewhere.length === 0 ? null : html`<p class="note">${elsewhere.length} chosen in earlier searches ${elsewhere.length === 1 ? "is" : "are"} also added.</p>`}
<div class="save-bar"><p class="actions"><button class="primary" name="do" value="library.insert">Add to set</button>
<button class="secondary" name="do" value="library.back">Back</button></p></div>
</form>`,
  })
  return { ...page, styles: [...(page.styles ?? []), "editor.css"], scripts: [...page.scripts, "editor.js"] }
}
