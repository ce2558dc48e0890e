/**
 * Word lists of the keyword evaluator, as plain lower-case words; `stems` below puts them in the form that texts are
 * compared in. The lists are English, but for the commonest function words of a few neighbours.
 */
import { stem } from "./stem.ts"

const words = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

const stems = (...lines: ReadonlyArray<string>): ReadonlySet<string> => new Set([...words(...lines)].map(stem))

/** Function words: they say nothing about a requirement. Compared before stemming. */
export const stopWords = words(
  "a about above across after again against all almost along already also although always am among an and another any",
  "are aren't around as at away be because been before being below between both but by can can't cannot could couldn't",
  "did didn't do does doesn't doing don't done down during each either else enough etc even ever every few first for",
  "from further get gets getting go goes going got had hadn't has hasn't have haven't having he her here hers herself",
  "him himself his how however i i'd i'll i'm i've if in including inside instead into is isn't it it'd it'll its itself",
  "just last least less let like made make makes making many may maybe me might mine more most much must my myself near",
  "never next no none nor not nothing now of off often on once one only onto or other our ours ourselves out over own per",
  "perhaps please rather really same second see seem she should since so some something still such than that that's the",
  "their theirs them themselves then there these they they're this those though through throughout thus to together too",
  "toward towards two under until up upon us use used uses using usually very via want was wasn't way we we'd we'll we're",
  "we've well were weren't what when where whether which while who whom whose why will with within without won't would",
  "wouldn't yes yet you you'd you'll you're you've your yours yourself eg e.g ie i.e",
  "der die das den dem ein eine einen und oder mit von zu im ist sind ich wir nicht für auf als auch bei nach aus",
  "le la les un une des du et ou avec dans est sont je nous pas pour sur que qui au aux ce se",
  "el los las una y con del es son yo no por para en lo su il lo gli di e che per non sono um uma os do da em com não",
  "het een van voor op te zijn ik wij niet met",
)

/** Words of job advertisements and of praise: they claim, and name no subject and no deed. Compared as stems. */
export const fillers = stems(
  "ability able advanced amazing applicant ask aspect awesome background basic best brilliant candidate capable capability",
  "career committed comfortable competence competent confident dedicated demonstrable demonstrate demonstrated desirable",
  "excellent exceptional experience experienced expert expertise exposure extensive extraordinary familiar familiarity",
  "fantastic flawless genius good great greatest guru hands hard hardworking hands-on highly ideal ideally incredible",
  "interest job kind know knowledge legend legendary level listen look master mastery motivated ninja outstanding passion passionate",
  "perfect plus possess practical preferred preference prior professional proficiency proficient proven qualified",
  "qualification relevant required require requirement responsibility responsible role rockstar skill skilled skillful",
  "solid strong strength superb superior talent talented top unbeatable understand understanding unmatched unparalleled",
  "various wide work world world-class worldclass working year month everyone everything anything absolutely certainly",
  "definitely truly totally completely extremely fully deep deeply super",
)

/** Words that occur in most requirements and most CVs: a match says little. Compared as stems. */
export const commonWords = stems(
  "application approach area build business code company create customer data deliver design develop drive ensure",
  "environment engineer general help high improve include issue lead maintain manage need new part people problem process",
  "product production project provide quality run software solution support system task team technical technology time",
  "tool train user write",
)

/** A denial: one of `negators` soon followed by one of `deeds`, or one of `absences` soon followed by a `knowledge`. */
export const negators = words(
  "not never nor neither hardly barely cannot can't don't doesn't didn't haven't hasn't hadn't isn't wasn't aren't weren't",
  "won't wouldn't couldn't nobody",
)
export const absences = words("no without zero little lack lacks lacking lacked limited")
export const deeds = words(
  "use used work worked know known tried touched learned learnt studied done built written wrote led managed deployed",
  "comfortable confident heard involved proficient understand practised practiced seen experienced familiar",
)
export const knowledge = words(
  "experience knowledge exposure familiarity expertise skill skills idea clue chance opportunity",
)

/** Words that deny by themselves. */
export const denials = words("unfamiliar inexperienced")

/** Words of wishing: "I would love to learn Kafka" is no experience. */
export const wishes = words("want wants like love hope hoping plan planning eager keen willing happy")
