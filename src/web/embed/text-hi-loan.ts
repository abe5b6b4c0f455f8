// What the page says in Hindi once the loan is paid out.
import type { Translated } from './text.ts'
import type { loan as english } from './text-en-loan.ts'

export const loan: Translated<typeof english> = {
  'loan.loading': 'आपका लोन देखा जा रहा है…',
  'loan.next': 'अगली किस्त',
  'loan.OVERDUE': 'बकाया',
  'loan.DUE': 'आज देय',
  'loan.PAID': 'चुकाई गई',
  'loan.CLOSED': 'निपट गई',
  'loan.manage': 'योजना से अलग भुगतान',
  'loan.manage.why': 'भुगतान से पहले लेंडर बताता है कि कितना लगेगा।',
  'loan.missed': 'छूटी हुई किस्त चुकाएँ',
  'loan.part': 'कुछ हिस्सा पहले चुकाएँ',
  'loan.part.send': 'भुगतान पेज माँगें',
  'loan.close': 'लोन बंद करें',
  'field.part': 'आप कितने रुपये पहले चुकाना चाहते हैं?',
  'hint.part': 'पूरे रुपये, बाकी रकम से कम।',
  'wrong.part': 'पूरे रुपयों में राशि लिखें',
  'loan.FORECLOSURE': 'लोन बंद करना',
  'loan.PRE_PART_PAYMENT': 'पहले चुकाया जाने वाला हिस्सा',
  'loan.MISSED_EMI_PAYMENT': 'छूटी हुई किस्त',
  'loan.asked': '{lender} भुगतान पेज तैयार कर रहा है।',
  'loan.ready': '{lender} {amount} माँगता है। भुगतान उसी के पेज पर होगा और लेंडर की पुष्टि पर ही माना जाएगा।',
  'loan.pay': '{amount} चुकाएँ',
  'loan.check': 'मैंने चुका दिया है',
  'loan.paid': '{amount} चुका दिए गए। धन्यवाद।',
  'loan.closed': 'आपका लोन चुक गया है',
  'loan.closed.lead': 'अब आप पर {lender} का कुछ बकाया नहीं है।',
}
