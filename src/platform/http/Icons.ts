/**
 * Icons of the workspace: Octicons of 16 px, drawn as masks in the colour of the text. Style sheets have the shapes
 * (Assets.ts), so an icon takes a few bytes of a page.
 */
import { type Html, html } from "./Html.ts"

export const iconNames = [
  "briefcase",
  "checklist",
  "chevron-down",
  "chevron-up",
  "copy",
  "download",
  "gear",
  "home",
  "inbox",
  "kebab-horizontal",
  "link",
  "person",
  "person-add",
  "question",
  "sign-out",
  "trash",
] as const
export type IconName = (typeof iconNames)[number]

/** Decorates a text beside it; readers skip it. */
export const icon = (name: IconName): Html => html`<span class="icon i-${name}" aria-hidden="true"></span>`
