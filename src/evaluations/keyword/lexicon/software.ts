/** Software work, matched as written. */
export const software = `
postgresql < sql database: postgres psql pgsql postgre postgre_sql
mysql < sql database: my_sql mariadb
mssql < sql database: sql_server ms_sql ms_sql_server microsoft_sql_server t_sql tsql
oracle_db < sql database: oracle oracle_database pl_sql plsql oracle_sql
sqlite < sql database: sq_lite
db2 < sql database: ibm_db2
mongodb < nosql database: mongo mongo_db
redis < nosql database cache: redis_cache
cassandra < nosql database: apache_cassandra
dynamodb < nosql database aws: dynamo_db
elasticsearch < search_engine: elastic_search opensearch elk elk_stack
snowflake < data_warehouse sql: snowflake_db
bigquery < data_warehouse gcp sql: big_query
redshift < data_warehouse aws sql: amazon_redshift
data_warehouse: data_warehouses data_warehousing dwh datawarehouse
cache: caching caches
search_engine: search_engines full_text_search
sql: structured_query_language
nosql: no_sql
database: databases rdbms relational_database relational_databases dbms datenbank datenbanken base_de_donnees bases_de_donnees base_de_datos bases_de_datos banco_de_dados bancos_de_dados
kubernetes < containers cloud: k8s kube openshift eks aks gke
docker < containers: dockerfile docker_compose podman
containers: container_orchestration containerization containerisation containerized
helm < kubernetes: helm_charts
javascript < programming: js ecmascript es6
typescript < programming javascript: ts_lang ts tsx
java < programming: jdk j2ee java_ee jee java_se core_java java8 java11 java17
kotlin < programming: kotlin_lang
scala < programming: scala_lang
csharp < programming dotnet: c# c_sharp
cplusplus < programming: c++ cpp
golang < programming: go_lang
rust_lang < programming: rustlang rust
swift_lang < programming ios: swiftui swift
objective_c < programming ios: objective_c_lang objectivec
php < programming: php7 php8
perl < programming: perl5
matlab < programming: simulink
cobol < programming: cobol85
vba < programming excel: visual_basic visual_basic_for_applications vba_macros
dotnet < programming: .net asp_.net asp.net dot_net asp_net .net_core
python < programming: python3 py
ruby < programming: ruby_lang
rails < ruby: ror ruby_on_rails
programming: coding programmer programmers programmed programmierung programmiert programmation programacion programacao
bash < linux: shell_scripting shell_script shell_scripts bash_scripting
powershell < windows_server: power_shell
frameworks: framework
linux: unix ubuntu debian red_hat redhat rhel centos
windows_server: microsoft_windows_server
node < javascript backend: nodejs node_js
react < javascript frontend: reactjs react_js react_native
vue < javascript frontend: vuejs vue_js
angular < javascript frontend: angularjs angular_js
svelte < javascript frontend: sveltekit
jquery < javascript: j_query
express < node: expressjs express_js
nextjs < react: next_js
html < frontend: html5 xhtml
css < frontend: css3 scss sass tailwind bootstrap
webpack < frontend: vite rollup
django < python backend: django_rest_framework
flask < python backend: flask_api
fastapi < python backend: fast_api
spring < java backend: spring_boot springboot spring_mvc spring_framework spring_cloud
hibernate < java orm: jpa
junit < java unit_testing: testng
maven < java: apache_maven
gradle < java: gradle_build
laravel < php backend: symfony
aws < cloud: amazon_web_services amazon_aws ec2 s3 aws_lambda cloudformation
gcp < cloud: google_cloud google_cloud_platform
azure < cloud: microsoft_azure ms_azure azure_devops
cloud: cloud_computing cloud_platform cloud_platforms cloud_services cloud_infrastructure
serverless < cloud: lambda_functions
terraform < infrastructure_as_code: tf pulumi
ansible < infrastructure_as_code: ansible_playbooks
puppet_tool < infrastructure_as_code: puppet_enterprise chef_infra saltstack
infrastructure_as_code: iac
ci_cd: ci continuous_integration cd continuous_delivery continuous_deployment ci_cd_pipelines ci_cd_pipeline build_pipelines deployment_pipelines deployment_pipeline
jenkins < ci_cd: jenkins_pipelines
github_actions < ci_cd git: gitlab_ci circleci teamcity
git < version_control: github gitlab bitbucket
version_control: svn subversion source_control
kafka < messaging: apache_kafka
rabbitmq < messaging: rabbit_mq
messaging: message_queue message_queues message_broker message_brokers activemq sqs event_streaming
spark < big_data: apache_spark pyspark databricks
hadoop < big_data: hdfs mapreduce hive
big_data: bigdata
airflow < etl: apache_airflow
etl: elt data_pipeline data_pipelines informatica_powercenter talend ssis
dbt_tool < etl sql: dbt
machine_learning: ml deep_learning neural_networks maschinelles_lernen apprentissage_automatique aprendizaje_automatico
tensorflow < machine_learning python: tensor_flow keras
pytorch < machine_learning python: py_torch
scikit < machine_learning python: scikit_learn sklearn
pandas < python data_analysis: numpy
artificial_intelligence: ai kuenstliche_intelligenz intelligence_artificielle
llm < artificial_intelligence: llms large_language_model large_language_models generative_ai genai
nlp < machine_learning: natural_language_processing
computer_vision < machine_learning: opencv image_recognition
data_science: data_scientist data_scientists
data_engineer: data_engineering data_engineers
data_analysis: data_analytics data_analyst data_analysts datenanalyse analyse_de_donnees analisis_de_datos analise_de_dados
business_intelligence: bi reporting_dashboards
power_bi < business_intelligence dashboards: powerbi
tableau < business_intelligence dashboards: tableau_desktop
looker < business_intelligence dashboards: qlik qlikview qliksense
dashboards: dashboard
api: apis application_programming_interface web_services web_service webservices
rest < api: restful rest_api rest_apis restful_api restful_apis restful_services openapi swagger api_endpoint api_endpoints
graphql < api: graph_ql
soap < api: soap_services
grpc < api: protobuf
microservice: microservices micro_service micro_services
oauth < authentication: oauth2 openid oidc saml
authentication: single_sign_on sso identity_management
devops: dev_ops
site_reliability < devops: sre site_reliability_engineering
monitoring_tools: prometheus grafana datadog nagios new_relic splunk
frontend: front_end front_end_development frontend_development web_frontend
backend: back_end back_end_development backend_development server_side
fullstack < frontend backend: full_stack
web_development: web_developer web_developers webentwicklung developpement_web desarrollo_web
mobile_development: mobile_apps mobile_app mobile_developer
ios < mobile_development: iphone xcode
android < mobile_development: android_studio
flutter < mobile_development: dart
unit_testing < software_testing: unit_tests unit_test
software_testing: test_automation automated_tests automated_testing automated_test qa_testing software_tester test_cases integration_tests
selenium < software_testing: cypress playwright
quality_assurance: qa qualitaetssicherung assurance_qualite control_de_calidad
tdd < software_testing: test_driven_development test_driven
ddd: domain_driven_design domain_driven
orm: object_relational_mapping
oop: object_oriented object_oriented_programming oops
agile: scrum kanban sprint sprints agile_methodologies agile_methodology scrum_master
jira < agile: confluence
software_developer: software_engineer software_engineers software_developers software_engineering software_development softwareentwickler softwareentwicklung developpeur desarrollador desenvolvedor java_developer backend_developer frontend_developer web_application_developer application_developer
system_administration: sysadmin system_administrator systems_administrator systems_administration systemadministrator
network_administration: network_engineer network_administrator cisco routers switches ccna lan wan vpn
cyber_security: cybersecurity information_security infosec it_security penetration_testing siem
help_desk: helpdesk it_support service_desk desktop_support technical_support
active_directory < windows_server: ad_ds ldap
vmware: virtualization virtualisation hyper_v
ux: user_experience ux_design usability
ui: user_interface user_interfaces ui_design
figma < ux ui: adobe_xd sketch_app
photoshop < graphic_design: adobe_photoshop
illustrator < graphic_design: adobe_illustrator indesign adobe_creative_suite creative_suite creative_cloud
graphic_design: graphic_designer grafikdesign graphisme diseno_grafico
wordpress < web_development: word_press drupal joomla
salesforce < crm: sfdc salesforce_crm
hubspot < crm: hub_spot zoho
crm: customer_relationship_management crm_system crm_software
sap < erp: sap_fi sap_co sap_mm sap_sd sap_hana sap_s4 s4hana sap_erp sap_r3 sap_ewm
netsuite < erp accounting_software: net_suite oracle_netsuite
dynamics < erp: microsoft_dynamics dynamics_365 navision ms_dynamics business_central
erp: enterprise_resource_planning erp_system erp_systems warenwirtschaft
servicenow: service_now
sharepoint: share_point
excel < ms_office: ms_excel microsoft_excel spreadsheet spreadsheets pivot_tables pivot_table vlookup
powerpoint < ms_office: ms_powerpoint microsoft_powerpoint
ms_office: microsoft_office office_365 office365 microsoft_365 ms_word microsoft_word office_suite ms_outlook microsoft_outlook google_workspace pack_office
autocad < cad: auto_cad
solidworks < cad: solid_works
cad: computer_aided_design catia creo inventor revit
saas: software_as_a_service
embedded: embedded_systems embedded_software firmware microcontroller microcontrollers
performance_tuning: query_optimization query_optimisation performance_optimization performance_optimisation slow_queries query_tuning
`
