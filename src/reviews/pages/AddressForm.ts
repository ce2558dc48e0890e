/** The form that corrects the address of a failed invitation, on the page of its submission and on the workspace's home page. */
import { invitationHref } from "../../invitations/pages/InvitationLabels.ts"
import { describedBy, errorText, type FieldErrors } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"

interface Correction {
  readonly invitation: string
  /** The address that failed. */
  readonly email: string
  /** In the field. */
  readonly typed?: string
  readonly errors?: FieldErrors
  /** The id of the field. */
  readonly id?: string
  /** `home`: returns to the workspace's home page after a correction; undefined: to the submission's. */
  readonly from?: "home"
  /** The address of the form keeps it. */
  readonly query?: string
}

export const addressForm = ({
  email,
  errors = {},
  from,
  id = "email",
  invitation,
  query = "",
  typed = email,
}: Correction): Html => {
  const own = errors["email"] === undefined ? {} : { [id]: errors["email"] }
  return html`<form method="post" action="${invitationHref(invitation)}/address${query}" class="filter stacked" novalidate><input type="hidden" name="seen" value="${email}">${from === undefined ? null : html`<input type="hidden" name="from" value="${from}">`}
<p class="control"><label for="${id}">Email address</label>
<input type="email" id="${id}" name="email" value="${typed}" required autocomplete="off"${describedBy(id, own, null)}>${errorText(id, own)}</p>
<p><button class="primary">Correct and send</button></p></form>`
}
