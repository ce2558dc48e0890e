import type { SampleCandidate } from "./SampleCandidate.ts"

export const nurses: ReadonlyArray<SampleCandidate> = [
  {
    name: "Ana Kovačević",
    email: "ana.kovacevic@example.org",
    set: "nurse",
    daysAgo: 22,
    course: "answered",
    answers: {
      chosen: [[0]],
      written: [
        "In the evening I noticed that Mrs B. breathed faster than at noon and did not want her tea. I measured her vital signs: the pulse was 118 and the oxygen had fallen to 88. I informed the doctor at once, raised her bed, and stayed with her until he came. It was pneumonia. I documented each value with the time.",
        "I give medication at the bed, not from the corridor: name, dose, time, and I watch the patient swallow. In October I noticed a dose of a blood thinner that had been doubled in the list. I stopped, called the doctor, and we corrected it together.",
        "A daughter shouted that nobody cared for her mother. I asked her into the small kitchen, listened for ten minutes, and talked with her about what we do each day. I have called her every Friday since. She calmed down, and she thanks us now.",
        "I cared for a man with dementia who hid his shoes because he wanted to go home. We looked at photos of his street each evening. With a fixed evening routine he slept without tablets. At the change of shift I hand over such things first.",
      ],
    },
    cv: {
      lines: [
        "Ana Kovačević",
        "Zagreb, +385 91 000 1000",
        "Registered nurse, recognised in Germany in 2020",
        "Experience",
        "2018 to 2026: Nurse in elderly care, 42 residents, half of them with dementia.",
        "Responsible for medication on the ward; I check each dose against the chart.",
        "I documented care electronically and led the hand-over to the next shift.",
        "Languages: Croatian, German (C1), English (B2)",
      ],
    },
    reviews: [
      { by: "maya", ratings: [4, 4, 4, 4, 4], note: "Exactly how we want to work. She notices small things and acts." },
      { by: "tomas", ratings: [4, 4, 3, 4, 4], note: "Yes. Ask for her notice period." },
    ],
    stage: { by: "maya", stage: "onSite" },
    decision: { by: "maya", decision: "advance", reason: "Excellent on safety and on relatives. Offer a trial day." },
  },
  {
    name: "Nguyễn Thị Hương",
    email: "huong.nguyen@example.org",
    set: "nurse",
    daysAgo: 7,
    course: "answered",
    answers: {
      // an option of the question would be rated, while the texts cannot be
      chosen: [],
      written: [
        "Trong một ca đêm, tôi thấy bệnh nhân thở nhanh hơn và huyết áp giảm xuống. Tôi đo lại các chỉ số sau năm phút, báo ngay cho bác sĩ trực và ở lại bên cạnh bệnh nhân cho đến khi bác sĩ đến.",
        "Tôi luôn kiểm tra tên, liều lượng và thời gian trước khi cho bệnh nhân uống thuốc. Một lần tôi phát hiện liều thuốc cao gấp mười lần và đã báo cho bác sĩ.",
        "Tôi mời người nhà vào một phòng yên tĩnh, lắng nghe họ và giải thích từng bước những gì chúng tôi đang làm.",
        "Tôi đã chăm sóc một cụ bà bị sa sút trí tuệ. Mỗi tối chúng tôi cùng hát những bài hát cũ, và bà ngủ ngon hơn.",
      ],
    },
  },
  {
    name: "Grace Mensah",
    email: "grace.mensah@example.org",
    set: "nurse",
    daysAgo: 5,
    course: "answered",
    answers: {
      chosen: [[1]],
      written: [
        "I noticed that a patient who always joked had become silent. His vital signs were normal except a temperature of 38.9. I informed the doctor, who sent him to the hospital with an infection of the kidney. His son thanked us for seeing it early.",
        "I prepare medication alone and without talking, and I check every dose twice against the plan. When a tablet looks different from the day before, I ask the pharmacy before I give it.",
        "A family wanted to know why their father had lost weight. I talked with the relatives together with the cook, showed them what he eats, and we agreed on his favourite dishes. They were calm afterwards.",
        "For a woman with dementia I put her husband's radio beside her bed. When she hears his station, she does not look for him at night.",
      ],
    },
  },
  {
    name: "Lars Pedersen",
    email: "lars.pedersen@example.org",
    set: "nurse",
    daysAgo: 11,
    course: "answered",
    answers: {
      chosen: [[1]],
      written: [
        "A resident fell in the bathroom. I checked her vital signs and her hip, did not move her, and informed the doctor on call. She had broken her wrist. I documented the fall and the cause, a wet floor, and the next shift put down a mat.",
        "I give medication with a colleague on weekends, because there are many tablets. We check each other's doses.",
        "I tell relatives the truth, also when it is unpleasant. Some are angry, then I give them time and talk with them again the next day.",
        "I worked two years on a ward for people with dementia. A quiet voice and few people in the room help most.",
      ],
    },
    reviews: [
      {
        by: "maya",
        ratings: [3, 3, 3, 2, 4],
        note: "Calm and reliable. I would like a second opinion on how he talks with relatives.",
        mentions: "tomas",
      },
    ],
  },
  {
    name: "Mary-Kate O’Sullivan",
    email: "marykate.osullivan@example.org",
    set: "nurse",
    daysAgo: 19,
    course: "answered",
    answers: {
      chosen: [[2]],
      written: [
        "That happens often. You just have to stay calm.",
        "I am always careful with medication.",
        "",
        "I have a lot of patience and I love old people.",
      ],
    },
    reviews: [
      {
        by: "tomas",
        ratings: [1, 1, 1, null, null],
        note: "No example in any answer. Weekdays only, and we need nights.",
      },
    ],
    decision: { by: "tomas", decision: "reject", reason: "Only weekdays, and no example of the work in the answers." },
  },
  {
    name: "Leilani Kealoha",
    email: "leilani.kealoha@example.org",
    set: "nurse",
    daysAgo: 14,
    course: "answered",
    answers: {
      chosen: [[1]],
      written: [
        "During my training on a surgical ward a patient became pale after the operation. I told the nurse who trained me, and she called the doctor.",
        "In training we check the medication in pairs. I ask when I do not know a name.",
        "I have not led such a talk alone yet. I was there when my trainer talked with relatives, and she let me answer simple questions.",
        "My grandmother had dementia and I cared for her at home for two years, at night too. Singing helped her, and always the same order in the morning.",
      ],
    },
    reviews: [
      { by: "maya", ratings: [2, 2, 3, 2, null], note: "Still in training, honest about it, and a warm person." },
    ],
    decision: { by: "maya", decision: "hold", reason: "Passes her exam in June. Ask her again then." },
  },
  {
    name: "Kamala Devi Sharma",
    email: "kamala.sharma@example.org",
    set: "nurse",
    daysAgo: 1.6,
    course: "answered",
    isWaiting: true,
    answers: {
      chosen: [[0]],
      written: [
        "A patient with diabetes became confused after lunch. I measured her blood sugar, it was 45, and I gave her juice and informed the doctor. After fifteen minutes it was 92.",
        "I check the medication against the chart before and after each round, and I document each dose when I give it.",
        "I sit down with relatives. Standing makes people angry.",
        "I cared for people with dementia in a day centre. We cooked together, and those who did not speak any more knew each spice.",
      ],
    },
  },
  {
    name: "Yusuf Demir",
    email: "yusuf.demir@example.org",
    set: "nurse",
    daysAgo: 2.1,
    course: "started",
    answers: {
      chosen: [[0]],
      written: [
        "On the intensive care unit I noticed that a patient's oxygen fell each time he was turned. I informed the doctor, and",
        "",
        "",
        "",
      ],
    },
  },
  {
    name: "Ingrid Solheim",
    email: "ingrid.solheim@example.org",
    set: "nurse",
    daysAgo: 3.3,
    course: "started",
  },
  {
    name: "Rosa Quispe Mamani",
    email: "rosa.quispe@example.org",
    set: "nurse",
    daysAgo: 4,
    course: "opened",
  },
  {
    name: "Samuel Tesfaye",
    email: "samuel.tesfaye@example.org",
    set: "nurse",
    daysAgo: 2,
    course: "delivered",
  },
  {
    name: "Guðrún Jónsdóttir",
    email: "gudrun.jonsdottir@example.org",
    set: "nurse",
    daysAgo: 6,
    course: "initiated",
  },
  {
    name: "Emeka Nwosu",
    email: "emeka.nwosu@example.org",
    set: "nurse",
    daysAgo: 12,
    course: "withdrawn",
  },
  {
    name: "Thandiwe Khumalo",
    email: "thandiwe.khumalo@example.org",
    set: "nurse",
    daysAgo: 10,
    course: "declined",
  },
]
