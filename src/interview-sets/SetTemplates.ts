/**
 * Starter templates of interview sets, by role. Requirements are worded as candidates describe the work, so that the
 * keyword evaluator finds it (docs/evaluation.md).
 */
import type { CreateInterviewSet } from "./InterviewSet.ts"

export interface SetTemplate {
  /** In the address of the form that it fills. */
  readonly key: string
  /** The trade, under which the list of templates shows it. */
  readonly trade: string
  readonly set: CreateInterviewSet
}

type Questions = NonNullable<CreateInterviewSet["iai_questions"]>
type Question = Questions[number]
type Requirements = NonNullable<CreateInterviewSet["iai_requirements"]>

const weights = { "good to have": 244, important: 245, "very important": 272, "must have": 273 } as const

const requirement = (weight: keyof typeof weights, title: string): Requirements[number] => ({
  title,
  cfg_importance_id: weights[weight],
})

const text = (title: string, content: string, hint?: string): Question => ({
  title,
  content,
  ...(hint === undefined ? {} : { hint }),
  question_mode: "interview",
  question_type: "text",
})

const spoken = (title: string, content: string): Question => ({
  ...text(title, content),
  attributes: { answer_with: ["text", "audio"] },
})

const choice = (type: "radio" | "checkbox", title: string, options: ReadonlyArray<string>): Question => ({
  title,
  question_mode: "pre_screening",
  question_type: type,
  options: options.map((option) => ({ title: option })),
})

const one = (title: string, ...options: ReadonlyArray<string>) => choice("radio", title, options)
const several = (title: string, ...options: ReadonlyArray<string>) => choice("checkbox", title, options)

const setTemplate = (
  key: string,
  trade: string,
  about: Pick<CreateInterviewSet, "title" | "position" | "description" | "interview_duration">,
  iai_questions: Questions,
  iai_requirements: Requirements,
): SetTemplate => ({ key, trade, set: { ...about, cfg_lingual_ids: [1], iai_questions, iai_requirements } })

/** Has every kind of question that candidates answer in writing or by choice, and every weight. */
export const backendEngineer = setTemplate(
  "backend-engineer",
  "Software",
  {
    title: "Backend Engineer",
    position: "Senior Backend Engineer",
    description: "Five short questions about how you work. Answer in your own words.",
    interview_duration: 30,
  },
  [
    one("Where are you based?", "In the European Union", "Elsewhere, and I would relocate", "Elsewhere"),
    several("Which of these have you run in production?", "PostgreSQL", "Kubernetes", "RabbitMQ", "None of them"),
    text(
      "A service you built",
      "Tell us about a TypeScript service that you built and ran. What was your part?",
      "What it did, how much load it took, what you decided.",
    ),
    text(
      "A database problem",
      "Describe a PostgreSQL performance problem that you found and solved.",
      "How did you find it, what did you change, how did you know that it helped?",
    ),
    text("Working with others", "Tell us about a time when you helped a colleague grow."),
  ],
  [
    requirement("must have", "TypeScript services in production"),
    requirement("must have", "PostgreSQL: query plans and indexes"),
    requirement("very important", "Message queues and retries"),
    requirement("important", "Kubernetes deployments"),
    requirement("important", "Mentoring colleagues"),
    requirement("good to have", "Writes automated tests"),
  ],
)

export const careNurse = setTemplate(
  "care-nurse",
  "Health and care",
  {
    title: "Registered Nurse, Elderly Care",
    position: "Registered Nurse",
    description: "Tell us about your work with patients and their families. There are no trick questions.",
    interview_duration: 40,
  },
  [
    one("Which shifts can you work?", "All shifts, with nights and weekends", "Days and weekends", "Weekdays only"),
    text(
      "A patient whose condition changed",
      "Describe a shift in which a patient's condition got worse. What did you notice, and what did you do?",
      "Which signs did you see, whom did you tell, what happened next?",
    ),
    text(
      "Medication",
      "How do you make sure that every patient gets the right medication?",
      "Describe a real round, and a mistake that you noticed in time.",
    ),
    text("Relatives", "Tell us about a difficult talk with a patient's relatives."),
    text("Dementia", "Tell us about a person with dementia whom you cared for. What helped?"),
  ],
  [
    requirement("must have", "Notices changes in vital signs and informs the doctor"),
    requirement("must have", "Gives medication safely and checks the dose"),
    requirement("very important", "Cares for people with dementia"),
    requirement("important", "Talks with relatives and calms them"),
    requirement("important", "Documents care and hands over to the next shift"),
  ],
)

export const salesRepresentative = setTemplate(
  "sales-representative",
  "Sales",
  {
    title: "Sales Representative",
    position: "Sales Representative",
    description: "We would like to hear how you win and keep customers. Examples with figures help us most.",
    interview_duration: 30,
  },
  [
    several(
      "Which kinds of customers have you sold to?",
      "Small businesses",
      "Large companies",
      "Public bodies",
      "Consumers",
    ),
    text(
      "A deal you won",
      "Describe a deal that you won from the first contact to the signature. What was your part?",
      "How you found the customer, who decided, what it was worth.",
    ),
    {
      ...text("Objections", "Tell us about a customer who found the price too high. What did you say and do?"),
      attributes: { answer_with: ["text", "audio"], max_seconds: 120 },
    },
    text("Your pipeline", "How do you find new customers, and how do you keep your pipeline up to date?"),
    text("A target", "Tell us about your last sales target. What was it, and what did you reach?"),
  ],
  [
    requirement("must have", "Finds new customers by cold calls or visits"),
    requirement("must have", "Reaches or exceeds the sales target"),
    requirement("very important", "Negotiates the price and explains the value"),
    requirement("important", "Pipeline in Salesforce, HubSpot or a similar CRM"),
    requirement("good to have", "Keeps existing customers and renews contracts"),
  ],
)

const dataAnalyst = setTemplate(
  "data-analyst",
  "Data",
  {
    title: "Data Analyst",
    position: "Data Analyst",
    description: "Four questions about analyses that you made and what came of them.",
    interview_duration: 30,
  },
  [
    several("Which of these do you use every week?", "SQL", "Python or R", "Power BI, Tableau or Looker", "Excel"),
    text(
      "An analysis that changed a decision",
      "Describe an analysis of yours after which your company decided differently.",
      "What was the question, which data did you use, what did you find?",
    ),
    text(
      "Data you could not trust",
      "Tell us about data that turned out to be wrong. How did you notice, and what did you do?",
    ),
    text("Explaining a result", "How did you explain a surprising result to people without a technical background?"),
  ],
  [
    requirement("must have", "Writes SQL queries with joins and window functions"),
    requirement("very important", "Dashboards in Power BI, Tableau or Looker"),
    requirement("very important", "Checks data quality and finds wrong data"),
    requirement("important", "Explains results to colleagues in plain words"),
    requirement("good to have", "Plans and evaluates A/B tests"),
  ],
)

const productManager = setTemplate(
  "product-manager",
  "Product",
  {
    title: "Product Manager",
    position: "Product Manager",
    description: "Four questions about products that you were responsible for.",
    interview_duration: 40,
  },
  [
    text(
      "A product you launched",
      "Describe a product or feature from the idea to the launch. What was your part?",
      "How you learned what customers need, what you left out, how you measured success.",
    ),
    text("Saying no", "Tell us about a request that you declined. Who asked, and how did you decide?"),
    text("A launch that failed", "Tell us about a launch that did not reach its goal. What did you change?"),
    text("Working with engineers and designers", "How did you and your team plan and build the last larger feature?"),
  ],
  [
    requirement("must have", "Interviews customers to learn what they need"),
    requirement("must have", "Prioritizes the roadmap and declines requests"),
    requirement("very important", "Measures the success of a launch with metrics"),
    requirement("important", "Works with engineers and designers"),
  ],
)

const supportAgent = setTemplate(
  "customer-support-agent",
  "Customer service",
  {
    title: "Customer Support Agent",
    position: "Customer Support Agent",
    description: "Five short questions about how you help customers.",
    interview_duration: 25,
  },
  [
    several("In which ways have you helped customers?", "By phone", "By email", "By chat", "In person"),
    spoken("An upset customer", "Tell us about a customer who was upset. What had happened, and how did it end?"),
    text("A problem you could not solve alone", "Describe a problem for which you needed others. What did you do?"),
    text("Many requests at once", "How do you work when many customers wait? Describe a real day."),
    text("Writing", "Write the answer to a customer whose order arrived broken for the second time."),
  ],
  [
    requirement("must have", "Calms upset customers and finds a solution"),
    requirement("very important", "Answers many tickets a day and keeps to response times"),
    requirement("very important", "Writes friendly and clear emails"),
    requirement("important", "Works with Zendesk or a similar ticket system"),
    requirement("important", "Escalates problems to the right colleagues"),
  ],
)

const accountant = setTemplate(
  "accountant",
  "Finance",
  {
    title: "Accountant",
    position: "Accountant",
    description: "Five questions about closings, ledgers and audits that you worked on.",
    interview_duration: 35,
  },
  [
    several("Which systems have you worked with?", "SAP", "DATEV", "Oracle NetSuite", "QuickBooks or Xero"),
    text(
      "A month-end close",
      "Describe your part in a month-end close. How long did it take, and what did you improve?",
    ),
    text("A difference", "Tell us about a difference in the accounts that you found and explained."),
    text("An audit", "Tell us about an audit that you prepared or took part in."),
    text("A deadline", "How did you keep a deadline when documents were missing?"),
  ],
  [
    requirement("must have", "Prepares the month-end close and the annual accounts"),
    requirement("must have", "Reconciles accounts and explains differences"),
    requirement("very important", "Prepares VAT returns"),
    requirement("important", "SAP, DATEV or a similar accounting system"),
    requirement("important", "Prepares documents for auditors"),
  ],
)

const warehouseLead = setTemplate(
  "warehouse-team-leader",
  "Logistics",
  {
    title: "Warehouse Team Leader",
    position: "Warehouse Team Leader",
    description: "Five short questions. Answer as you would tell a colleague.",
    interview_duration: 25,
  },
  [
    one("Do you have a forklift licence?", "Yes", "No, and I would like to get one", "No"),
    text("Your team", "Tell us about a team that you led. How many people, and how did you plan their shifts?"),
    text("A busy week", "Describe a week with far more orders than usual. What did you do?"),
    text("Safety", "Tell us about something dangerous that you saw in a warehouse. What did you do?"),
    text("Stock", "How do you find out that the stock is wrong, and how do you correct it?"),
  ],
  [
    requirement("must have", "Leads a team and plans shifts"),
    requirement("must have", "Makes sure that safety rules are followed"),
    requirement("very important", "Counts stock and corrects differences"),
    requirement("important", "Forklift licence"),
    requirement("good to have", "Works with SAP or another warehouse system"),
  ],
)

export const setTemplates: ReadonlyArray<SetTemplate> = [
  backendEngineer,
  dataAnalyst,
  productManager,
  salesRepresentative,
  supportAgent,
  careNurse,
  accountant,
  warehouseLead,
]

export const findTemplate = (key: string | undefined): SetTemplate | undefined =>
  setTemplates.find((found) => found.key === key)
