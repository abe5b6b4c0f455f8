// Placeholders of each message. Generated from en.json by `npm run docs`.
export interface OfferPlaceholders {
  'keyFacts.proposal': 'version' | 'madeOn' | 'validUntil'
  'keyFacts.loan.weeks': 'count'
  'keyFacts.loan.instalmentsOf': 'count' | 'amount' | 'last'
  'keyFacts.price.rateOf': 'percent'
  'keyFacts.price.feesOf': 'fee' | 'tax' | 'other'
  'keyFacts.price.percent': 'value'
  'keyFacts.price.penalty': 'count' | 'percent' | 'everyDays' | 'most'
  'keyFacts.assurances.coolOffOf': 'days'
  'keyFacts.computation.aprOf': 'value'
  'terms.lead': 'proposal' | 'keyFacts'
}
