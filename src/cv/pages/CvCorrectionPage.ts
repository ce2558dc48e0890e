/** The form with another link for a CV that could not be fetched or read. */
import type { Member } from "../../accounts/members/Member.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"

export const cvHref = (submission: string): string => `/submissions/${encodeURIComponent(submission)}#cv`

export const cvCorrectionPage = (
  member: Member,
  submission: string,
  {
    errors,
    link,
    notice,
  }: { readonly link: string; readonly errors: FieldErrors; readonly notice?: Notice | undefined },
): Document =>
  recordPage(member, {
    title: `${hasErrors(errors) ? "Not saved – " : ""}Correct the CV link`,
    place: "Submissions",
    back: { href: cvHref(submission), name: "Submission" },
    notice,
    main: html`<header class="lead"><h1>Correct the CV link</h1>
<p class="welcome">The CV is fetched from the new link, read and evaluated.</p></header>
${errorSummary(errors, "The link was not changed.")}
<form method="post" action="/submissions/${submission}/cv/link" class="set-form" novalidate>
<div class="part">${compactField({ name: "cv_link", label: "Link to the CV", value: link, errors, hint: "The https address of a PDF, DOCX, ODT, RTF, HTML, text, PNG or JPEG file that is accessible without signing in." })}</div>
<p class="actions"><button class="primary">Fetch from this link</button>
<a class="button secondary" href="${cvHref(submission)}">Cancel</a></p></form>`,
  })
