import type { SampleCandidate } from "./SampleCandidate.ts"

export const engineers: ReadonlyArray<SampleCandidate> = [
  {
    name: "Aisha Okonkwo",
    email: "aisha.okonkwo@example.org",
    set: "engineer",
    daysAgo: 24,
    course: "answered",
    answers: {
      chosen: [[0], [0, 1, 2]],
      written: [
        "I built the TypeScript service that prices parcels for a courier, and ran it in production for four years: 1,200 requests a second on weekdays. I designed its message queue with retries and a dead-letter queue, because two carriers were down every week. I also wrote the automated tests that replay each outage.",
        "A PostgreSQL report over 40 million rows took 50 seconds. The query plan showed a sequential scan and a sort on disk. I added a partial index and a covering index, rewrote a correlated subquery as a join, and it fell to 180 ms. I compared the query plans before and after each release for a month.",
        "I mentored two junior colleagues for a year. We paired on Mondays and Wednesdays, and I let them lead the move of our deployments to Kubernetes, with me as the second pair of eyes. Both now mentor others.",
      ],
    },
    reviews: [
      {
        by: "tomas",
        ratings: [4, 4, 4, 3, 4, 3],
        note: "The clearest account of a slow query that I have read this year. She measured before and after. Ask her about carriers that answer twice.",
      },
      {
        by: "priya",
        ratings: [4, 4, 4, 3, 4, 4],
        note: "Strong in all must-haves. Would start in March.",
        mentions: "maya",
      },
    ],
    stage: { by: "maya", stage: "offer" },
    decision: {
      by: "maya",
      decision: "advance",
      reason: "Both reviewers say yes to all requirements. Invite to the team day.",
    },
  },
  {
    name: "Jakub Wójcik",
    email: "jakub.wojcik@example.org",
    set: "engineer",
    daysAgo: 21,
    course: "answered",
    answers: {
      chosen: [[0], [0, 1]],
      written: [
        "For three years I have been building and running TypeScript services in production for a ticket shop. The largest handles 900 orders a minute when a concert opens. I decided to put a message queue between shop and payment, and every message is retried six times with growing pauses.",
        "The seat map became slow. I read the query plans in PostgreSQL and saw that an index on the status was not used, because most seats are free. A partial index on the few reserved seats took the query from 800 to 6 milliseconds.",
        "I helped a colleague who came from support to become a developer. We wrote automated tests together for half a year: first mine, then hers. She passed her probation and now reviews my code.",
      ],
    },
    cv: {
      lines: [
        "Jakub Wójcik",
        "Kraków, +48 600 100 200",
        "Experience",
        "2022 to 2026: Backend engineer at a ticket shop. Runs TypeScript services in production on Kubernetes.",
        "I moved 14 deployments to Kubernetes, with probes and rolling updates.",
        "PostgreSQL: partial indexes, query plans, partitioning of 300 million rows.",
        "2019 to 2022: Developer at a bank in Kraków. Message queues with RabbitMQ, automated tests for payments.",
        "Education",
        "Master of Science in computer science, AGH University, 2019",
      ],
    },
    reviews: [
      {
        by: "tomas",
        ratings: [3, 4, 3, 4, 3, 3],
        note: "Solid. The CV has the Kubernetes work that the answers leave out.",
      },
    ],
    stage: { by: "tomas", stage: "call" },
    decision: { by: "tomas", decision: "advance", reason: "Meets every must-have; Kubernetes is in the CV." },
  },
  {
    name: "Mei-Ling Chen",
    email: "meiling.chen@example.org",
    set: "engineer",
    daysAgo: 6,
    course: "answered",
    asked: "jonas",
    isShared: true,
    answers: {
      chosen: [[1], [0, 2]],
      written: [
        "My team runs four TypeScript services in production for a hospital's bookings. I own the one that sends reminders: a message queue, retries with a limit, and an alert when a message fails for good. At most 70,000 reminders leave on a Sunday evening.",
        "Patients waited for the list of free slots. I looked at the query plan, found a nested loop over 2 million rows, and replaced two single-column indexes in PostgreSQL with one over clinic and time. The page opens in 90 ms now.",
        "A new colleague was afraid of releases. We wrote the automated tests for the riskiest part together, then she released on her own on three Fridays in a row.",
      ],
    },
  },
  {
    name: "ليلى حداد",
    email: "layla.haddad@example.org",
    set: "engineer",
    daysAgo: 9,
    course: "answered",
    answers: {
      chosen: [[1], [0, 1]],
      written: [
        "I built a TypeScript service that matches drivers with orders, and ran it in production for two cities. My part was the matching and its message queue. When a driver did not confirm, the message was retried with the next driver after 20 seconds.",
        "A PostgreSQL query for the nearest drivers took two seconds at noon. The query plan showed that the index on the position was not used after a cast. I removed the cast and the query took 15 ms.",
        "I led a study group of five colleagues on Kubernetes. By the end each of them had done a deployment of the service with me watching.",
      ],
    },
    reviews: [
      {
        by: "priya",
        ratings: [3, 3, 3, 3, 2, null],
        note: "Good answers, precise and short. I would like to hear more about tests before we decide.",
        mentions: "tomas",
      },
    ],
  },
  {
    name: "Diego Fernández Ruiz",
    email: "diego.fernandez@example.org",
    set: "engineer",
    daysAgo: 18,
    course: "answered",
    answers: {
      chosen: [[2], [3]],
      written: [
        "I have built several websites for friends and a small shop, mostly with WordPress. I learn new languages quickly and I am very motivated to work with TypeScript.",
        "I have not used PostgreSQL yet. The database of the shop was slow sometimes and then I restarted it.",
        "I like helping people. Everybody in my class asked me when they had a problem with their computer.",
      ],
    },
    reviews: [
      {
        by: "tomas",
        ratings: [0, 0, 0, 0, 1, 0],
        note: "Friendly and honest, but no experience with what the team runs. Maybe for the trainee programme.",
      },
    ],
    decision: {
      by: "tomas",
      decision: "reject",
      reason: "No experience with services in production yet. Suggest the trainee programme.",
    },
  },
  {
    name: "Sanna Virtanen",
    email: "sanna.virtanen@example.org",
    set: "engineer",
    daysAgo: 16,
    course: "answered",
    answers: {
      chosen: [[0], [1]],
      written: [
        "For six years I have run the backend of a newspaper. It is written in Kotlin, with a small part in TypeScript. I am on call every fourth week, and the longest outage in my time was eleven minutes.",
        "Our archive search was slow. We store it in MongoDB, so I cannot offer a PostgreSQL story. I profiled the slowest queries, built a compound index, and the median fell from 3 seconds to 200 ms.",
        "I have mentored a colleague since January. She now does the Kubernetes deployments of our team alone.",
      ],
    },
    reviews: [
      {
        by: "tomas",
        ratings: [2, 2, 1, 4, 3, null],
        note: "The words do not match, the work does: an index is an index. I would rate this higher than the keyword match.",
      },
      {
        by: "priya",
        ratings: [2, 1, null, 4, 3, null],
        note: "Very experienced, but not in our languages. Undecided.",
      },
    ],
    override: {
      by: "tomas",
      score: 6.5,
      reason:
        "The keyword match looks for PostgreSQL and TypeScript. Her work with another database and Kotlin is of the same kind.",
    },
    decision: { by: "maya", decision: "hold", reason: "Talk to her when the second position opens in spring." },
  },
  {
    name: "Ravi Subramaniam",
    email: "ravi.subramaniam@example.org",
    set: "engineer",
    daysAgo: 2.5,
    course: "answered",
    asked: "jonas",
    answers: {
      chosen: [[1], [0]],
      written: [
        "I worked on a TypeScript service for invoices. A colleague designed it, and I added exports and fixed bugs. We deployed it every two weeks.",
        "Sometimes queries were slow, and we usually added an index. I think it helped.",
        "I showed an intern how our repository works.",
      ],
    },
  },
  {
    name: "Oluwaseun Adeyemi",
    email: "seun.adeyemi@example.org",
    set: "engineer",
    daysAgo: 13,
    course: "declined",
  },
  {
    name: "田中 浩",
    email: "hiroshi.tanaka@example.org",
    set: "engineer",
    daysAgo: 1.2,
    course: "delivered",
  },
  {
    name: "Chloé Lefèvre",
    email: "chloe.lefevre@example.org",
    set: "engineer",
    daysAgo: 34,
    course: "expired",
  },
  {
    name: "Marek Novák",
    email: "marek.novak@old-mail.example.org",
    set: "engineer",
    daysAgo: 5,
    course: "failed",
    refusal: { reports: "bounce", error: "550 5.1.1 Recipient address rejected: user unknown" },
  },
  {
    name: "Fatima Zahra El Idrissi",
    email: "fatima.elidrissi@example.org",
    set: "engineer",
    daysAgo: 15,
    course: "answered",
    answers: {
      chosen: [[1], [0, 1, 2]],
      written: [
        "I designed a TypeScript service that collects the readings of 90,000 water meters, and I have run it in production since 2023. Meters lose their connection, so each reading goes through a message queue and is retried until the meter confirms it.",
        "The monthly bill took four hours. The query plan in PostgreSQL showed that each meter was read one by one. I partitioned the table by month and built an index per partition; the bill now takes six minutes.",
        "I gave three colleagues from the field a course in SQL. One of them moved to our team, and I have been mentoring him for a year.",
      ],
    },
    cv: {
      lines: [
        "Fatima Zahra El Idrissi",
        "Rabat, +212 600 000 100",
        "Experience",
        "Since 2021: Senior backend engineer at a water company. TypeScript services in production, 90,000 meters.",
        "I wrote automated tests against a simulator of meters; they run before each of our deployments on Kubernetes.",
        "2017 to 2021: Developer at a telephone company. Message queues with retries, PostgreSQL.",
        "Languages: Arabic, French, English (C1)",
      ],
    },
    reviews: [
      {
        by: "priya",
        ratings: [4, 4, 4, 3, 3, 4],
        note: "Great story about the meters. Interview and CV support each other.",
      },
      { by: "maya", ratings: [4, 3, 4, 3, 4, 3], note: "Yes. She asks for relocation in summer, which fits." },
    ],
    stage: { by: "priya", stage: "onSite" },
    decision: { by: "maya", decision: "advance", reason: "Yes from both; relocation in summer fits our plan." },
  },
  {
    name: "Nomvula Dlamini",
    email: null,
    set: "engineer",
    daysAgo: 8,
    course: "cv",
    cv: {
      lines: [
        "Nomvula Dlamini",
        "nomvula.dlamini@example.org, +27 82 000 1000",
        "Experience",
        "2020 to 2026: Backend developer at an insurance company in Durban.",
        "I built TypeScript services in production for claims: 30,000 claims a month.",
        "PostgreSQL: I read query plans every week and removed 40 unused indexes.",
        "I mentored four junior colleagues and wrote automated tests with each of them.",
        "Education",
        "Bachelor of Science, University of KwaZulu-Natal, 2019",
      ],
    },
  },
  {
    name: "Pedro Almeida",
    email: null,
    set: "engineer",
    daysAgo: 0.1,
    course: "cv",
    cv: { lines: [], isWaiting: true },
  },
  {
    name: "Viktor Petrenko",
    email: null,
    set: "engineer",
    daysAgo: 3,
    course: "cv",
    cv: { lines: [] },
  },
]
