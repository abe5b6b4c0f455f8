// What the page says in Hindi of the mutual-fund units that secure a loan.
import type { Translated } from '../../text.ts'
import type { funds as english } from '../en/funds.ts'

export const funds: Translated<typeof english> = {
  'funds.line': 'क्रेडिट लाइन',
  'funds.term': 'टर्म लोन',
  'funds.secured': { one: 'एक फ़ंड की यूनिट पर सुरक्षित', other: '{count} फ़ंड की यूनिट पर सुरक्षित' },
  'funds.page': 'आगे का काम ऋणदाता के अपने पेज पर होता है।',
  'funds.needed': 'इस रकम के लिए गिरवी रखी जाने वाली यूनिट',
  'funds.pledged': 'आपकी गिरवी रखी जाने वाली यूनिट',
  'funds.own': 'फ़ंड खुद चुनें',
  'funds.share': 'इसके बजाय हर फ़ंड का एक हिस्सा गिरवी रखें',
  'funds.pick': 'हर फ़ंड की गिरवी रखी जाने वाली यूनिट',
  'funds.most': 'अधिकतम {most}',
  'funds.carried': 'इन यूनिट पर आप इतना लोन ले सकते हैं',
  'funds.carried.why': 'पिछली ज्ञात कीमतों के अनुसार। सही रकम ऋणदाता आगे बताता है।',
  'funds.wrong': '0 से {most} तक यूनिट की संख्या लिखें',
  'funds.fund': 'फ़ंड',
  'funds.units': 'यूनिट',
  'funds.folio': 'फ़ोलियो\u00a0{folio}',
  'funds.ltv': 'मूल्य का {rate} तक लोन',
  'funds.yours': 'यूनिट आपकी ही रहती हैं। गिरवी रहने तक आप उन्हें बेच नहीं सकते।',

  'funds.held': 'आपके म्यूचुअल फ़ंड',
  'funds.worth': 'मूल्य',
  'funds.free': 'इसमें से गिरवी रख सकते हैं',
  'funds.held.why': 'आपके स्टेटमेंट की कीमतों पर। जो यूनिट पहले से गिरवी या लॉक हैं, वे गिरवी नहीं रखी जा सकतीं।',
  'funds.kind.equity': 'इक्विटी',
  'funds.kind.hybrid': 'हाइब्रिड',
  'funds.kind.debt': 'डेट',
  'funds.kind.unknown': 'प्रकार मालूम नहीं',
  'funds.carries': 'इन पर {amount} का लोन मिल सकता है।',
  'pledging.title': 'गिरवी रखने का मतलब',
  'pledging.yours': 'यूनिट आपके नाम पर ही रहती हैं। उनका लाभ, नुकसान और डिविडेंड आपका है।',
  'pledging.locked': 'गिरवी रहने तक आप यूनिट बेच या बदल नहीं सकते: रजिस्ट्रार उन पर ऋणदाता का लियन लगाता है।',
  'pledging.call':
    'मूल्य इतना गिर जाए कि बकाया न ढके, तो ऋणदाता मार्जिन कॉल करता है: उसकी शर्तों में दिए दिनों में आप कुछ हिस्सा चुकाते हैं या और यूनिट गिरवी रखते हैं।',
  'pledging.sale': 'दोनों न करें, या लोन न चुकाएँ, तो ऋणदाता यूनिट बेचकर बकाया ले सकता है।',
  'pledging.end': 'लोन चुकाने पर ऋणदाता लियन हटवा देता है।',
}
