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
import { html } from "../../platform/http/Html.ts"
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
  results.length === 0 || hasErrors(errors)
    ? newProjectForm
    : html`<details class="new-row"><summary class="button primary">New project</summary>${newProjectForm}</details>`
}
${
  results.length === 0
    ? html`<p class="empty">${isFirst ? "No projects yet. Interviews work without one; create one when candidates apply to a job post." : "No older projects."}</p>`
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

export const projectPage = (
  member: Member,
  { id, name, posts, sets }: ProjectFile,
  form: ProjectForm,
  newPost: string,
  notice: Notice | undefined,
): Document => {
  const href = projectHref(id)
  const isFaulty = Object.keys(form.errors).length > 0
  const ofPost = isFaulty && form.post !== undefined && form.post !== "new" ? `title-${form.post}` : undefined
  return recordPage(member, {
    title: `${isFaulty ? "Not saved – " : ""}${name}`,
    place: "Projects",
    back: { href: projectsHref, name: "All projects" },
    notice,
    main: html`<header class="lead"><h1 dir="auto">${name}</h1></header>
${errorSummary(ofPost === undefined ? form.errors : { [ofPost]: form.errors["title"] ?? "" }, "Nothing was saved.")}
<section><h2>Job posts</h2>
<form method="post" action="${href}/posts" class="narrow one-line" novalidate><input type="hidden" name="id" value="${newPost}">
<div class="grow">${compactField({ name: "title", label: "New job post", value: form.post === "new" ? (form.title ?? "") : "", errors: form.post === "new" ? form.errors : {}, isRequired: true })}</div><button class="secondary">Create job post</button></form>
${
  posts.length === 0
    ? html`<p class="empty">No job posts yet. Once there is one, candidates invited to this project apply to it.</p>`
    : html`<ul class="rows">${posts.map((post) => {
        const isTyped = form.post === post.id
        const field = `title-${post.id}`
        const postErrors = isTyped && form.errors["title"] !== undefined ? { [field]: form.errors["title"] } : {}
        return html`<li id="post-${post.id}"><div class="row"><details${isTyped ? html` open` : null}><summary><span dir="auto">${cut(post.title, 120)}</span> <span class="tag ${post.status === "open" ? "on" : "off"}">${post.status === "open" ? "Open" : "Closed"}</span></summary>
<form method="post" action="${href}/posts/${post.id}" class="narrow one-line" novalidate>
<div class="grow">${compactField({ name: field, label: "Title", value: isTyped ? (form.title ?? "") : post.title, errors: postErrors, isRequired: true })}</div>
<button class="secondary" name="status" value="${post.status}">Save</button>
<button class="secondary" name="status" value="${post.status === "open" ? "closed" : "open"}">${post.status === "open" ? "Close job post" : "Reopen job post"}</button></form></details></div></li>
`
      })}</ul>${posts.length >= maxOfProject ? html`<p class="note">The newest ${maxOfProject} are shown.</p>` : null}`
}</section>
<section><h2>Interview sets</h2>${
      sets.length === 0
        ? html`<p class="empty">No interview sets in this project. <a href="${setsHref}/new?project=${id}">Create one</a></p>`
        : html`<ul class="plain-list">${sets.map((set) => html`<li><a href="${setHref(set.id)}"><bdi>${cut(set.title, 120)}</bdi></a></li>`)}</ul>
<p><a href="${setsHref}/new?project=${id}">New interview set for this project</a></p>`
    }</section>
<form method="post" action="${href}" class="apart" novalidate><div class="narrow one-line"><div class="grow">${compactField({ name: "name", label: "Name of the project", value: form.name ?? name, errors: form.name === undefined ? {} : form.errors, isRequired: true })}</div>
<button class="secondary">Rename</button></div></form>`,
  })
}
