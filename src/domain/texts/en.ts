/**
 * English: what is said where nothing else was asked for, and the form that every other language has. Names in braces
 * are filled in (Texts.ts). One section for each place that speaks.
 */
export const en = {
  mail: {
    invitationSubject: "Interview invitation: {interview}",
    invitationPreview: "{organization} invites you to an interview. You can start until {deadline}.",
    invitationLead: "{organization} invites you to this interview:",
    reminderSubject: "Reminder of your interview: {interview}",
    reminderPreview: "Your interview with {organization} is still waiting. You can start until {deadline}.",
    reminderLead: "{organization} invited you to this interview, and you have not started it yet:",
    extensionSubject: "More time for your interview: {interview}",
    extensionPreview: "{organization} has given you more time. You can now start until {deadline}.",
    extensionLead: "{organization} has given you more time for this interview:",
    greeting: "Hello {name},",
    timeLimit: "You answer in writing. It takes at most {duration}, counted from the moment you start.",
    noTimeLimit: "You answer in writing and at your own pace; there is no time limit.",
    deadline: "You can start until {deadline}.",
    newDeadline: "You can now start until {deadline}.",
    ownZone: "The interview page shows this in your own time zone.",
    sameLink: "The link is the same as before.",
    open: "Open the interview",
    copyLink: "Or copy this link into your browser:",
    linkIsYours: "The link is yours alone, please do not pass it on.",
    why: "You received this mail because {organization} invited you to an interview. If you did not expect it, you can ignore it.",
    unsubscribe: "No more mails from {organization}",
  },
} as const

/** A whole catalogue. The same sections and keys in every language: one that is missing does not compile. */
export type Texts = {
  readonly [Section in keyof typeof en]: { readonly [Key in keyof (typeof en)[Section]]: string }
}
