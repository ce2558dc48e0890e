/** Portuguese; formal, in words that Brazil and Portugal share. */
import type { Texts } from "./en.ts"

export const pt: Texts = {
  mail: {
    invitationSubject: "Convite para uma entrevista: {interview}",
    invitationPreview: "Recebeu um convite de {organization} para uma entrevista. Pode começar até {deadline}.",
    invitationLead: "Recebeu um convite de {organization} para esta entrevista:",
    reminderSubject: "Lembrete da sua entrevista: {interview}",
    reminderPreview: "A sua entrevista com {organization} ainda está pendente. Pode começar até {deadline}.",
    reminderLead: "Recebeu um convite de {organization} para esta entrevista, que ainda não começou:",
    extensionSubject: "Mais tempo para a sua entrevista: {interview}",
    extensionPreview: "Tem mais tempo para a entrevista com {organization}. Agora pode começar até {deadline}.",
    extensionLead: "Tem mais tempo para esta entrevista com {organization}:",
    greeting: "Olá, {name},",
    timeLimit: "As respostas são dadas por escrito. Tem no máximo {duration}, a contar do momento em que começar.",
    noTimeLimit: "As respostas são dadas por escrito e ao seu ritmo; não há limite de tempo.",
    deadline: "Pode começar até {deadline}.",
    newDeadline: "Agora pode começar até {deadline}.",
    ownZone: "A página da entrevista mostra esta data no seu fuso horário.",
    sameLink: "O link é o mesmo de antes.",
    open: "Abrir a entrevista",
    copyLink: "Ou copie este link para o seu navegador:",
    linkIsYours: "O link é pessoal; por favor, não o envie a outras pessoas.",
    why: "Recebeu este e-mail porque {organization} fez um convite para uma entrevista. Se não o esperava, pode ignorá-lo.",
    unsubscribe: "Não receber mais e-mails de {organization}",
  },
}
