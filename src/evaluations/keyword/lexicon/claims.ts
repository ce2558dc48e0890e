/** Words, folded, by which a text says that something is required, missing or of another. */
export const claimWords = {
  /** Before a level of a language: "far from C1". */
  belowLevel:
    "not no far below under beneath less until towards toward reach reaching failed nicht unter pas menos abaixo",
  almost: "almost nearly near fast beinahe presque casi quase",
  /** Before or after a level or a length of time: "I need 5 years", "C1 is required". */
  required:
    "need needs needed require requires required requirement ask asks asked demand demands demanded expect expects expected wanted wants mandatory verlangt verlangen gefordert fordert erforderlich benoetigt noetig vorausgesetzt exige exiges exigee requis requise demande demandes requiere requerido requeridos exigido exigidos pide piden exigem",
  /** "The company has 20 years of experience". */
  organizations:
    "company firm team employer business agency startup department school hospital bank shop client customer firma unternehmen betrieb abteilung entreprise societe equipe empresa equipo equipa",
  has: "has have had with exists existed brings boasts hat haben besteht existiert mit a ont avait avec tiene tienen tenia con existe tem tinha com",
  together: "combined collective collectively together between zusammen gemeinsam cumulees combinados combinada",
  /** "Another 3 years", "then for 2 years". */
  further:
    "another further additional then later afterwards subsequently weitere weiteren danach anschliessend spaeter puis ensuite luego despues otros depois mais",
  givenUp: "revoked withdrawn suspended expired away entzogen abgelaufen retire suspendu caducado vencida",
  papers: "licence license fuehrerschein permis permiso carnet carteira certificate certification",
  lost: "lost lose loses losing forfeited surrendered verloren verlor perdu perdi perdio",
  back: "back again regained renewed returned zurueck wieder nouveau recuperado recupere recuperei",
  exams: "exam exams examination test certification pruefung examen exame",
  passed: "passed pass bestanden reussi aprobe aprobado passei",
  addressed: "you you'll you've you're your du dein deine deinen ihr vous votre vos usted ustedes voce",
  politeVerbs: "haben bringen verfuegen uebernehmen arbeiten betreuen leiten besitzen sind koennen",
} as const

/** "I dropped out of the master's programme". */
export const abandonment =
  / (?:dropped out(?: of)?|dropping out(?: of)?|quit|abandoned|broke off|gave up|left without|without finishing|without completing|without graduating|abgebrochen(?:es|er)?|brach|abandonne|abandone|abandonei) /
