/** Spanish; the formal "usted". */
import type { Texts } from "./en.ts"

export const es: Texts = {
  mail: {
    invitationSubject: "Invitación a una entrevista: {interview}",
    invitationPreview: "{organization} le invita a una entrevista. Puede empezar hasta el {deadline}.",
    invitationLead: "{organization} le invita a esta entrevista:",
    reminderSubject: "Recordatorio de su entrevista: {interview}",
    reminderPreview: "Su entrevista con {organization} sigue pendiente. Puede empezar hasta el {deadline}.",
    reminderLead: "{organization} le invitó a esta entrevista y usted aún no la ha empezado:",
    extensionSubject: "Más tiempo para su entrevista: {interview}",
    extensionPreview: "{organization} le ha dado más tiempo. Ahora puede empezar hasta el {deadline}.",
    extensionLead: "{organization} le ha dado más tiempo para esta entrevista:",
    greeting: "Hola, {name}:",
    timeLimit: "Usted responde por escrito. Dispone como máximo de {duration} desde el momento en que empiece.",
    noTimeLimit: "Usted responde por escrito y a su ritmo; no hay límite de tiempo.",
    deadline: "Puede empezar hasta el {deadline}.",
    newDeadline: "Ahora puede empezar hasta el {deadline}.",
    ownZone: "La página de la entrevista muestra esta fecha en su zona horaria.",
    sameLink: "El enlace es el mismo que antes.",
    open: "Abrir la entrevista",
    copyLink: "O copie este enlace en su navegador:",
    linkIsYours: "El enlace es personal; le rogamos que no lo comparta.",
    why: "Recibe este correo porque {organization} le ha invitado a una entrevista. Si no lo esperaba, puede ignorarlo.",
    unsubscribe: "No recibir más correos de {organization}",
  },
}
