/** Irregular forms by language, and English nouns of verbs and adjectives, folded. A line is `base: form form`. */
export const irregular = {
  en: `
become: became
begin: began begun
bend: bent
bind: bound
blow: blew blown
break: broke broken
breed: bred
bring: brought
build: built
burn: burnt
buy: bought
catch: caught
deal: dealt
dig: dug
draw: drew drawn
drive: drove driven
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
find: found
forget: forgot forgotten
freeze: froze frozen
give: gave given
grind: ground
grow: grew grown
hang: hung
hear: heard
hide: hid hidden
hold: held
keep: kept
know: knew known
lay: laid
lead: led leadership
learn: learnt
lend: lent
light: lit
mean: meant
meet: met
oversee: oversaw overseen
pay: paid
rebuild: rebuilt
ride: rode ridden
ring: rang rung
rise: rose risen
run: ran
say: said
seek: sought
send: sent
shake: shook shaken
shoot: shot
shrink: shrank shrunk
sing: sang sung
sink: sank sunk
sleep: slept
speed: sped
spend: spent
spin: spun
stand: stood
steal: stole stolen
stick: stuck
strike: struck
sweep: swept
swim: swam swum
take: took taken
teach: taught
tell: told
think: thought
throw: threw thrown
understand: understood
undertake: undertook undertaken
wear: wore worn
weave: wove woven
win: won
withdraw: withdrew withdrawn
write: wrote written
rewrite: rewrote rewritten
child: children
criterion: criteria
foot: feet
half: halves
knife: knives
man: men
shelf: shelves
tooth: teeth
woman: women
advise: advice
analyse: analysis analyses analyze analyzed analyzing analyzes
approve: approval approvals
choose: chose chosen choice choices
complain: complaint complaints
conclude: conclusion conclusions
convert: conversion conversions
decide: decision decisions
deep: depth
describe: description descriptions
diagnose: diagnosis diagnoses
discover: discovery
dispose: disposal
divide: division
erode: erosion
expand: expansion
extend: extension extensions
fly: flew flown flight flights
frequent: frequency
high: height
long: length
lose: lost loss losses
permit: permission permissions
propose: proposal proposals
prove: proof proofs proven
recover: recovery
refer: referral referrals
remove: removal
renew: renewal renewals
respond: response responses
revise: revision revisions
sell: sold sale sales
slip: slippage
solve: solution solutions
speak: spoke spoken speech
store: storage
supervise: supervision
transmit: transmission
traverse: traversal
urgent: urgency
weigh: weight weights
wide: width
`,
  de: `
befehlen: befahl befohlen
beginnen: begann begonnen
betreiben: betrieb betrieben
bewerben: bewarb beworben
biegen: bog gebogen
bieten: bot geboten
binden: band gebunden
brechen: brach gebrochen
bringen: brachte gebracht
denken: dachte gedacht
entscheiden: entschied entschieden
erhalten: erhielt
erziehen: erzog erzogen
fahren: faehrt fuhr gefahren
fangen: fing gefangen
finden: fand gefunden
fliegen: flog geflogen
geben: gibt gab gegeben
gewinnen: gewann gewonnen
giessen: goss gegossen
graben: grub gegraben
halten: haelt hielt gehalten
heben: hob gehoben
helfen: hilft half geholfen
kennen: kannte gekannt
kommen: kam gekommen
laden: lud geladen
laufen: laeuft lief gelaufen
leihen: lieh geliehen
lesen: liest las gelesen
messen: misst mass gemessen
nehmen: nimmt nahm genommen
rufen: rief gerufen
schaffen: schuf geschaffen
schieben: schob geschoben
schlagen: schlaegt schlug geschlagen
schliessen: schloss geschlossen
schmelzen: schmolz geschmolzen
schneiden: schnitt geschnitten
schreiben: schrieb geschrieben
sehen: sieht sah gesehen
senden: sandte gesandt
singen: sang gesungen
sprechen: spricht sprach gesprochen
stehen: stand gestanden
steigen: stieg gestiegen
tragen: traegt trug getragen
treffen: trifft traf getroffen
treiben: trieb getrieben
treten: trat getreten
uebernehmen: uebernimmt uebernahm uebernommen
unterschreiben: unterschrieb unterschrieben
verbinden: verband verbunden
vergleichen: verglich verglichen
verlieren: verlor verloren
verstehen: verstand verstanden
vertreten: vertritt vertrat
wachsen: wuchs gewachsen
waschen: waescht wusch gewaschen
weisen: wies gewiesen
werben: wirbt warb geworben
werfen: wirft warf geworfen
wiegen: wog gewogen
wissen: wusste gewusst
ziehen: zog gezogen
`,
  fr: `
apprend: apprendre appris apprenais
comprend: comprendre compris
conduit: conduire conduisais
connait: connaitre connu connaissais
construit: construire construisais
coud: coudre cousu
court: courir couru
cuit: cuire
defend: defendre defendu
ecrit: ecrire ecrivais
entreprend: entreprendre entrepris
inscrit: inscrire
instruit: instruire
maintient: maintenir maintenu
met: mettre mis mettais
obtient: obtenir obtenu
offre: offrir offert
ouvre: ouvrir ouvert
peint: peindre
prend: prendre pris prenais
produit: produire produisais
reduit: reduire
repond: repondre repondu repondais
resout: resoudre resolu
soumet: soumettre soumis
soutient: soutenir soutenu
suit: suivre suivi suivais
tient: tenir tenu tenais
traduit: traduire
transmet: transmettre transmis
vend: vendre vendu vendais
voit: voir vu
`,
  es: `
abrir: abierto
conducir: conduje condujo conduzco
construir: construyo construyendo
cubrir: cubierto
dar: di dio
decir: dije dicho digo
describir: descrito
dirigir: dirijo
escribir: escrito
hacer: hice hizo hecho hago
introducir: introduje introdujo
mantener: mantuve mantuvo mantengo
obtener: obtuve obtuvo obtengo
pedir: pidio pido
poner: puse puso puesto pongo
producir: produje produjo produzco
proponer: propuse propuso propuesto
reducir: reduje redujo reduzco
resolver: resuelto resuelvo
servir: sirvio sirvo
traducir: traduje tradujo traduzco
traer: traje trajo traigo
ver: visto
volver: vuelto
`,
  pt: `
abrir: aberto
cobrir: coberto
conduzir: conduz
dar: dei deu
descrever: descrito
dizer: disse dito digo
entregar: entregue
escrever: escrito
fazer: fiz fez feito faco
ganhar: ganho
gastar: gasto
introduzir: introduz
manter: mantive manteve mantenho
obter: obtive obteve obtenho
pagar: pago
por: pus pos posto ponho
produzir: produz
propor: propus propos proposto
reduzir: reduz
trazer: trouxe trago
ver: vi viu visto
vir: vim veio
`,
} as const

/** English adjectives with the endings -er and -est. */
export const gradable =
  "big bright broad calm cheap clean clear close cold dark deep dense dry early easy fair fast few fine firm fresh full great hard heavy high hot large late light long loud low narrow near neat new old poor quick quiet rich rough safe sharp short simple slow small smart smooth soft steep strong sweet tall thick thin tight warm weak wet wide young"
