/**
 * Names that mean the same thing, and irregular forms. A line is the name that is compared, then what is read as it;
 * an alias of several words is joined with "_". All in lower case, as the text is compared.
 */
const table = `
postgresql: postgres psql pgsql postgre postgre_sql
kubernetes: k8s kube
javascript: js ecmascript es6
typescript: ts
csharp: c# c_sharp
cplusplus: c++ cpp
golang: go_lang
dotnet: .net asp.net dot_net
node: nodejs node.js node_js
react: reactjs react.js react_js
vue: vuejs vue.js vue_js
angular: angularjs angular.js
express: expressjs express.js
nextjs: next.js
python: python3 py
ruby: rb
rails: ror ruby_on_rails
java: jdk
aws: amazon_web_services
gcp: google_cloud google_cloud_platform
azure: microsoft_azure
ci: continuous_integration
cd: continuous_delivery continuous_deployment
ml: machine_learning
ai: artificial_intelligence
llm: llms large_language_model large_language_models
nlp: natural_language_processing
api: apis
rest: restful
sql: structured_query_language
nosql: no_sql
mongodb: mongo
elasticsearch: elastic_search
mssql: sql_server ms_sql
rabbitmq: rabbit_mq
devops: dev_ops
sre: site_reliability site_reliability_engineering
iac: infrastructure_as_code
frontend: front_end
backend: back_end
fullstack: full_stack
microservice: microservices micro_service micro_services
tdd: test_driven_development test_driven
ddd: domain_driven_design domain_driven
oop: object_oriented object_oriented_programming
ux: user_experience
ui: user_interface user_interfaces
qa: quality_assurance
hr: human_resources
crm: customer_relationship_management
erp: enterprise_resource_planning
saas: software_as_a_service
b2b: business_to_business
b2c: business_to_consumer
kpi: kpis key_performance_indicator key_performance_indicators
okr: okrs
seo: search_engine_optimization search_engine_optimisation
gdpr: general_data_protection_regulation
powerbi: power_bi
excel: ms_excel microsoft_excel
git: github gitlab
terraform: tf
oauth: oauth2
graphql: graph_ql
analysis: analyse analyses analysed analysing analyze analyzes analyzed analyzing analyst analysts analytics analytical
maintenance: maintain maintains maintained maintaining
manage: manager managers
develop: developer developers
engineer: engineers engineering engineered
lead: led leader leaders leadership
mentor: mentored mentorship coach coached coaching
build: built builder
write: wrote written
teach: taught
run: ran
sell: sold sales selling seller
speak: spoke spoken
negotiate: negotiator
orchestrate: orchestrator
stakeholder: stakeholders
debug: debugging debugged troubleshoot troubleshooting troubleshot
architecture: architect architects architected architectural
`

const entries = table
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [name = "", others = ""] = line.split(": ")
    return others.split(" ").map((other): readonly [string, string] => [other, name])
  })

/** From an alias (its words joined with "_") to the name it is compared as. */
export const aliases: ReadonlyMap<string, string> = new Map(entries)

/** For the first word of each alias, the number of words in the longest one that begins with it. */
export const aliasLengths: ReadonlyMap<string, number> = entries.reduce((lengths, [alias]) => {
  const words = alias.split("_")
  const first = words[0] ?? ""
  return lengths.set(first, Math.max(words.length, lengths.get(first) ?? 0))
}, new Map<string, number>())
