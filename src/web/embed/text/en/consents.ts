// What the page says in English under "Your consents".
export const consents = {
  'given.title': 'Your consents',
  'given.lead': 'All you have agreed to in this application, in the words you saw, with the newest first.',
  'given.none': 'You have not agreed to anything yet. Nothing was sent to a lender.',
  'given.failed': 'Your consents could not be loaded.',
  'given.bureau': 'Credit report',
  'given.data_sharing': 'Sharing your details',
  'given.submission': 'Submitting your application',
  'given.bank_analysis': 'Your bank statement',
  'given.key_facts': 'Accepting the offer',
  'given.when': 'Given',
  'given.version': 'Wording',
  'given.to': 'To',
  'given.to.none': 'No lender yet',
  'given.until': 'Until',
  'given.until.ENDS': 'You accept an offer, withdraw it, or do nothing until {date}',
  'given.until.BINDING': 'The loan is repaid',
  'given.until.OVER': 'Ended with the application',
  'given.until.WITHDRAWN': 'Withdrawn on {date}',
  'given.WITHDRAWN.why':
    'No lender is sent anything under it. What the lenders named above had received cannot be called back by us; you may ask each of them to erase it.',
  'given.OVER.why': 'Nothing is sent under it any more.',
  'given.BINDING.why':
    'You accepted an offer, and its lender needs this for the loan, so it cannot be withdrawn here. Other lenders are sent nothing more. You can still leave the loan: before the payout by asking the lender to stop, after it within the cooling-off period.',
  'given.withdraw': 'Withdraw this consent',
  'given.sure': 'Withdraw it and end this application?',
  'given.sure.why':
    'Without it no lender can go on, so the application ends and its other consents are withdrawn too. No lender is sent anything more. What these have received cannot be called back: {lenders}.',
  'given.sure.why.none':
    'Without it no lender can go on, so the application ends and its other consents are withdrawn too. No lender has received anything.',
  'given.yes': 'Yes, withdraw and end it',
  'given.no': 'No, keep it',
  'given.there': 'Given at the account aggregator',
  'given.there.why':
    'You agreed at {aggregator} that {lender} may see your data. It is taken back there: in the app of the aggregator, under your consents.',
  'given.funds': 'Statement of mutual funds',
  'given.funds.why':
    'Your statement of mutual funds was fetched from {registrar} once, as you agreed there. Nothing more is fetched.',
  'given.policy': 'Privacy policy',
  'given.close': 'Back to my application',
} as const
