/** German; the formal "Sie". */
import type { Texts } from "./en.ts"

export const de: Texts = {
  mail: {
    invitationSubject: "Einladung zum Interview: {interview}",
    invitationPreview: "{organization} lädt Sie zu einem Interview ein. Sie können bis {deadline} beginnen.",
    invitationLead: "{organization} lädt Sie zu diesem Interview ein:",
    reminderSubject: "Erinnerung an Ihr Interview: {interview}",
    reminderPreview: "Ihr Interview bei {organization} steht noch aus. Sie können bis {deadline} beginnen.",
    reminderLead: "{organization} hat Sie zu diesem Interview eingeladen, und Sie haben es noch nicht begonnen:",
    extensionSubject: "Mehr Zeit für Ihr Interview: {interview}",
    extensionPreview: "{organization} gibt Ihnen mehr Zeit. Sie können jetzt bis {deadline} beginnen.",
    extensionLead: "{organization} gibt Ihnen mehr Zeit für dieses Interview:",
    greeting: "Guten Tag {name},",
    timeLimit: "Sie antworten schriftlich. Dafür haben Sie höchstens {duration}, gerechnet ab dem Start.",
    noTimeLimit: "Sie antworten schriftlich und in Ihrem eigenen Tempo; es gibt keine Zeitbegrenzung.",
    deadline: "Sie können bis {deadline} beginnen.",
    newDeadline: "Sie können jetzt bis {deadline} beginnen.",
    ownZone: "Die Interviewseite zeigt Ihnen den Termin in Ihrer eigenen Zeitzone.",
    sameLink: "Der Link ist derselbe wie zuvor.",
    open: "Interview öffnen",
    copyLink: "Oder kopieren Sie diesen Link in Ihren Browser:",
    linkIsYours: "Der Link gilt nur für Sie, bitte geben Sie ihn nicht weiter.",
    why: "Sie erhalten diese E-Mail, weil {organization} Sie zu einem Interview eingeladen hat. Falls Sie sie nicht erwartet haben, können Sie sie ignorieren.",
    unsubscribe: "Keine E-Mails mehr von {organization}",
  },
}
