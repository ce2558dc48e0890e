/** French; "vous", and a no-break space before what French sets apart. */
import type { Texts } from "./en.ts"

export const fr: Texts = {
  mail: {
    invitationSubject: "Invitation à un entretien\u00a0: {interview}",
    invitationPreview: "{organization} vous invite à un entretien. Vous pouvez commencer jusqu’au {deadline}.",
    invitationLead: "{organization} vous invite à cet entretien\u00a0:",
    reminderSubject: "Rappel de votre entretien\u00a0: {interview}",
    reminderPreview:
      "Votre entretien avec {organization} vous attend toujours. Vous pouvez commencer jusqu’au {deadline}.",
    reminderLead: "{organization} vous a proposé cet entretien, que vous n’avez pas encore commencé\u00a0:",
    extensionSubject: "Plus de temps pour votre entretien\u00a0: {interview}",
    extensionPreview: "{organization} vous accorde plus de temps. Vous pouvez désormais commencer jusqu’au {deadline}.",
    extensionLead: "{organization} vous accorde plus de temps pour cet entretien\u00a0:",
    greeting: "Bonjour {name},",
    timeLimit: "Vous répondez par écrit. Vous disposez de {duration} au maximum à partir du moment où vous commencez.",
    noTimeLimit: "Vous répondez par écrit et à votre rythme\u00a0; la durée n’est pas limitée.",
    deadline: "Vous pouvez commencer jusqu’au {deadline}.",
    newDeadline: "Vous pouvez désormais commencer jusqu’au {deadline}.",
    ownZone: "La page de l’entretien affiche cette date dans votre fuseau horaire.",
    sameLink: "Le lien reste le même.",
    open: "Ouvrir l’entretien",
    copyLink: "Ou copiez ce lien dans votre navigateur\u00a0:",
    linkIsYours: "Ce lien vous est personnel, merci de ne pas le transmettre.",
    why: "Vous recevez cet e-mail parce que {organization} vous a invité(e) à un entretien. Si vous ne l’attendiez pas, vous pouvez l’ignorer.",
    unsubscribe: "Ne plus recevoir d’e-mails de {organization}",
  },
}
