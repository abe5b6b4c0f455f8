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
}
