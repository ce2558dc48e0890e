/** Names of spoken languages in five languages, folded. The first word of a line is the name that a reason shows. */
export const spokenLanguages = `
English englisch anglais ingles
German deutsch allemand aleman alemao
French franzoesisch francais frances
Spanish spanisch espagnol espanol castellano espanhol
Portuguese portugiesisch portugais portugues
Italian italienisch italien italiano
Dutch niederlaendisch neerlandais neerlandes holandes
Polish polnisch polonais polaco polones
Russian russisch russe ruso russo
Turkish tuerkisch turc turco
Arabic arabisch arabe
Chinese mandarin cantonese chinesisch chinois chino chines
Japanese japanisch japonais japones
Korean koreanisch coreen coreano
Vietnamese vietnamesisch vietnamien vietnamita
Hindi
Urdu
Bengali
Tamil
Tagalog
Thai
Swahili
Persian farsi
Ukrainian ukrainisch ukrainien ucraniano
Romanian rumaenisch roumain rumano romeno
Greek griechisch grec griego grego
Swedish schwedisch suedois sueco
Danish daenisch danois danes
Norwegian norwegisch norvegien noruego
Finnish finnisch finnois finlandes
Czech tschechisch tcheque checo tcheco
Hungarian ungarisch hongrois hungaro
Hebrew hebraeisch hebreu hebreo
Catalan katalanisch
Serbian serbisch
Croatian kroatisch
Bulgarian bulgarisch
`

/** Words for the levels 1 (A1) to 6 (C2) and 7 (mother tongue), folded. A line is `level: word word`. */
export const spokenLevels = `
1: a1
2: a2 basic basics elementary beginner grundkenntnisse grundkenntnissen notions scolaire debutant basico basica elemental
3: b1 conversational intermediate intermedio intermedia intermediaire intermediario working
4: b2 good gut gute guter guten bon bonne bueno buena bom boa business
5: c1 fluent fluently fluency proficient proficiency excellent advanced verhandlungssicher verhandlungssichere fliessend fliessende courant couramment avance fluido fluida fluente avanzado avancado professional strong perfect
6: c2 bilingual zweisprachig bilingue
7: native mother muttersprache muttersprachler muttersprachlich maternelle natif native materna nativo nativa
`
