/**
 * Texts of emails about a decision with which an organization without templates begins, by language. Each email fills in the words
 * in double braces (invitations/Invitation.ts).
 */
import type { Language } from "./Texts.ts"

interface Letter {
  readonly subject: string
  readonly text: string
}

/** Paragraphs of a text. */
const paragraphs = (...all: ReadonlyArray<string>): string => all.join("\n\n")

export const letterTexts: Readonly<Record<Language, { readonly advance: Letter; readonly reject: Letter }>> = {
  en: {
    advance: {
      subject: "Next step after your interview: {{interview}}",
      text: paragraphs(
        "Hello {{firstname}},",
        "Thank you for taking the time for the interview “{{interview}}”. We have read your answers and would like to get to know you better.",
        "We will write to you soon to arrange the next step.",
        "Kind regards\n{{organization}}",
      ),
    },
    reject: {
      subject: "Your interview: {{interview}}",
      text: paragraphs(
        "Hello {{firstname}},",
        "Thank you for your answers in the interview “{{interview}}”, and for the time that you gave them.",
        "We have read them with care and decided not to continue with your application. We know that you hoped for a different answer.",
        "We wish you all the best for your search.",
        "Kind regards\n{{organization}}",
      ),
    },
  },
  de: {
    advance: {
      subject: "Wie es nach Ihrem Interview weitergeht: {{interview}}",
      text: paragraphs(
        "Guten Tag {{name}},",
        "vielen Dank, dass Sie sich Zeit für das Interview „{{interview}}“ genommen haben. Wir haben Ihre Antworten gelesen und möchten Sie gern näher kennenlernen.",
        "Wir melden uns in Kürze bei Ihnen, um den nächsten Schritt zu vereinbaren.",
        "Mit freundlichen Grüßen\n{{organization}}",
      ),
    },
    reject: {
      subject: "Ihr Interview: {{interview}}",
      text: paragraphs(
        "Guten Tag {{name}},",
        "vielen Dank für Ihre Antworten im Interview „{{interview}}“ und für die Zeit, die Sie sich dafür genommen haben.",
        "Wir haben Ihre Antworten sorgfältig gelesen und uns entschieden, Ihre Bewerbung nicht weiterzuverfolgen. Uns ist bewusst, dass Sie auf eine andere Antwort gehofft haben.",
        "Für Ihren weiteren Weg wünschen wir Ihnen alles Gute.",
        "Mit freundlichen Grüßen\n{{organization}}",
      ),
    },
  },
  fr: {
    advance: {
      subject: "Suite de votre entretien\u00a0: {{interview}}",
      text: paragraphs(
        "Bonjour {{name}},",
        "Merci d’avoir pris le temps de passer l’entretien «\u00a0{{interview}}\u00a0». Nous avons lu vos réponses et souhaitons faire plus ample connaissance avec vous.",
        "Nous vous écrirons prochainement pour convenir de la suite.",
        "Cordialement,\n{{organization}}",
      ),
    },
    reject: {
      subject: "Votre entretien\u00a0: {{interview}}",
      text: paragraphs(
        "Bonjour {{name}},",
        "Merci pour vos réponses à l’entretien «\u00a0{{interview}}\u00a0» et pour le temps que vous y avez consacré.",
        "Nous les avons lues avec attention et avons décidé de ne pas donner suite à votre candidature. Nous savons que vous espériez une autre réponse.",
        "Nous vous souhaitons une bonne continuation dans vos recherches.",
        "Cordialement,\n{{organization}}",
      ),
    },
  },
  es: {
    advance: {
      subject: "Próximo paso tras su entrevista: {{interview}}",
      text: paragraphs(
        "Hola, {{name}}:",
        "Gracias por dedicar su tiempo a la entrevista «{{interview}}». Hemos leído sus respuestas y nos gustaría seguir adelante con su candidatura.",
        "Le escribiremos pronto para acordar el próximo paso.",
        "Un cordial saludo,\n{{organization}}",
      ),
    },
    reject: {
      subject: "Su entrevista: {{interview}}",
      text: paragraphs(
        "Hola, {{name}}:",
        "Gracias por sus respuestas en la entrevista «{{interview}}» y por el tiempo que les ha dedicado.",
        "Las hemos leído con atención y hemos decidido no continuar con su candidatura. Sabemos que esperaba otra respuesta.",
        "Le deseamos mucha suerte en su búsqueda.",
        "Un cordial saludo,\n{{organization}}",
      ),
    },
  },
  pt: {
    advance: {
      subject: "Próximo passo após a sua entrevista: {{interview}}",
      text: paragraphs(
        "Olá, {{name}},",
        "Agradecemos o tempo que dedicou à entrevista «{{interview}}». Lemos as suas respostas e gostaríamos de avançar com a sua candidatura.",
        "Entraremos em contacto em breve para combinar o próximo passo.",
        "Com os melhores cumprimentos,\n{{organization}}",
      ),
    },
    reject: {
      subject: "A sua entrevista: {{interview}}",
      text: paragraphs(
        "Olá, {{name}},",
        "Agradecemos as suas respostas na entrevista «{{interview}}» e o tempo que lhes dedicou.",
        "Lemo-las com atenção e decidimos não avançar com a sua candidatura. Sabemos que esperava outra resposta.",
        "Desejamos-lhe muito sucesso na sua procura.",
        "Com os melhores cumprimentos,\n{{organization}}",
      ),
    },
  },
  vi: {
    advance: {
      subject: "Bước tiếp theo sau buổi phỏng vấn: {{interview}}",
      text: paragraphs(
        "Xin chào {{name}},",
        "Cảm ơn bạn đã dành thời gian cho buổi phỏng vấn “{{interview}}”. Chúng tôi đã đọc các câu trả lời của bạn và mong muốn tìm hiểu thêm về bạn.",
        "Chúng tôi sẽ sớm viết thư cho bạn để hẹn bước tiếp theo.",
        "Trân trọng,\n{{organization}}",
      ),
    },
    reject: {
      subject: "Buổi phỏng vấn của bạn: {{interview}}",
      text: paragraphs(
        "Xin chào {{name}},",
        "Cảm ơn bạn đã trả lời các câu hỏi trong buổi phỏng vấn “{{interview}}” và đã dành thời gian cho chúng tôi.",
        "Chúng tôi đã đọc kỹ các câu trả lời và quyết định không tiếp tục với hồ sơ ứng tuyển của bạn. Chúng tôi hiểu đây không phải là kết quả mà bạn mong đợi.",
        "Chúc bạn mọi điều tốt đẹp trên con đường sắp tới.",
        "Trân trọng,\n{{organization}}",
      ),
    },
  },
  it: {
    advance: {
      subject: "Il prossimo passo dopo il suo colloquio: {{interview}}",
      text: paragraphs(
        "Buongiorno {{name}},",
        "grazie per il tempo dedicato al colloquio «{{interview}}». Abbiamo letto le sue risposte e ci farebbe piacere conoscerla meglio.",
        "Le scriveremo presto per concordare il prossimo passo.",
        "Cordiali saluti\n{{organization}}",
      ),
    },
    reject: {
      subject: "Il suo colloquio: {{interview}}",
      text: paragraphs(
        "Buongiorno {{name}},",
        "grazie per le sue risposte nel colloquio «{{interview}}» e per il tempo che vi ha dedicato.",
        "Le abbiamo lette con attenzione e abbiamo deciso di non proseguire con la sua candidatura. Sappiamo che sperava in una risposta diversa.",
        "Le auguriamo il meglio per la sua ricerca.",
        "Cordiali saluti\n{{organization}}",
      ),
    },
  },
  nl: {
    advance: {
      subject: "De volgende stap na uw interview: {{interview}}",
      text: paragraphs(
        "Beste {{name}},",
        "Hartelijk dank dat u de tijd hebt genomen voor het interview ‘{{interview}}’. We hebben uw antwoorden gelezen en willen u graag beter leren kennen.",
        "We schrijven u binnenkort om de volgende stap af te spreken.",
        "Met vriendelijke groet,\n{{organization}}",
      ),
    },
    reject: {
      subject: "Uw interview: {{interview}}",
      text: paragraphs(
        "Beste {{name}},",
        "Hartelijk dank voor uw antwoorden in het interview ‘{{interview}}’ en voor de tijd die u eraan hebt besteed.",
        "We hebben ze zorgvuldig gelezen en besloten niet verder te gaan met uw sollicitatie. We weten dat u op een ander antwoord had gehoopt.",
        "We wensen u veel succes met uw verdere zoektocht.",
        "Met vriendelijke groet,\n{{organization}}",
      ),
    },
  },
  pl: {
    advance: {
      subject: "Kolejny krok po rozmowie: {{interview}}",
      text: paragraphs(
        "Dzień dobry {{name}},",
        "dziękujemy za czas poświęcony na rozmowę „{{interview}}”. Po lekturze Twoich odpowiedzi chcemy poznać Cię bliżej.",
        "Wkrótce napiszemy, aby ustalić kolejny krok.",
        "Z poważaniem\n{{organization}}",
      ),
    },
    reject: {
      subject: "Twoja rozmowa: {{interview}}",
      text: paragraphs(
        "Dzień dobry {{name}},",
        "dziękujemy za odpowiedzi w rozmowie „{{interview}}” i za poświęcony na nie czas.",
        "Zapoznaliśmy się z nimi uważnie i postanowiliśmy nie kontynuować rozpatrywania Twojej kandydatury. Rozumiemy, że to nie jest odpowiedź, na którą liczysz.",
        "Życzymy powodzenia w dalszych poszukiwaniach.",
        "Z poważaniem\n{{organization}}",
      ),
    },
  },
  ja: {
    advance: {
      subject: "面接後の次のステップについて：{{interview}}",
      text: paragraphs(
        "応募者 {{name}} 様",
        "このたびは面接「{{interview}}」にお時間をいただき、ありがとうございました。ご回答を拝読し、さらに詳しくお話を伺いたいと考えております。",
        "次のステップの日程については、近日中に改めてご連絡いたします。",
        "どうぞよろしくお願いいたします。\n{{organization}}",
      ),
    },
    reject: {
      subject: "面接の結果について：{{interview}}",
      text: paragraphs(
        "応募者 {{name}} 様",
        "このたびは面接「{{interview}}」にご回答いただき、また貴重なお時間を割いていただき、ありがとうございました。",
        "ご回答を慎重に拝読し検討した結果、誠に残念ながら、今回は選考を見送らせていただくことになりました。ご期待に沿えず申し訳ございません。",
        "今後のご活躍を心よりお祈りいたします。",
        "ご応募いただき、誠にありがとうございました。\n{{organization}}",
      ),
    },
  },
  ko: {
    advance: {
      subject: "면접 이후 다음 단계 안내: {{interview}}",
      text: paragraphs(
        "안녕하세요 {{name}} 지원자님,",
        "“{{interview}}” 면접에 시간을 내 주셔서 감사합니다. 답변을 잘 읽었으며, 지원자님을 더 알아보고 싶습니다.",
        "다음 단계의 일정을 정하기 위해 곧 다시 연락드리겠습니다.",
        "감사합니다.\n{{organization}}",
      ),
    },
    reject: {
      subject: "면접 결과 안내: {{interview}}",
      text: paragraphs(
        "안녕하세요 {{name}} 지원자님,",
        "“{{interview}}” 면접에 답변해 주시고 시간을 내 주셔서 감사합니다.",
        "답변을 신중히 검토했으나, 아쉽게도 이번 채용 절차를 계속 진행하지 않기로 결정했습니다. 기대하셨던 소식을 전해 드리지 못해 안타깝게 생각합니다.",
        "앞으로 좋은 결과가 있기를 진심으로 바랍니다.",
        "감사합니다.\n{{organization}}",
      ),
    },
  },
  zh: {
    advance: {
      subject: "面试后的下一步安排：{{interview}}",
      text: paragraphs(
        "您好 {{name}}：",
        "感谢您抽出时间参加面试“{{interview}}”。我们已阅读您的回答，希望进一步了解您。",
        "我们会尽快与您联系，安排下一步。",
        "此致\n{{organization}}",
      ),
    },
    reject: {
      subject: "您的面试：{{interview}}",
      text: paragraphs(
        "您好 {{name}}：",
        "感谢您在面试“{{interview}}”中的回答，以及为此付出的时间。",
        "我们认真阅读了您的回答，很遗憾，我们决定不再推进您的申请。我们明白这不是您期待的结果。",
        "祝您求职顺利，前程似锦。",
        "此致\n{{organization}}",
      ),
    },
  },
  ar: {
    advance: {
      subject: "الخطوة التالية بعد مقابلتك: {{interview}}",
      text: paragraphs(
        "مرحبًا {{name}}،",
        "نشكرك على الوقت الذي خصصته للمقابلة «{{interview}}». قرأنا إجاباتك ونود التعرف عليك عن قرب.",
        "سنراسلك قريبًا للاتفاق على الخطوة التالية.",
        "مع أطيب التحيات،\n{{organization}}",
      ),
    },
    reject: {
      subject: "مقابلتك: {{interview}}",
      text: paragraphs(
        "مرحبًا {{name}}،",
        "نشكرك على إجاباتك في المقابلة «{{interview}}» وعلى الوقت الذي خصصته لها.",
        "قرأناها بعناية وقررنا عدم المضي قدمًا في طلبك. نعلم أن هذا ليس الرد الذي كنت ترجوه.",
        "نتمنى لك كل التوفيق في بحثك.",
        "مع أطيب التحيات،\n{{organization}}",
      ),
    },
  },
  hi: {
    advance: {
      subject: "आपके इंटरव्यू के बाद अगला कदम: {{interview}}",
      text: paragraphs(
        "नमस्ते {{name}},",
        "इंटरव्यू “{{interview}}” के लिए समय निकालने के लिए धन्यवाद। हमने आपके जवाब पढ़े हैं और आपको बेहतर जानना चाहते हैं।",
        "अगला कदम तय करने के लिए हम आपको जल्द ही लिखेंगे।",
        "सादर,\n{{organization}}",
      ),
    },
    reject: {
      subject: "आपका इंटरव्यू: {{interview}}",
      text: paragraphs(
        "नमस्ते {{name}},",
        "इंटरव्यू “{{interview}}” में आपके जवाबों और आपके दिए समय के लिए धन्यवाद।",
        "हमने उन्हें ध्यान से पढ़ा और आपके आवेदन को आगे न बढ़ाने का निर्णय लिया है। हम समझते हैं कि आपको किसी दूसरे जवाब की आशा थी।",
        "आपकी खोज के लिए हमारी शुभकामनाएँ।",
        "सादर,\n{{organization}}",
      ),
    },
  },
  tr: {
    advance: {
      subject: "Mülakatınızdan sonraki adım: {{interview}}",
      text: paragraphs(
        "Merhaba {{name}},",
        "“{{interview}}” mülakatına zaman ayırdığınız için teşekkür ederiz. Yanıtlarınızı okuduk ve sizi daha yakından tanımak isteriz.",
        "Bir sonraki adımı kararlaştırmak için yakında size yazacağız.",
        "Saygılarımızla,\n{{organization}}",
      ),
    },
    reject: {
      subject: "Mülakatınız: {{interview}}",
      text: paragraphs(
        "Merhaba {{name}},",
        "“{{interview}}” mülakatındaki yanıtlarınız ve ayırdığınız zaman için teşekkür ederiz.",
        "Yanıtlarınızı özenle okuduk ve başvurunuzla devam etmemeye karar verdik. Farklı bir yanıt umduğunuzu biliyoruz.",
        "Arayışınızda size başarılar dileriz.",
        "Saygılarımızla,\n{{organization}}",
      ),
    },
  },
  uk: {
    advance: {
      subject: "Наступний крок після вашої співбесіди: {{interview}}",
      text: paragraphs(
        "Добрий день!",
        "Дякуємо за час, який ви приділили співбесіді «{{interview}}». Ми прочитали ваші відповіді й хотіли б познайомитися з вами ближче.",
        "Незабаром ми напишемо вам, щоб домовитися про наступний крок.",
        "З повагою\n{{organization}}",
      ),
    },
    reject: {
      subject: "Ваша співбесіда: {{interview}}",
      text: paragraphs(
        "Добрий день!",
        "Дякуємо за ваші відповіді у співбесіді «{{interview}}» та за приділений час.",
        "Ми уважно їх прочитали й вирішили не продовжувати розгляд вашої кандидатури. Ми розуміємо, що ви сподівалися на іншу відповідь.",
        "Бажаємо вам успіхів у подальшому пошуку.",
        "З повагою\n{{organization}}",
      ),
    },
  },
}
