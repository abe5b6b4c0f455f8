// The words of the papers of a loan in Hindi.
import type { PaperTexts } from './paper-text-en.ts'

export const hindi: PaperTexts = {
  titles: { statement: 'खाते का विवरण', schedule: 'किस्तों की तालिका' },
  facts: { borrower: 'उधारकर्ता', loan: 'लोन संख्या', account: 'लोन खाता', asOf: 'तारीख' },
  asOf: (day) => `${day}। सभी राशियाँ भारतीय रुपयों (₹) में हैं।`,
  source: (lender) =>
    `ये आँकड़े ${lender} के हैं, जो यह खाता रखता है। बकाया नहीं प्रमाणपत्र या ब्याज प्रमाणपत्र जैसे उसके अपने कागज़ ${lender} से माँगें।`,
  statement: {
    outstanding: 'बकाया',
    parts: ['मूलधन', 'देय हो चुका ब्याज', 'दंड शुल्क', 'अन्य शुल्क', 'कुल बकाया', 'इसमें से समय पर न चुकाई गई रकम'],
    payments: 'दी गई और मिली रकम',
    head: ['तारीख', 'तरीका', 'स्थिति', 'बैंक संदर्भ', 'राशि'],
    paidOut: 'आपको दी गई',
    states: {
      PENDING_VERIFICATION: 'खोजी जा रही है',
      SUBMITTED: 'बैंक को भेजी गई',
      PROCESSING: 'रास्ते में',
      FAILED: 'नहीं हुआ',
      POSTED: 'मिल गई',
      REVERSED: 'वापस ली गई',
    },
  },
  schedule: {
    head: ['क्र.', 'देय तारीख', 'मूलधन', 'ब्याज', 'शुल्क', 'किस्त', 'चुकाया', 'स्थिति'],
    states: { DUE: 'देय', PART_PAID: 'कुछ चुकाया', PAID: 'चुकाया', OVERDUE: 'समय बीता' },
    note: 'बीच में किया गया आंशिक भुगतान उसी दिन से तालिका बदल देता है। दंड शुल्क, अगर हो, किस्त से अलग देना होता है और खाते के विवरण में लिखा रहता है।',
  },
  agreement: {
    title: 'लोन समझौता',
    between: 'पक्ष',
    lender: 'ऋणदाता',
    borrower: 'उधारकर्ता',
    pan: 'उधारकर्ता का PAN',
    application: 'आवेदन',
    loan: 'लोन',
    offer: 'ऑफ़र',
    accepted: 'स्वीकार किया',
    theLoan: 'लोन',
    term: 'शर्त',
    amount: 'लोन की राशि',
    paidOut: 'उधारकर्ता को दी गई राशि',
    interest: 'ब्याज',
    fixed: 'निश्चित',
    interestOf: (rate, type) => `${rate} सालाना, ${type}`,
    apr: 'वार्षिक प्रतिशत दर (APR)',
    totalInterest: 'कुल ब्याज',
    fee: 'कर सहित प्रोसेसिंग शुल्क',
    otherUpfront: 'शुरुआत के अन्य शुल्क',
    instalments: 'किस्तें',
    instalmentsOf: (count, amount) => `${count} साप्ताहिक किस्तें, हर एक ${amount}, आखिरी किस्त हिसाब से कम-ज़्यादा`,
    keyFacts: 'मुख्य तथ्य विवरण (KFS)',
    conditions: 'नियम और शर्तें',
    agreed:
      'उधारकर्ता ने मुख्य तथ्य विवरण पढ़ लिया है और इन शर्तों पर यह लोन लेता है। किस्तें उस मैंडेट से काटी जाती हैं जो उधारकर्ता ने दर्ज कराया है। ऊपर बताए गए मुख्य तथ्य विवरण और शर्तें इस समझौते का हिस्सा हैं।',
  },
}
