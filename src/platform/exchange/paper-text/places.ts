// The names that each message takes. Made from en.json by `npm run docs`.
export interface Places {
  asOf: 'day'
  source: 'lender'
  'agreement.interestOf': 'rate' | 'type'
  'agreement.instalmentsOf': 'count' | 'amount'
}
