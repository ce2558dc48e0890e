/** Long CVs and job descriptions that were used for tuning, with the irregular text of PDFs. */
import type { LongCase } from "./long.ts"

const accountant = `SARAH LINDGREN
Senior Accountant

SUMMARY
Results-oriented accounting professional with 9+ years of experience in general ledger, month-end close
and financial reporting for manufacturing and retail companies. Strong team player with attention to
detail.

CORE COMPETENCIES
General Ledger • Accounts Payable • Accounts Receivable • Financial Reporting • Budgeting • Forecasting
IFRS • US GAAP • SAP FI • Oracle NetSuite • Advanced Excel • Internal Controls

PROFESSIONAL EXPERIENCE

Senior Accountant                                              Mar 2018 – Present
Baltic Furniture Group, Gothenburg
• Own the month-end and year-end close for four legal entities, reduced the close from nine to five
working days
• Prepare consolidated financial statements under IFRS and explain variances to the CFO
• Reconcile balance sheet accounts, intercompany balances and fixed assets in SAP FI
• Coordinate the annual external audit with a Big Four firm, no material findings in four years
• Built budget and forecast models in Excel together with plant controllers
• Train and supervise two junior accountants

Accountant                                                     Aug 2014 – Feb 2018
Nordic Retail AB, Malmo
• Posted journal entries, accruals and prepayments; reviewed accounts payable and accounts receivable
• Prepared monthly VAT returns and supported the corporate tax return
• Implemented internal controls for vendor payments after an audit remark
• Migrated the chart of accounts from a legacy system to NetSuite

EDUCATION
Bachelor of Science in Business Administration, major in Accounting, Lund University, 2014
ACCA (12 of 13 papers passed)

LANGUAGES
Swedish (native), English (C1), German (B1)
`

const engineer = `Professional SummarySoftware engineer with over 7 years building web services and data platforms. Experienced in agile teams.   SkillsLanguages: Java, Kotlin, Python, SQL   Frameworks: Spring Boot, Hibernate, React   Cloud: AWS (EC2, S3, RDS, Lambda), Docker, Kubernetes, Terraform   Tools: Git, Jenkins, JIRA, Kafka, PostgreSQL, Redis
Work HistorySenior Software Engineer, 01/2019 to Current
Company Name - City, State   Designed and developed RESTful microservices in Java and Spring Boot that handle 40 million payments per month.   Moved a monolith to Kubernetes on AWS with zero downtime releases.   Introduced Kafka for events between services and wrote the consumer library.   Tuned PostgreSQL queries and indexes, cutting p99 latency from 900 ms to 120 ms.   Wrote unit and integration tests with JUnit and Testcontainers, coverage went from 40 to 85 percent.   Mentored four junior developers and led code reviews.
Software Developer, 06/2015 to 12/2018
Company Name - City, State   Developed a customer portal with React and a Java back end.   Built CI/CD pipelines in Jenkins; automated deployments with Terraform.   Worked with product owners and designers in two-week sprints.   Fixed production incidents in an on-call rotation.
EducationBachelor of Science, Computer Science, State University, 2015
CertificationsAWS Certified Solutions Architect - Associate, 2021
InterestsChess, hiking, and cooking`

const warehouse = `CURRICULUM VITAE
Tomasz K.

Profile: Reliable warehouse and logistics worker, twelve years in distribution centres, forklift
driver, used to shifts and cold store.

WORK
2017 - now  Shift leader, FreshLine Distribution Centre
 - leads a team of 14 pickers and loaders
 - plans dock doors and loading of 60 trucks per night
 - cycle counts and stock corrections in the warehouse management system (SAP EWM)
 - cut picking errors from 1.2 to 0.4 percent by means of voice picking
 - trains new staff in safety, manual handling and hygiene of food
2012 - 2017  Warehouse operative, Parcel & More
 - receiving, put-away, order picking, packing and dispatch of goods
 - drove counterbalance and reach trucks
 - checked delivery notes, damage and batch numbers

LICENCES: forklift licence (counterbalance, reach truck, VNA); driving licence class B and C
LANGUAGES: Polish (mother tongue); English, good; German A2
SCHOOL: vocational school, logistics technician, 2012
HOBBIES: football coach for children, angling`

const bookkeeper = `Anna Rossi - Office and bookkeeping assistant

Experience
Office assistant, Studio Verde, 2020 - 2023
Answered the telephone, ordered supplies and kept the calendar of three architects
Entered supplier invoices in the accounting software and prepared payments
Filed receipts and helped the external accountant with VAT returns
Receptionist, Hotel Aurora, 2017 - 2020
Checked in guests, handled bookings and complaints
Counted the cash register each evening

Education
Diploma in commercial school, 2016
Course: bookkeeping basics, 60 hours

Skills: MS Word, Excel, typing, telephone, friendly manner
Languages: Italian native, English B2`

const accountantJob = [
  {
    title: "Month-end close and general ledger",
    content: "Own the monthly and annual close, journal entries, accruals and account reconciliations.",
  },
  {
    title: "Financial reporting under IFRS",
    content: "Prepare financial statements and variance analysis for management and support the external audit.",
  },
  { title: "5+ years of accounting experience", content: null },
  { title: "Degree", content: "Bachelor's degree in accounting, finance or a related field. ACCA or CPA is a plus." },
  {
    title: "ERP and Excel",
    content: "Advanced Excel skills and hands-on experience with an ERP system such as SAP or NetSuite.",
  },
  { title: "English, fluent", content: null },
]
const engineerJob = [
  { title: "Java", content: null },
  {
    title: null,
    content:
      "As a Senior Backend Engineer you will design and build scalable microservices with Java and Spring Boot. You will deploy your services to Kubernetes on AWS. You will improve the performance of our PostgreSQL databases. You will write automated tests and take part in code reviews. You will mentor junior developers and work with product managers in an agile team. We offer a competitive salary, 30 days of vacation and a great atmosphere. We are an equal opportunity employer.",
  },
  { title: "At least 5 years of software development", content: null },
  { title: "Messaging", content: "Experience with Kafka or RabbitMQ" },
  { title: "CI/CD", content: "Builds pipelines and automates deployments, infrastructure as code." },
  { title: "Bachelor's degree in Computer Science", content: "or equivalent experience" },
]
const warehouseJob = [
  { title: "Order picking and dispatch", content: "Picks, packs and loads goods and checks delivery notes." },
  { title: "Forklift licence", content: null },
  { title: "Leads a shift", content: "Has led a team of at least 8 people in a distribution centre." },
  { title: "Inventory", content: "Stock counts and corrections in a warehouse management system." },
  { title: "3 years in logistics", content: null },
]

export const longDevelopment: ReadonlyArray<LongCase> = [
  { name: "accountant", job: accountantJob, fit: accountant, potential: bookkeeper, none: [engineer, warehouse] },
  { name: "engineer", job: engineerJob, fit: engineer, potential: null, none: [accountant, warehouse, bookkeeper] },
  { name: "warehouse", job: warehouseJob, fit: warehouse, potential: null, none: [accountant, engineer, bookkeeper] },
]
