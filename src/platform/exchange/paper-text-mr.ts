// The words of the papers of a loan in Marathi.
import type { PaperTexts } from './paper-text-en.ts'

export const marathi: PaperTexts = {
  titles: { statement: 'खात्याचे विवरण', schedule: 'हप्त्यांचे वेळापत्रक' },
  facts: { borrower: 'कर्जदार', loan: 'कर्ज क्रमांक', account: 'कर्ज खाते', asOf: 'दिनांक' },
  asOf: (day) => `${day}. सर्व रकमा भारतीय रुपयांत (₹) आहेत.`,
  source: (lender) =>
    `हे आकडे खाते ठेवणाऱ्या ${lender} यांचे आहेत. थकबाकी नसल्याचे प्रमाणपत्र किंवा व्याज प्रमाणपत्र अशी त्यांची कागदपत्रे ${lender} यांच्याकडे मागा.`,
  statement: {
    outstanding: 'बाकी',
    parts: ['मुद्दल', 'देय झालेले व्याज', 'दंड शुल्क', 'इतर शुल्क', 'एकूण बाकी', 'त्यापैकी थकीत'],
    payments: 'दिलेले आणि मिळालेले पैसे',
    head: ['दिनांक', 'पद्धत', 'स्थिती', 'बँक संदर्भ', 'रक्कम'],
    paidOut: 'तुम्हाला दिले',
    states: {
      PENDING_VERIFICATION: 'शोध सुरू आहे',
      SUBMITTED: 'बँकेकडे पाठवले',
      PROCESSING: 'मार्गावर',
      FAILED: 'झाले नाही',
      POSTED: 'मिळाले',
      REVERSED: 'परत घेतले',
    },
  },
  schedule: {
    head: ['क्र.', 'देय दिनांक', 'मुद्दल', 'व्याज', 'शुल्क', 'हप्ता', 'भरले', 'स्थिती'],
    states: { DUE: 'देय', PART_PAID: 'काही भरले', PAID: 'भरले', OVERDUE: 'थकीत' },
    note: 'मध्येच काही रक्कम भरल्यास त्या दिवसापासून वेळापत्रक बदलते. दंड शुल्क असल्यास ते हप्त्याशिवाय वेगळे भरावे लागते आणि खात्याच्या विवरणात दिसते.',
  },
  agreement: {
    title: 'कर्ज करार',
    between: 'पक्ष',
    lender: 'कर्ज देणारी संस्था',
    borrower: 'कर्जदार',
    pan: 'कर्जदाराचा PAN',
    application: 'अर्ज',
    loan: 'कर्ज',
    offer: 'ऑफर',
    accepted: 'स्वीकारले',
    theLoan: 'कर्ज',
    term: 'अट',
    amount: 'कर्जाची रक्कम',
    paidOut: 'कर्जदाराला दिलेली रक्कम',
    interest: 'व्याज',
    fixed: 'स्थिर',
    interestOf: (rate, type) => `वर्षाला ${rate}, ${type}`,
    apr: 'वार्षिक टक्केवारी दर (APR)',
    totalInterest: 'एकूण व्याज',
    fee: 'करासह प्रोसेसिंग शुल्क',
    otherUpfront: 'सुरुवातीचे इतर शुल्क',
    instalments: 'हप्ते',
    instalmentsOf: (count, amount) => `${count} साप्ताहिक हप्ते, प्रत्येकी ${amount}; शेवटचा हप्ता हिशोबानुसार कमी-जास्त`,
    keyFacts: 'मुख्य तथ्य पत्रक (KFS)',
    conditions: 'नियम आणि अटी',
    agreed:
      'कर्जदाराने मुख्य तथ्य पत्रक वाचले आहे आणि या अटींवर हे कर्ज घेत आहे. कर्जदाराने नोंदवलेल्या मँडेटद्वारे हप्ते खात्यातून वजा केले जातात. वर उल्लेख केलेले मुख्य तथ्य पत्रक आणि अटी या कराराचा भाग आहेत.',
  },
}
