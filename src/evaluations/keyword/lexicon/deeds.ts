/** Verbs of any trade. */
export const deeds = `
lead: led leads leading leader leaders leadership supervise supervised supervises supervision supervisor supervising head headed oversee oversaw oversees overseeing manage managed manages managing manager managers management direct directed leitung leite leitete geleitet fuehrte gefuehrt fuehrung leiten fuehren dirige diriger encadrer encadre encadrement dirigir dirigi liderar lidere liderei coordenei personalverantwortung
coordinate: coordinated coordinates coordinating coordination coordinator organize organized organise organised organizes organises organizing organising organization_of organisiert organisieren organisierte koordiniert koordinieren koordination organiser organisation_de coordonner organizar organice coordinar
mentor: mentors mentored mentoring mentorship coach coached coaches coaching mentoren tutorat
train: trained training trains trainings trainer instruct instructed schulung schulungen geschult schulte einarbeiten eingearbeitet former formation_du_personnel formacion treinamento treinei capacitar
develop: developed develops developing development build built builds building_software create created creates creating implement implemented implements implementing implementation entwickelt entwickeln entwicklung umgesetzt erstellt aufgebaut developper developpe realiser concu desarrollar desarrolle desarrollado implementar desenvolver desenvolvi
design: designed designs designing entworfen gestaltet konzipiert entwerfen concevoir conception disenar disene projetar
plan: planned plans planning planning_of schedule scheduled schedules scheduling geplant planung planen planifier planification planificar planejar
analysis: analyse analyses analysed analysing analyze analyzes analyzed analyzing analyst analysts analytics analytical analysiert analysieren auswertung analyser analizar analisar analise
assess: assessed assesses assessing assessment assessments evaluate evaluated evaluates evaluating evaluation bewerten bewertet evaluer evaluar avaliar
document: documented documents documenting documentation recorded records record protokoll protokolliert dokumentiert dokumentation documenter documente documentar
check: checked checks checking inspect inspected inspects inspecting inspection inspections verify verified verification pruefen prueft geprueft pruefung pruefungen kontrolliert kontrolle verifier verifie controler verificar revisar inspecionar
monitor: monitored monitors monitoring monitoring_of watched watch ueberwacht ueberwachung ueberwachen surveiller surveillance monitorear supervisar_procesos monitorar
improve: improved improves improving improvement improvements optimize optimized optimise optimised optimizes optimises optimizing optimising optimization optimisation increase increased increases increasing grow grew grows growing grown boost boosted verbessert verbessern gesteigert optimiert ameliorer ameliore augmenter mejorar mejore aumentar melhorar melhorei
reduce: reduced reduces reducing reduction cut lowered decreased gesenkt reduziert verringert reduit reduire reducir reduje reduzir reduzi
prepare: prepared prepares preparing preparation vorbereitet vorbereitung vorbereiten preparer preparar prepare_des
install: installed installs installing installation installations installiert installieren installierte montiert montage eingebaut einbau angeschlossen installer instale instalar instalei connected
test: tested tests testing getestet testen tester_de probar testar
write: wrote written writes writing draft drafted drafts drafting geschrieben schreiben schrieb verfasst rediger redige ecrire escribir redactar escrever redigir
advise: advised advises advising advice advisor adviser consult consulted consulting consultant consultants consultation beraten beratung berater conseiller conseil asesorar asesor assessorar aconselhar
represent: represented represents representing representation vertreten vertretung representer representar
support: supported supports supporting assist assisted assists assisting unterstuetzt unterstuetzung unterstuetzen soutenir assister apoyar apoiar
help: helped helps helping
communicate: communicated communicates communicating communication communications kommunikation kommunizieren communiquer comunicar comunicacion comunicacao
explain: explained explains explaining explanation erklaert erklaeren expliquer explicar
collaborate: collaborated collaborates collaborating collaboration cooperate cooperation teamwork team_work zusammenarbeit collaborer colaborar equipe_de_travail
handle: handled handles handling process_requests processed processing bearbeitet bearbeiten bearbeitung traiter traite traitement traitee gestionar gestion gestao atender atendi
respond: responded responds responding answer answered answers answering replied beantwortet beantworten repondre repondu reponds responder respondi
treat: treated treats treating treatment treatments behandelt behandlung soigner tratar tratamiento tratamento
operate: operated operates operating operation operations operator operators betrieben bedient bedienung exploiter operar
deploy: deployed deploys deploying deployment deployments rollout rollouts roll_out releases released release
migrate: migrated migrates migrating migration migrations
automate: automated automates automating automation automatisiert automatisierung automatiser automatizar
integrate: integrated integrates integrating integration integrations
deliver: delivered delivers delivering delivery deliveries geliefert lieferung livrer livraison entregar
order: ordered orders ordering bestellt bestellung bestellungen commander commandes pedidos
customer: customers client clients clientele kunde kunden kundin kundinnen cliente clientes
employee: employees staff personnel mitarbeiter mitarbeiterin mitarbeitern mitarbeiterinnen employes salaries empleados funcionarios
colleague: colleagues coworker coworkers co_workers kollegen kollegin kollege collegues companeros colegas
junior: juniors trainee trainees intern interns apprentice apprentices auszubildende azubi praktikant stagiaires aprendices estagiarios
supplier: suppliers vendor vendors lieferant lieferanten fournisseur fournisseurs proveedor proveedores fornecedor fornecedores
employer: employers arbeitgeber employeurs empleadores
problem_solving: problem_solver solve_problems solved_problems loesungsorientiert resolution_de_problemes
solution: solutions loesung loesungen solucion soluciones solucao solucoes
safety: safe sicherheit securite seguridad seguranca
technician: technicians techniker technicien tecnico
decision: decisions decision_making entscheidungen
orchestrate: orchestrator orchestration
architecture: architect architects architected architectural software_architecture system_architecture
scale: scaling scalable scalability skalierbar autoscaling
performance: leistung_system latency
`
