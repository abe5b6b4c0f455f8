// What borrowers are written about a complaint, and what officers begin their answers with, in Hindi.
import type { ComplaintTemplate } from '#contract/console/complaint-lists.ts'
import type { BorrowerText } from './text-en.ts'

export const borrowerTexts: Record<BorrowerText, string> = {
  subject: 'आपकी शिकायत {number}',
  greeting: 'प्रिय {name},',
  greetingUnnamed: 'प्रिय ग्राहक,',
  acknowledged: `आपकी शिकायत हमें मिल गई है। इसका नंबर {number} है: कृपया इसे संभालकर रखें।

इसके लिए {officer} ज़िम्मेदार हैं। पहला जवाब {firstAnswer} तक मिलेगा, और हमें इसका समाधान {resolution} तक करना है।

कुछ और बताना हो तो इसी ई-मेल का जवाब दें।`,
  acknowledgedLender: `आपकी शिकायत हमें मिल गई है। इसका नंबर {number} है: कृपया इसे संभालकर रखें।

यह आपके लोन के बारे में है, इसलिए हमने इसे {lender} को भेज दिया है और यह देखेंगे कि आपको जवाब मिले: पहला जवाब {firstAnswer} तक, समाधान {resolution} तक। हमारी ओर से {officer} ज़िम्मेदार हैं।

कुछ और बताना हो तो इसी ई-मेल का जवाब दें।`,
  footer: `--
शिकायत {number}। कुछ और बताना हो तो इसी ई-मेल का जवाब दें।
शिकायत अधिकारी: {officer}, {phone}`,
  signature: `{signer}
Lendloom`,
  resolvedFooter: `अगर आप इससे सहमत नहीं हैं, तो {reopen} तक इसी ई-मेल का जवाब दें: शिकायत फिर से खुल जाएगी, और आप चाहें तो उसे हमारे नोडल अधिकारी {nodal} के पास भेजने को कह सकते हैं।`,
  escalated: `आपकी शिकायत {number} तय समय में हल नहीं हुई, इसलिए अब वह हमारे नोडल अधिकारी {nodal} के पास है: {nodalPhone}, {nodalEmail}। देरी के लिए हमें खेद है।`,
  escalatedByHand: `आपकी शिकायत {number} हमारे नोडल अधिकारी {nodal} के पास भेज दी गई है, जो इसका फ़ैसला करेंगे: {nodalPhone}, {nodalEmail}।`,
  ombudsman: `अब आप शिकायत {number} रिज़र्व बैंक के लोकपाल के पास ले जा सकते हैं (रिज़र्व बैंक – एकीकृत लोकपाल योजना, 2021): https://cms.rbi.org.in पर, फ़ोन 14448 पर, या लिखकर Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017 को। इसका कोई शुल्क नहीं है। शिकायत ऋणदाता {lender} के बारे में है; कृपया हमारा नंबर {number} भी बताएँ।`,
  ombudsmanPlatform: `अब आप शिकायत {number} रिज़र्व बैंक के लोकपाल के पास ले जा सकते हैं (रिज़र्व बैंक – एकीकृत लोकपाल योजना, 2021): https://cms.rbi.org.in पर, फ़ोन 14448 पर, या लिखकर Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017 को। इसका कोई शुल्क नहीं है। कृपया हमारा नंबर {number} भी बताएँ।`,
  closed: `शिकायत {number} बंद कर दी गई है। बात फिर उठे तो {reopen} तक इसी ई-मेल का जवाब दें।`,
  lenderAnswers: '{lender} का जवाब:',
  merged: `आपकी शिकायत {number} उसी बारे में है जिस बारे में {other}। हम दोनों को {other} में आगे बढ़ाएँगे।`,
}

export const templates: Record<ComplaintTemplate, string> = {
  WORKING: `आपने जो लिखा है उसकी हम जाँच कर रहे हैं। {resolution} तक जवाब देने की उम्मीद है; ज़्यादा समय लगा तो पहले बता देंगे।`,
  ASK: `आगे बढ़ने के लिए हमें आपसे एक जानकारी चाहिए: 

कृपया इसी ई-मेल का जवाब दें, या अपने लोन के पेज पर लिखें।`,
  SENT_TO_LENDER: `आपकी शिकायत का जवाब {lender} को देना है। आपने जो भेजा वह सब हमने उन्हें भेज दिया है, और जवाब आने तक पूछते रहेंगे। {resolution} तक आपको हमसे ख़बर मिलेगी।`,
  UPHELD: `आपकी बात सही है, और हमें खेद है। 

हमने यह किया है: `,
  NOT_UPHELD: `हमने इसे ध्यान से देखा है, और यह तय शर्तों के अनुसार है: 

आप इससे सहमत न हों तो इसी ई-मेल का जवाब दें।`,
  REFUND: `{lender} आपके उसी खाते में ₹ वापस कर रहा है जिससे किस्तें कटती हैं। पहुँचने में सात कामकाजी दिन तक लग सकते हैं।`,
  PRIVACY: `हमारे पास आपके बारे में यह जानकारी है, यह यहाँ से आई, और इनके साथ साझा हुई: 

क़ानून जितना हटाने देता है उतना हमने हटा दिया है।`,
  BLANK: '',
}
