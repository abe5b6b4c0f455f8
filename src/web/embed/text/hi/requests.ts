// What the page says in Hindi where the lender is asked in writing: about a part payment, and to stop before the payout.
import type { Translated } from '../../text.ts'
import type { requests as english } from '../en/requests.ts'

export const requests: Translated<typeof english> = {
  'partkeep.title': 'कुछ हिस्सा पहले चुकाना: किस्तों में क्या बदले?',
  'partkeep.what':
    'पहले चुकाया हुआ हिस्सा जिस दिन पहुँचता है, उसी दिन से ली हुई रक़म घटाता है, और इसका कोई शुल्क नहीं। जो बकाया है, वह पहले चुकता है। किस्तों का क्या हो, यह आप चुनते हैं।',
  'field.partkeep': 'आप कितने रुपये पहले चुकाएँगे?',
  'hint.partkeep': 'पूरे रुपये, बाकी रकम से कम।',
  'wrong.partkeep': 'पूरे रुपयों में राशि लिखें',
  'partkeep.most': '{amount} से कम लिखें, लगभग इतना ही बाक़ी है',
  'partkeep.choose': 'क्या वैसा ही रहे?',
  'partkeep.INSTALLMENT': 'किस्त की रक़म',
  'partkeep.INSTALLMENT.why': 'किस्तें कम होंगी, और ब्याज सबसे कम लगेगा।',
  'partkeep.INSTALLMENT.figures': {
    one: '{before} की जगह लगभग एक किस्त, और {less} कम ब्याज।',
    other: '{before} की जगह {amount} की लगभग {count} किस्तें, और {less} कम ब्याज।',
  },
  'partkeep.TERM': 'किस्तों की संख्या',
  'partkeep.TERM.why': 'किस्तें उतनी ही रहेंगी, और हर किस्त छोटी होगी।',
  'partkeep.TERM.figures': {
    one: '{before} की जगह लगभग {amount} की एक किस्त, और {less} कम ब्याज।',
    other: '{before} की जगह लगभग {amount} की {count} किस्तें, और {less} कम ब्याज।',
  },
  'partkeep.about': 'ये अनुमान हैं: {lender} उस दिन से गिनता है जिस दिन पैसा पहुँचता है।',
  'partkeep.counts': '{lender} उस दिन से गिनता है जिस दिन पैसा पहुँचता है।',
  'partkeep.ask': '{lender} से यही माँगें',
  'partkeep.text.INSTALLMENT': 'मैं {amount} पहले चुकाना चाहता/चाहती हूँ। किस्त की रक़म वही रखें, ताकि किस्तें कम हो जाएँ।',
  'partkeep.text.TERM': 'मैं {amount} पहले चुकाना चाहता/चाहती हूँ। किस्तों की संख्या वही रखें, ताकि हर किस्त छोटी हो जाए।',
  'cancel.open': 'मुझे यह लोन अब नहीं चाहिए',
  'cancel.title': 'यह आवेदन रोकें?',
  'cancel.why':
    'जब तक पैसा रास्ते में नहीं है, {lender} इसे रोक सकता है, और आप पर कुछ बकाया नहीं होगा। हम आपका अनुरोध तुरंत आगे भेजते हैं: आपको एक नंबर मिलता है, और जवाब यहीं दिखता है। अगर पैसा उससे पहले मिल गया, तब भी आप मन बदलने के समय में लोन छोड़ सकते हैं।',
  'cancel.yes': '{lender} से रोकने को कहें',
  'cancel.no': 'लोन जारी रखें',
  'cancel.text': 'मुझे यह लोन अब नहीं चाहिए। कृपया पैसा देने से पहले मेरा आवेदन रोक दें।',
}
