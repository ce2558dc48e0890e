/** Words of one sex with the word of the other, in the languages that evaluators read. */
import type { Language } from "../evaluations/keyword/Language.ts"

/** `male/female`; the plural of a French, Spanish or Portuguese word is made with "s" unless it is listed. */
export const genderedNouns: Readonly<Record<Language, string>> = {
  en: `man/woman men/women gentleman/lady gentlemen/ladies boy/girl boys/girls father/mother fathers/mothers dad/mum dads/mums
    son/daughter sons/daughters brother/sister brothers/sisters husband/wife husbands/wives boyfriend/girlfriend
    grandfather/grandmother grandfathers/grandmothers grandson/granddaughter uncle/aunt uncles/aunts nephew/niece
    nephews/nieces widower/widow widowers/widows fiancé/fiancée mr/ms sir/madam male/female males/females
    masculine/feminine waiter/waitress waiters/waitresses barman/barmaid barmen/barmaids chairman/chairwoman
    chairmen/chairwomen salesman/saleswoman salesmen/saleswomen businessman/businesswoman businessmen/businesswomen
    policeman/policewoman policemen/policewomen fireman/firewoman firemen/firewomen foreman/forewoman foremen/forewomen
    craftsman/craftswoman craftsmen/craftswomen spokesman/spokeswoman spokesmen/spokeswomen cameraman/camerawoman
    cameramen/camerawomen handyman/handywoman handymen/handywomen tradesman/tradeswoman tradesmen/tradeswomen
    serviceman/servicewoman servicemen/servicewomen councilman/councilwoman congressman/congresswoman postman/postwoman
    postmen/postwomen milkman/milkwoman repairman/repairwoman househusband/housewife landlord/landlady
    landlords/landladies headmaster/headmistress fatherhood/motherhood paternity/maternity
    fraternity/sorority fraternities/sororities alumnus/alumna alumni/alumnae manhood/womanhood sportsman/sportswoman
    sportsmen/sportswomen`,
  de: `herr/frau herrn/frau mann/frau männer/frauen männern/frauen vater/mutter väter/mütter
    sohn/tochter söhne/töchter bruder/schwester brüder/schwestern ehemann/ehefrau großvater/großmutter onkel/tante
    neffe/nichte witwer/witwe kaufmann/kauffrau kaufleute/kauffrauen fachmann/fachfrau fachmänner/fachfrauen
    hausmann/hausfrau geschäftsmann/geschäftsfrau krankenpfleger/krankenschwester arzt/ärztin ärzte/ärztinnen
    ärzten/ärztinnen koch/köchin köche/köchinnen köchen/köchinnen bauer/bäuerin kollege/kollegin kollegen/kolleginnen
    kunde/kundin kunden/kundinnen geselle/gesellin zeuge/zeugin männlich/weiblich`,
  fr: `monsieur/madame messieurs/mesdames homme/femme garçon/fille père/mère frère/sœur mari/épouse
    époux/épouse oncle/tante neveu/nièce veuf/veuve masculin/féminin serveur/serveuse vendeur/vendeuse coiffeur/coiffeuse
    développeur/développeuse infirmier/infirmière cuisinier/cuisinière caissier/caissière
    ouvrier/ouvrière boulanger/boulangère pâtissier/pâtissière policier/policière conseiller/conseillère
    hôtelier/hôtelière acteur/actrice directeur/directrice conducteur/conductrice instituteur/institutrice
    éducateur/éducatrice traducteur/traductrice formateur/formatrice animateur/animatrice rédacteur/rédactrice
    administrateur/administratrice technicien/technicienne mécanicien/mécanicienne électricien/électricienne
    pharmacien/pharmacienne gardien/gardienne assistant/assistante consultant/consultante étudiant/étudiante
    gérant/gérante commerçant/commerçante enseignant/enseignante soignant/soignante avocat/avocate employé/employée
    salarié/salariée chargé/chargée diplômé/diplômée né/née marié/mariée embauché/embauchée
    paternité/maternité`,
  es: `hombre/mujer hombres/mujeres señor/señora señores/señoras sr/sra caballero/dama padre/madre hijo/hija hermano/hermana
    esposo/esposa marido/mujer tío/tía sobrino/sobrina viudo/viuda niño/niña chico/chica abuelo/abuela masculino/femenino
    camarero/camarera enfermero/enfermera cocinero/cocinera cajero/cajera panadero/panadera peluquero/peluquera
    ingeniero/ingeniera compañero/compañera vendedor/vendedora conductor/conductora director/directora profesor/profesora
    desarrollador/desarrolladora programador/programadora trabajador/trabajadora cuidador/cuidadora
    coordinador/coordinadora administrador/administradora vendedores/vendedoras conductores/conductoras
    directores/directoras profesores/profesoras desarrolladores/desarrolladoras programadores/programadoras
    trabajadores/trabajadoras cuidadores/cuidadoras abogado/abogada maestro/maestra empleado/empleada
    encargado/encargada licenciado/licenciada graduado/graduada titulado/titulada nacido/nacida casado/casada
    soltero/soltera paternidad/maternidad`,
  pt: `homem/mulher homens/mulheres senhor/senhora senhores/senhoras sr/sra pai/mãe filho/filha irmão/irmã irmãos/irmãs
    marido/esposa tio/tia sobrinho/sobrinha viúvo/viúva menino/menina avô/avó masculino/feminino garçom/garçonete enfermeiro/enfermeira cozinheiro/cozinheira padeiro/padeira cabeleireiro/cabeleireira
    engenheiro/engenheira companheiro/companheira vendedor/vendedora condutor/condutora diretor/diretora
    professor/professora desenvolvedor/desenvolvedora programador/programadora trabalhador/trabalhadora
    cuidador/cuidadora coordenador/coordenadora administrador/administradora vendedores/vendedoras
    condutores/condutoras diretores/diretoras professores/professoras desenvolvedores/desenvolvedoras
    programadores/programadoras trabalhadores/trabalhadoras cuidadores/cuidadoras advogado/advogada
    empregado/empregada funcionário/funcionária encarregado/encarregada licenciado/licenciada formado/formada
    nascido/nascida casado/casada solteiro/solteira paternidade/maternidade`,
}

/** Words whose sex is that of one side only, because their other meaning is frequent: [word, its other]. */
export const oneWay: Readonly<Record<"female" | "male", Readonly<Record<Language, string>>>> = {
  female: {
    en: "he/she him/her himself/herself",
    de: "er/sie ihn/sie ihm/ihr seine/ihre seinen/ihren seinem/ihrem seiner/ihrer seines/ihres",
    fr: "ils/elles",
    es: "él/ella ellos/ellas",
    pt: "ele/ela eles/elas dele/dela deles/delas",
  },
  male: {
    en: "she/he hers/his herself/himself mrs/mr miss/mr",
    de: "krankenschwestern/krankenpfleger mädchen/junge",
    fr: "elle/il elles/ils mme/M. mlle/M.",
    es: "ella/él ellas/ellos srta/sr",
    pt: "ela/ele elas/eles dela/dele delas/deles",
  },
}

/** Last parts of German words for people, in the form for men; women's add "in", "innen". */
export const germanEndings =
  "pfleger leiter mitarbeiter entwickler verkäufer lehrer betreuer berater kellner fahrer techniker mechaniker elektriker ingenieur assistent student lieferant manager trainer schüler erzieher bäcker metzger tischler maler maurer schlosser lagerist polizist jurist ökonom architekt redakteur friseur direktor professor doktor moderator koordinator inspektor programmierer informatiker buchhalter sachbearbeiter sekretär referent praktikant meister helfer träger händler vertreter spezialist controller apotheker physiker chemiker therapeut psychologe soziologe biologe pädagoge bewerber kandidat absolvent teilnehmer gründer inhaber ansprechpartner partner freund nachbar bewohner patient rentner"

/** Articles before a word for people, `male/female`. German ones before a word that ends with "in" only. */
export const articles: Readonly<Record<Exclude<Language, "en">, string>> = {
  de: "der/die dem/der den/die des/der ein/eine einem/einer einen/eine eines/einer",
  fr: "un/une le/la",
  es: "un/una el/la los/las unos/unas",
  pt: "um/uma o/a os/as do/da dos/das no/na nos/nas uns/umas",
}

/** Words of a leave; apart from it, maternity is a field of work. */
export const leaveWords = "leave congé baja permiso licença"

/** Words that mean a person only with a capital letter, beside all German nouns. */
export const capitalOnly = "miss"

/** After "her" or "his", words that are not owned: "I helped her with", "a friend of his and". */
export const notOwned =
  "and or but nor to at in on with for from by about because when while until after before so that than as if the a an this these then there here again home back up down out off over alone away each every daily once twice quickly never always not more into onto through well too also yesterday today tomorrow how what where who why which is was were has had did does do would could can will told said asked i we you they he she it my our your their"
