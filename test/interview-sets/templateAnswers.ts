/** Answers of an experienced candidate to the written questions of each template, in their order. */
export const templateAnswers: Readonly<Record<string, ReadonlyArray<string>>> = {
  "backend-engineer": [
    "For three years I built and ran a TypeScript service in production that books 400,000 parcels a day. I designed its message queue with retries and a dead-letter queue, and I wrote automated tests for every failure that we had seen. We deployed it on Kubernetes with rolling deployments that I set up.",
    "A PostgreSQL report took nine seconds. The query plan showed a sequential scan, so I added a partial index and rewrote the join. It fell to 12 milliseconds, and I watched the index with pg_stat_statements for a week.",
    "I mentored two junior colleagues for a year. We paired every Tuesday, and one of them now leads the deployments on Kubernetes.",
  ],
  "data-analyst": [
    "Our shop wanted to stop free returns. I wrote SQL queries with joins over orders and returns and used window functions to see how each customer bought afterwards. Then I planned an A/B test with 20,000 customers and evaluated it after six weeks: customers with free returns bought 14 % more. I built the dashboards in Tableau: the board opens the one about returns every Monday.",
    "Sales in one region doubled overnight. I check data quality every morning with a script, and it found wrong data: the cash desks had sent each receipt twice. I corrected the data and added a check to the import.",
    "I explained the result to colleagues from the shops in plain words: I drew two customers on a whiteboard and left out every formula.",
  ],
  "product-manager": [
    "I launched a booking app for small hairdressers. I interviewed 30 customers in their salons to learn what they need, and found that they need reminders, not a calendar. We left out payments. I measured the success of the launch with two metrics: missed appointments fell by 31 %, and 60 % of the salons came back in the second week.",
    "Our largest customer asked for an export to an old format. I prioritized the roadmap by the number of customers with the problem, declined the request and showed them a report that they could use instead.",
    "Our referral programme reached a tenth of its goal. The metrics showed that nobody found the button, so we moved it and measured again: it then reached 70 %.",
    "I worked with four engineers and a designer every day. We sketched the feature together, and the engineers cut it into parts that we shipped each week.",
  ],
  "sales-representative": [
    "I found a bakery chain by cold calls: I called 40 companies on Mondays and visited the owner on a Thursday. After three visits she signed for 24 shops, 180,000 euros over two years. I have kept nine of ten existing customers, and renewed the contract of this one last spring.",
    "A buyer found the price 15 % too high. I did not give a discount at once. I negotiated the price and explained the value: a day on which nothing arrives costs them 20,000 euros. He signed at the list price.",
    "I find new customers by cold calls and by visits to trade fairs. I keep my pipeline in HubSpot: every call is entered the same day, and on Fridays I close what has been quiet for a month.",
    "My sales target was 600,000 euros for the year. I reached 702,000, so I exceeded the target by 17 %, in a year in which two colleagues missed theirs.",
  ],
  "customer-support-agent": [
    "A customer was upset because her wedding dress had gone to the wrong town. I let her finish, told her what I would do in the next hour, and calmed her by calling every 30 minutes. I found a solution with the courier: a driver brought it that evening.",
    "A payment was booked three times. I saw in the log that it was our fault, escalated the problem to the colleagues in accounting with all the numbers, and told the customer when I would write again. They paid it back in two days.",
    "I answered about 80 tickets a day in Zendesk and kept our response time of four hours on 97 % of them. I sort by deadline each morning, and I write macros for what is asked often.",
    "I write short and friendly emails, for example: Dear Ms Lund, I am sorry that your lamp arrived broken again. A new one is on its way today, packed by hand, and you need not send anything back. My colleagues say that my emails are clear: I write about 40 a day.",
  ],
  "care-nurse": [
    "On a night shift I noticed that a patient's breathing had become faster and her blood pressure had fallen to 90. I measured her vital signs again after five minutes, informed the doctor on call and raised the bed. She had sepsis and was moved to intensive care within the hour. I documented everything and handed over to the morning shift with the chart in our hands.",
    "Before each round I check name, dose and time against the chart and give the medication myself. Once I noticed a dose of insulin that was ten times too high, stopped, called the doctor and had it corrected.",
    "A son shouted because his father had fallen. I took him into a quiet room, talked with him and told him honestly what had happened. He calmed down, and since then I talk with the relatives every week.",
    "I have cared for people with dementia for six years. A man wanted to go to work every evening. I walked with him, asked about his workshop, and gave him screws to sort. He became calm without medication.",
  ],
  accountant: [
    "I prepared the month-end close for five companies in SAP, and the annual accounts under IFRS. The close took nine days. I moved the accruals to the third day and now it takes five.",
    "The bank account differed by 4,180 euros. I reconciled the account line by line, and explained the difference: a payment had been posted to a customer with the same name. I corrected it and added a check.",
    "I prepared the documents for the auditors three years in a row: contracts, reconciliations and the list of assets. In the last audit they had no open questions.",
    "I prepare the VAT return every month by the tenth. When invoices were missing, I called the suppliers myself, estimated one of them and corrected it in the next VAT return.",
  ],
  "warehouse-team-leader": [
    "I led a team of 14 people in two shifts. I planned the shifts three weeks ahead with a list on the wall, and everybody could swap until Thursday. I have had my forklift licence since 2016.",
    "Before Christmas we had three times as many orders. I moved four people from receiving to packing, put the 50 articles that sell most beside the door, and planned an additional evening shift. We shipped everything on the same day.",
    "A colleague drove the forklift with his load raised. I stopped him at once, and made sure that the safety rules are followed: ten minutes of training on Mondays and a check of the aisles every morning. We had no accident for two years.",
    "We count a part of the stock every day, so that each shelf is counted once a month. When the stock differs, I look at the last bookings in SAP, correct the difference the same day and write down the reason.",
  ],
}
