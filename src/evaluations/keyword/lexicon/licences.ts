/** Certificates and licences: to have one is all there is to say about it. Matched as written. */
export const licences = `
rn_licence < nursing: rn registered_nurse registered_nurses registered_nurse_licence registered_nurse_license rn_license rn_licence state_registered_nurse examinierte_pflegefachkraft examinierter_krankenpfleger nmc_registered nmc_registration infirmiere_diplomee infirmier_diplome
lpn < nursing: licensed_practical_nurse lvn licensed_vocational_nurse
cna < nursing: certified_nursing_assistant
acls < resuscitation: advanced_cardiac_life_support advanced_cardiovascular_life_support als_certified
bls < resuscitation: basic_life_support bls_certified
pals: pediatric_advanced_life_support
cpr_certificate < resuscitation: cpr_certified cpr_certification
first_aid_certificate < first_aid: first_aid_certified first_aid_at_work ersthelfer first_aid_course
cpa < accounting: certified_public_accountant
acca < accounting: chartered_certified_accountant
aca < accounting: chartered_accountant
cma < accounting: certified_management_accountant cima
cfa < investment: chartered_financial_analyst
cia_auditor < audit: certified_internal_auditor
steuerberater < taxation: steuerberaterin tax_advisor_licence
bilanzbuchhalter < accounting: bilanzbuchhalterin
pmp < project_management: project_management_professional
prince2 < project_management: prince_2
scrum_certificate < agile: certified_scrum_master csm psm
itil: itil_v3 itil_v4 itil_foundation
cissp < cyber_security: certified_information_systems_security_professional
aws_certificate < aws: aws_certified aws_certification aws_certified_solutions_architect
ccna_certificate < network_administration: ccnp
comptia: comptia_a comptia_security comptia_network
six_sigma_belt < process_improvement: six_sigma_green_belt six_sigma_black_belt green_belt black_belt_six_sigma
forklift_licence < forklift: forklift_license forklift_truck_licence forklift_truck_license forklift_certificate forklift_certified forklift_certification fork_lift_certificate fork_lift_licence fork_lift_license fork_lift_truck_licence forklift_driving_licence staplerschein gabelstaplerschein flurfoerderschein caces permis_cariste carnet_de_carretillero forklift_permit licence_for_forklift
crane_licence < crane: kranschein crane_operator_licence crane_license
cdl < truck_driving: commercial_driver_s_license commercial_drivers_license commercial_driver_license cdl_a cdl_class_a
driver_cpc < truck_driving: cpc_card cpc_certificate driver_qualification_card driver_card code_95 berufskraftfahrerqualifikation fimo
adr_certificate: adr_class adr_classes adr_card adr_certified adr_tanks adr_bescheinigung adr_schein adr_licence hazardous_goods_licence gefahrgutschein hazmat_endorsement
welding_certificate < welding: certified_welder schweisserpruefung schweisserschein
journeyman_electrician < electrical_work: licensed_electrician gesellenbrief_elektrotechnik
master_craftsman: elektromeister meisterpruefung meisterbrief industriemeister handwerksmeister
gas_safe < plumbing: gas_safe_registered gas_engineer_licence
cscs_card < construction: cscs
osha_certificate < site_safety: osha_10 osha_30
haccp_certificate < food_safety: haccp_certified haccp_certificate haccp_schulung
servsafe_certificate < food_safety: servsafe_certified food_handler_certificate food_handlers_card gesundheitszeugnis
bar_admission < law: admitted_to_the_bar bar_admission member_of_the_bar admitted_as_a_solicitor zweites_staatsexamen volljurist volljuristin
notary_licence < law: notary_public
qts < teaching: qualified_teacher_status pgce teaching_license teaching_licence teaching_certificate teaching_credential teacher_certification state_teaching_certificate referendariat capes
celta < language_teaching: delta_certificate tefl_certificate
real_estate_licence < real_estate: real_estate_license realtor_license
security_licence < security_guard: sia_licence security_license sachkundepruefung guard_card
shrm < human_resources: shrm_cp shrm_scp phr sphr cipd
pilot_licence < aviation: pilot_license atpl commercial_pilot_licence
isc2: ccsp
leed: leed_certified leed_ap
professional_engineer: pe_license pe_licence fundamentals_of_engineering chartered_engineer
`
