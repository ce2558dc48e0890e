import type { SampleCandidate } from "./SampleCandidate.ts"

export const salespeople: ReadonlyArray<SampleCandidate> = [
  {
    name: "João Pedro Silva",
    email: "joao.silva@example.org",
    set: "sales",
    daysAgo: 20,
    course: "answered",
    answers: {
      chosen: [[0, 1]],
      written: [
        "I found a chain of 30 pharmacies by cold calls: the purchasing manager picked up on my ninth call. I visited three of the pharmacies first, then presented what their people had told me. She signed for 140,000 euros a year, and I renewed the contract twice.",
        "The buyer said that a competitor was 12 % cheaper. I negotiated the price by explaining the value of two deliveries a day: an empty shelf costs him 400 euros. He kept our price and took a longer term.",
        "I find new customers by cold calls on Tuesdays and by visits on Thursdays. My pipeline is in Salesforce, and every deal has a next step with a date. What has none for 30 days, I close.",
        "My sales target last year was 800,000 euros. I reached 910,000, and exceeded the target in three of four quarters.",
      ],
      spoken: [1],
    },
    reviews: [
      { by: "priya", ratings: [4, 4, 4, 4, 4], note: "Figures everywhere, and he visits before he presents. Yes." },
      { by: "tomas", ratings: [4, 4, 3, 4, 4], note: "Convincing. Check the references for last year’s figures." },
    ],
    stage: { by: "priya", stage: "call" },
    decision: { by: "maya", decision: "advance", reason: "Exceeded his target and knows our kind of customers." },
  },
  {
    name: "Katarzyna Zielińska",
    email: "katarzyna.zielinska@example.org",
    set: "sales",
    daysAgo: 4.4,
    course: "answered",
    answers: {
      chosen: [[1, 2]],
      written: [
        "A city wanted new software for its nurseries. I found the tender early because I call the offices every month. I brought our engineer to the second meeting, and we won with 91 of 100 points.",
        "Public bodies cannot simply pay more. I negotiated the price down by one part of the project that they could do themselves, and explained the value of the rest line by line.",
        "My pipeline is in HubSpot and is up to date each Friday noon, because my manager reads it then. I find new customers through tenders and visits to town halls.",
        "The sales target was 1.2 million, and I reached 1.15. One tender was postponed to January.",
      ],
      spoken: [1],
    },
  },
  {
    name: "Omar Farouk",
    email: "omar.farouk@example.org",
    set: "sales",
    daysAgo: 17,
    course: "answered",
    answers: {
      chosen: [[3]],
      written: [
        "In the shop I sold a kitchen for 9,000 euros to a couple who only wanted to look. We talked for two hours.",
        "I gave them 10 % because it was the end of the month.",
        "Customers come into the shop, so I do not need a pipeline.",
        "We had targets for the shop, not for each of us. We mostly reached them.",
      ],
      spoken: [1],
    },
    reviews: [
      {
        by: "priya",
        ratings: [0, 2, 1, 0, 2],
        note: "A good salesperson in a shop. No calls, no visits, no pipeline.",
      },
    ],
    decision: {
      by: "priya",
      decision: "reject",
      reason: "Experience in a shop only; the position needs calls and visits.",
    },
  },
  {
    name: "Σοφία Παπαδοπούλου",
    email: "sofia.papadopoulou@example.org",
    set: "sales",
    daysAgo: 1.1,
    course: "answered",
    answers: {
      chosen: [[0]],
      written: [
        "I visited 60 small hotels on two islands in the winter, when owners have time. Fourteen signed, together about 90,000 euros a year. I kept twelve of these customers for three seasons.",
        "An owner wanted half the price. I showed him what his neighbour earned with our system in August, with her permission. He paid the full price.",
        "I find new customers by visits. In between I keep them in a spreadsheet, and I would like to learn a real CRM.",
        "The target was ten hotels, and I reached fourteen.",
      ],
    },
  },
  {
    name: "Isabella Rossi",
    email: "isabella.rossi@example.org",
    set: "sales",
    daysAgo: 23,
    course: "answered",
    answers: {
      chosen: [[0]],
      written: [
        "I am the best salesperson that you will find. People trust me at first sight, and I always reach my goals.",
        "I never lose a customer because of the price.",
        "I have a large network.",
        "I always exceed expectations.",
      ],
    },
    reviews: [
      { by: "tomas", ratings: [0, 1, 0, 0, null], note: "Not one example. I asked for figures in the questions." },
    ],
    decision: { by: "tomas", decision: "reject", reason: "No example and no figure in any answer." },
  },
  {
    name: "Elif Yıldız",
    email: "elif.yildiz@example.org",
    set: "sales",
    daysAgo: 3,
    course: "clicked",
    moreTime: "I am dyslexic and read slowly. With half as much time again I can answer as well as others.",
  },
  {
    name: "Liam O’Connor",
    email: "liam.oconnor@example.org",
    set: "sales",
    daysAgo: 5,
    course: "initiated",
  },
  {
    name: "김민준",
    email: "minjun.kim@example.org",
    set: "sales",
    daysAgo: 0.3,
    course: "delivered",
  },
  {
    name: "Tatiana Ivanova",
    email: "tatiana.ivanova@example.org",
    set: "sales",
    daysAgo: 8,
    course: "failed",
    refusal: { reports: "dropped", error: "554 5.7.1 Message refused: too many emails from this domain today" },
  },
  {
    name: "Kwame Boateng",
    email: "kwame.boateng@example.org",
    set: "sales",
    daysAgo: 36,
    course: "expired",
  },
  {
    name: "Noa Cohen",
    // not a valid address
    email: "noa.cohen@example",
    set: "sales",
    daysAgo: 9,
    course: "failed",
  },
]
