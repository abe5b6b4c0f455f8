// Placeholders of each message. Generated from en.json by `npm run docs`.
export interface PaperPlaceholders {
  asOf: 'day'
  source: 'lender'
  'agreement.interestOf': 'rate' | 'type'
  'agreement.instalmentsOf': 'count' | 'amount'
}
