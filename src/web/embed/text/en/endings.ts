// What the page says in English where a journey ends without a loan: why, and what can be done.
export const endings = {
  'withdraw.received': 'These had received your details before, and may be asked to erase them: {lenders}.',
  'withdraw.done':
    'You withdrew your consent on {when}. Your details are sent to no lender any more. No loan was taken, and you owe nothing.',
  'end.NOT_OFFERED': 'No lender made an offer this time',
  'end.NOT_OFFERED.why':
    'This does not mean it stays so. Lenders decide anew each time; more income or fewer running loans can help.',
  'end.NOT_OFFERED.LAMF_LOAN':
    'This does not mean it stays so. Lenders decide anew each time; more units, free of any lien or lock-in, can help.',
  'end.REJECTED': 'This application has ended',
  'end.REJECTED.why': 'No loan was taken, and you owe nothing.',
  'end.NO_ANSWER': 'No lender could be reached',
  'end.NO_ANSWER.why': 'Nothing was decided, and nobody said no. Your details are kept. Please try again.',
  'end.NO_ANSWER.consent': 'Trying again sends your details to the lenders under the consent you gave.',
  'end.EXPIRED': 'This application has expired',
  'end.EXPIRED.why': 'It was not continued for a long time, so it was closed. No loan was taken, and you owe nothing.',
  'end.EXPIRED.OFFERS':
    'Lenders make offers for a limited time, and yours have run out. No loan was taken, and you owe nothing.',
  'end.answers': 'What the lenders answered',
  'end.back': 'Back to {host}',
  'end.why': 'Why',
  'end.why.lender': 'What {lender} says',
  'end.do': 'What you can do now',
  'end.do.CREDIT': 'Look at your credit report first: it is what lenders decide by. It is free, see below.',
  'end.do.INCOME':
    'Lenders compare your income with the EMIs you already pay. A smaller amount, a longer time or one loan less can change the answer.',
  'end.do.AMOUNT': 'Start again in {host} and choose a smaller amount or another time to repay.',
  'end.do.DETAILS': 'Check your details and documents, then start again in {host}.',
  'end.do.IDENTITY':
    'Check that your name and date of birth are the same on your PAN card and your Aadhaar, and that your mobile number is linked to your Aadhaar. Then start again in {host}.',
  'end.do.STATEMENT':
    'Share the statement of the account that your income comes to, of all months that are asked for. You can start again in {host} at any time.',
  'end.do.ACCOUNT':
    'Use an active account in your own name, and copy number and IFSC from the passbook. Then start again in {host}.',
  'end.do.MANDATE':
    'Ask your bank whether your account allows automatic payments, or choose another account. Then start again in {host}.',
  'end.do.AGREEMENT':
    'Nothing binds you without your signature. If you still want the loan, start again in {host}; for signing, have the phone linked to your Aadhaar with you.',
  'end.do.GOLD':
    'Ask the branch what it could not accept. With other pieces you can start again in {host} at any time.',
  'end.do.UNITS':
    'Only units without a lien or lock-in can be pledged, with the mobile number that the registrar has. Then start again in {host}.',
  'end.do.TIME': 'You can start again in {host} today. Each offer says until when it stands.',
  'end.do.AWAY': 'Some lenders could not be reached, and have not decided. Start again in {host} in a few hours.',
  'end.do.POLICY':
    'Each lender has its own rules, and another one may decide otherwise. You may ask the lender for its reason. You can start again in {host} at any time.',
  'end.do.OWN': 'If you change your mind, you can start again in {host} at any time.',
  'bureau.title': 'Your credit report',
  'bureau.named': 'The lender decided by your report at {bureau}.',
  'bureau.unnamed':
    'There are four credit bureaus. Ask the lender which one it used, and for a copy of the report: it has to give you one.',
  'bureau.free': 'Each of them has to show you your full report with the score once a year, free of charge:',
  'bureau.dispute': 'If something in it is wrong',
  'bureau.dispute.how':
    'Raise a dispute on the page of that bureau; it costs nothing. It has to be settled within 30 days. After that you are owed ₹100 for each day.',
  'bureau.when': 'When to come back',
  'bureau.when.how':
    'Lenders report to the bureaus every two weeks. Try again one or two months after you have paid what was overdue, or a mistake was corrected.',
  'end.others': 'Other offers you had',
  'end.others.how':
    'They belong to this application and end with it. To ask these lenders again, start again in {host}.',
  'end.others.terms': '{sum} over {term}: {amount} × {count}, {rate} a year (APR)',
  'end.others.line': 'Credit limit {amount}, {rate} a year',
} as const
