// What the page says in Marathi of the mutual-fund units that secure a loan.
import type { Translated } from '../../text.ts'
import type { funds as english } from '../en/funds.ts'

export const funds: Translated<typeof english> = {
  'funds.line': 'क्रेडिट लाइन',
  'funds.term': 'मुदत कर्ज',
  'funds.secured': { one: 'एका फंडाच्या युनिट्सचे तारण', other: '{count} फंडांच्या युनिट्सचे तारण' },
  'funds.page': 'पुढचे काम कर्जदात्याच्या स्वतःच्या पेजवर पूर्ण होते.',
  'funds.needed': 'या रकमेसाठी तारण ठेवायची युनिट्स',
  'funds.pledged': 'तुम्ही तारण ठेवणार ती युनिट्स',
  'funds.own': 'फंड स्वतः निवडा',
  'funds.share': 'त्याऐवजी प्रत्येक फंडाचा काही भाग तारण ठेवा',
  'funds.pick': 'प्रत्येक फंडाची तारण ठेवायची युनिट्स',
  'funds.most': 'जास्तीत जास्त {most}',
  'funds.carried': 'या युनिट्सवर मिळू शकणारे कर्ज',
  'funds.carried.why': 'शेवटच्या माहीत असलेल्या किमतींनुसार. कर्जदाता पुढे नेमका आकडा सांगतो.',
  'funds.wrong': '0 ते {most} युनिट्सची संख्या लिहा',
  'funds.fund': 'फंड',
  'funds.units': 'युनिट्स',
  'funds.folio': 'फोलिओ\u00a0{folio}',
  'funds.ltv': 'मूल्याच्या {rate} कर्ज',
  'funds.yours': 'युनिट्स तुमचीच राहतात. तारण असेपर्यंत तुम्ही ती विकू शकत नाही.',
}
