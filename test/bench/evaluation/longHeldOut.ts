/** Held-out long CVs and job descriptions: written before tuning, and not used for it. */
import type { LongCase } from "./long.ts"

const nurse = `MARIA OLIVEIRA, RN
Intensive care nurse

PROFESSIONAL PROFILE
Compassionate registered nurse with eleven years of experience in intensive care and emergency
departments of teaching hospitals. 

EXPERIENCE
Intensive Care Nurse | St. Luke's University Hospital | 09/2016 – present
• Care for ventilated and post-operative patients in a 16-bed intensive care unit (1:2 ratio)
• Administer intravenous medication, blood products and sedation, and monitor vital signs and
haemodynamics
• Manage arterial lines, central venous catheters and ventilators
• Respond to cardiac arrests as a member of the resuscitation team
• Document care in Epic and hand over with SBAR
• Precept newly qualified nurses; taught 20 of them in sepsis screening
Emergency Nurse | City Hospital Porto | 07/2013 – 08/2016
• Triaged up to 70 patients per shift with the Manchester system
• Took blood, placed cannulas, assisted with sutures and wound care
• Calmed relatives and explained treatment in plain words

EDUCATION AND LICENCES
Bachelor of Science in Nursing, Escola Superior de Enfermagem do Porto, 2013
Registered nurse, licence valid to 2027
ACLS and BLS certified (2024)

LANGUAGES: Portuguese native | English C1 | Spanish B2`

const seller = `JAMES P. WHITTAKER   Sales Manager
SUMMARY   Dynamic sales manager with a successful track record in industrial equipment. Exceeded quota in nine of ten years.
HIGHLIGHTS   B2B sales   Key accounts   Negotiation   Salesforce CRM   Forecasting   Trade fairs   Public speaking
EXPERIENCE
REGIONAL SALES MANAGER   MAY 2017 TO CURRENT   PUMPTECH INC.
Lead a team of 9 field sales representatives in six states; hire, coach and review them. Grew regional revenue from $11M to $19M in four years. Negotiate frame contracts with chemical plants and water utilities. Run the weekly pipeline review and the quarterly forecast in Salesforce. Launched a distributor program that won 23 new accounts.
SALES REPRESENTATIVE   JUNE 2011 TO APRIL 2017   VALVE & SEAL CO.
Prospected new customers by cold calling and visits, closed 140 deals. Presented products at trade fairs in Hannover and Chicago. Prepared quotes with the engineering department and followed up on complaints. Won the salesperson of the year award in 2014.
EDUCATION   Bachelor of Business Administration, Marketing, Ohio State University, 2011
LANGUAGES   English native, German conversational`

const electrician = `Lebenslauf

Beruflicher Werdegang
04/2018 - heute   Elektromeister, Stadtwerke Lindau
Leitung eines Teams von 6 Elektrikern
Planung und Installation von Niederspannungsanlagen in Schulen und Wohngebäuden
Wartung von Schaltanlagen und Notstromaggregaten, Fehlersuche in Steuerungen
Prüfung elektrischer Anlagen nach DGUV V3 und VDE 0100, Prüfprotokolle
Montage von Photovoltaikanlagen und Ladestationen
09/2010 - 03/2018   Elektriker, Elektro Baumann GmbH
Verlegung von Leitungen, Einbau von Verteilern und Zählerschränken im Neubau
Inbetriebnahme von SPS-Steuerungen (Siemens S7)
Kundendienst und Reparaturen

Ausbildung
2014 Meisterprüfung im Elektrotechnikerhandwerk
2007 - 2010 Ausbildung zum Elektroniker für Energie- und Gebäudetechnik

Führerschein Klasse B und BE
Sprachen: Deutsch (Muttersprache), Englisch (Grundkenntnisse)
Hobbys: Feuerwehr, Radfahren`

const careAssistant = `Leila H. - Care assistant
I like to work with people and I am patient and friendly.
2021 - 2024 Healthcare assistant, Sunrise nursing home
helped residents with washing, dressing and eating
measured blood pressure, temperature and blood sugar and wrote them in the care plan
called the nurse when something changed
2018 - 2021 Sales assistant in a bakery
served customers, worked the till
Certificate in health and social care, level 3, 2021
First aid course 2023
English fluent, Arabic native`

const nurseJob = [
  {
    title: "Critical care nursing",
    content:
      "Cares for critically ill patients in an intensive care unit, including ventilated patients. Administers medication and monitors vital signs. Responds to emergencies and cardiac arrest. Documents care in the electronic record.",
  },
  { title: "Registered nurse licence", content: null },
  { title: "Minimum of 3 years of intensive care experience", content: null },
  { title: "Bachelor of Science in Nursing", content: null },
  { title: "ACLS", content: "ACLS and BLS certification required." },
  { title: "Teaches new nurses", content: "Acts as a preceptor for newly qualified colleagues." },
]
const sellerJob = [
  { title: "B2B sales", content: "At least 5 years of experience in B2B sales of technical products." },
  { title: "Leads a sales team", content: "Has managed at least 6 sales representatives: hiring, coaching, targets." },
  { title: "Customer acquisition", content: "Wins new customers by cold calling and at trade fairs." },
  { title: "Negotiation", content: "Negotiates contracts with large customers." },
  { title: "CRM and forecasting", content: "Keeps the pipeline in a CRM such as Salesforce and forecasts revenue." },
  { title: "Bachelor's degree in business or marketing", content: null },
]
const electricianJob = [
  {
    title: "Elektroinstallation",
    content: "Installiert elektrische Anlagen in Gebäuden: Leitungen, Verteiler, Zählerschränke.",
  },
  { title: "Prüfung nach VDE", content: "Prüft elektrische Anlagen und schreibt Prüfprotokolle." },
  { title: "Abgeschlossene Ausbildung als Elektriker", content: null },
  { title: "Mindestens 5 Jahre Berufserfahrung", content: null },
  { title: "Wartung und Fehlersuche", content: "Wartet Schaltanlagen, sucht Fehler in Steuerungen (SPS)." },
  { title: "Führerschein Klasse B", content: null },
]

export const longHeldOut: ReadonlyArray<LongCase> = [
  { name: "nurse", job: nurseJob, fit: nurse, potential: careAssistant, none: [seller, electrician] },
  { name: "seller", job: sellerJob, fit: seller, potential: null, none: [nurse, careAssistant] },
  { name: "electrician", job: electricianJob, fit: electrician, potential: null, none: [] },
]
