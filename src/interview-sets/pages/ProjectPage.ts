import type { Member } from "../../accounts/members/Member.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { day } from "../../platform/http/PageParts.ts"
import type { Page } from "../../values/Cursor.ts"
import { maxOfProject } from "../Project.ts"
import type { ProjectFile, ProjectLine } from "../ProjectRepository.ts"
import { listPager, recordPage } from "./RecordPage.ts"
import { setHref, setsHref } from "./SetLabels.ts"

export const projectsHref = "/projects"
export const projectHref = (id: string): string => `${projectsHref}/${encodeURIComponent(id)}`

export interface NewProject {
  readonly id: string
  readonly name: string
  readonly errors: FieldErrors
}

export const projectListPage = (
  member: Member,
  { next_cursor, results }: Page<ProjectLine>,
  { errors, id, name }: NewProject,
  isFirst: boolean,
): Document => {
  const newProjectForm = html`<form method="post" action="${projectsHref}" class="narrow one-line" novalidate><input type="hidden" name="id" value="${id}">
<div class="grow">${compactField({ name: "name", label: "New project", value: name, errors, isRequired: true })}</div><button class="primary">Create project</button></form>`
  return recordPage(member, {
    title: `${Object.keys(errors).length > 0 ? "Not created – " : ""}Projects`,
    place: "Projects",
    width: "full",
    main: html`<header class="lead"><h1>Projects</h1>
<p class="welcome">A project groups interview sets and job posts, for example “Sales team 2027” with three sets and a job post for each city.</p></header>
${errorSummary(errors, "The project was not created.")}
${
  results.length === 0
    ? null
    : hasErrors(errors)
      ? newProjectForm
      : html`<details class="new-row"><summary class="button primary">New project</summary>${newProjectForm}</details>`
}
${
  results.length === 0
    ? html`<div class="empty begin"><p>${isFirst ? "No projects yet. Interviews work without one; create one when candidates apply to a job post." : "No older projects."}</p>
${newProjectForm}</div>`
    : html`<table class="card set-figures set-rows"><thead><tr><th scope="col">Project</th><th scope="col">Interview sets</th><th scope="col">Open job posts</th><th scope="col">Created</th></tr></thead>
<tbody>${results.map(
        (
          project,
        ) => html`<tr><th scope="row"><a href="${projectHref(project.id)}" dir="auto">${cut(project.name, 120)}</a></th><td data-name="Interview sets">${project.sets}</td><td data-name="Open job posts">${project.open_posts}</td><td data-name="Created">${day(project.created_at)}</td></tr>
`,
      )}</tbody></table>`
}
${listPager(projectsHref, [], isFirst, next_cursor)}`,
  })
}

/** `post`: a job post's id, or "new". */
export interface ProjectForm {
  readonly name?: string
  readonly post?: string
  readonly title?: string
  readonly errors: FieldErrors
}

const newPostForm = (href: string, { errors, post, title = "" }: ProjectForm, id: string): Html => {
  const isTyped = post === "new"
  return html`<details class="pop"${isTyped ? html` open` : null}><summary class="button secondary">New job post</summary>
<form method="post" action="${href}/posts" novalidate><input type="hidden" name="id" value="${id}">
${compactField({ name: "title", label: "Title of the new job post", value: isTyped ? title : "", errors: isTyped ? errors : {}, isRequired: true })}
<button class="primary">Create job post</button></form></details>`
}

const postRow = (href: string, { id, status, title }: ProjectFile["posts"][number], form: ProjectForm): Html => {
  const isTyped = form.post === id
  const field = `title-${id}`
  const errors = isTyped && form.errors["title"] !== undefined ? { [field]: form.errors["title"] } : {}
  const isOpen = status === "open"
  return html`<li id="post-${id}"><div class="row"><details${isTyped ? html` open` : null}><summary><span dir="auto">${cut(title, 120)}</span> <span class="tag ${isOpen ? "on" : "off"}">${isOpen ? "Open" : "Closed"}</span></summary>
<form method="post" action="${href}/posts/${id}" class="narrow one-line" novalidate>
<div class="grow">${compactField({ name: field, label: "Title", value: isTyped ? (form.title ?? "") : title, errors, isRequired: true })}</div>
<button class="secondary" name="status" value="${status}">Save</button>
<button class="secondary" name="status" value="${isOpen ? "closed" : "open"}">${isOpen ? "Close job post" : "Reopen job post"}</button></form></details></div></li>
`
}

export const projectPage = (
  member: Member,
  { id, name, posts, sets }: ProjectFile,
  form: ProjectForm,
  newPost: string,
  notice: Notice | undefined,
): Document => {
  const href = projectHref(id)
  const isFaulty = hasErrors(form.errors)
  const ofPost = isFaulty && form.post !== undefined && form.post !== "new" ? `title-${form.post}` : undefined
  return recordPage(member, {
    title: `${isFaulty ? "Not saved – " : ""}${name}`,
    place: "Projects",
    back: { href: projectsHref, name: "All projects" },
    notice,
    main: html`<header class="lead with-action"><h1 dir="auto">${name}</h1>
<details class="pop"${form.name === undefined ? null : html` open`}><summary class="button secondary">Rename</summary>
<form method="post" action="${href}" novalidate>${compactField({ name: "name", label: "Name of the project", value: form.name ?? name, errors: form.name === undefined ? {} : form.errors, isRequired: true })}
<button class="primary">Save name</button></form></details></header>
${errorSummary(ofPost === undefined ? form.errors : { [ofPost]: form.errors["title"] ?? "" }, "Nothing was saved.")}
<div class="columns">
<section aria-labelledby="posts"><div class="section-head"><h2 id="posts">Job posts</h2>
${newPostForm(href, form, newPost)}</div>
<p class="note">Candidates invited to this project apply to its open job posts, for example one for each city.</p>
${
  posts.length === 0
    ? html`<p class="empty">No job posts yet.</p>`
    : html`<ul class="rows">${posts.map((post) => postRow(href, post, form))}</ul>${posts.length >= maxOfProject ? html`<p class="note">The newest ${maxOfProject} are shown.</p>` : null}`
}</section>
<section aria-labelledby="sets"><div class="section-head"><h2 id="sets">Interview sets</h2>
<a class="button secondary" href="${setsHref}/new?project=${id}">Add an interview set</a></div>
<p class="note">The interviews of this project.</p>
${
  sets.length === 0
    ? html`<p class="empty">No interview sets yet.</p>`
    : html`<ul class="rows">${sets.map((set) => html`<li><a class="row" href="${setHref(set.id)}"><bdi class="row-name">${cut(set.title, 120)}</bdi></a></li>`)}</ul>`
}</section></div>`,
  })
}
