/** An unsupported language must not be read as English, where every score would be zero. */
import { assert, it } from "@effect/vitest"
import { languageOf } from "../../../src/evaluations/keyword/Language.ts"

it.each([
  ["Led a team of six engineers and mentored two juniors.", "en"],
  ["Worked in Łódź and Gdańsk for Žižka s.r.o. as an engineer; led a team of five and ran PostgreSQL.", "en"],
  ["TypeScript, PostgreSQL, Kubernetes", "en"],
  ["Leitung eines Teams von fünf Personen und Betrieb der Datenbanken in Größe XL.", "de"],
  ["J'ai dirigé une équipe de cinq personnes à Lyon.", "fr"],
  ["Dirigí un equipo de cinco personas en España.", "es"],
  ["Liderei uma equipe de cinco pessoas em São Paulo.", "pt"],
  ["Programistka w firmie od 2018 do 2024. Zarządzałam bazami danych i kierowałam zespołem pięciu osób.", null],
  ["Pracoval jsem jako vývojář v bance od roku 2017. Vedl jsem tým pěti lidí.", null],
  ["Beş kişilik bir ekibi yönettim ve PostgreSQL veritabanlarını işlettim.", null],
  ["Jag har lett ett team på fem personer och ansvarat för driften av PostgreSQL.", null],
  ["Jeg har ledet et team på fem personer og haft ansvar for driften af PostgreSQL.", null],
  ["Olen johtanut viiden hengen tiimiä ja vastannut tietokannoista.", null],
  ["Am condus o echipă de cinci persoane și am administrat baze de date în producție.", null],
  ["Ik heb een team van vijf mensen geleid en PostgreSQL beheerd.", null],
  ["Tôi đã quản lý một nhóm năm kỹ sư.", null],
] as const)("the language of %j is %s", (text, language) => {
  assert.strictEqual(languageOf(text, null), language)
})
