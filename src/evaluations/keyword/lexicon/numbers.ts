/** Names of the months 1 to 12 in five languages, folded. A line is `month: name name`. */
export const monthNames = `
1: jan january januar janv janvier enero janeiro
2: feb february februar fev fevrier febrero fevereiro
3: mar march maerz mars marzo marco
4: apr april avr avril abril
5: may mai mayo maio
6: jun june juni juin junio junho
7: jul july juli juil juillet julio julho
8: aug august aout agosto ago
9: sep sept september septembre septiembre setembro
10: oct october okt oktober octobre octubre outubro
11: nov november novembre noviembre novembro
12: dec december dez dezember decembre diciembre dezembro
`

/** Number words in five languages, folded. A line is `number: word word`. */
export const numbers = `
1: one ein un um eine einem einen une uma
2: two zwei deux dos dois
3: three drei trois tres
4: four vier quatre cuatro quatro
5: five fuenf cinq cinco
6: six sechs seis
7: seven sieben sept siete sete
8: eight acht huit ocho oito
9: nine neun neuf nueve nove
10: ten zehn dix diez dez
11: eleven elf onze once
12: twelve zwoelf douze doce doze dozen dutzend douzaine docena duzia
13: thirteen dreizehn treize trece treze
14: fourteen vierzehn quatorze catorce
15: fifteen fuenfzehn quinze quince
16: sixteen sechzehn seize dieciseis dezasseis
17: seventeen siebzehn dixsept diecisiete dezassete
18: eighteen achtzehn dixhuit dieciocho dezoito
19: nineteen neunzehn dixneuf diecinueve dezanove
20: twenty zwanzig vingt veinte vinte
`
