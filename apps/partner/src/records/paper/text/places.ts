// Placeholders of each message. Generated from en.json by `npm run docs`.
export interface LoanPaperPlaceholders {
  greeting: 'name'
  questions: 'officer'
  refund: 'amount'
  'statement.ofInstalment': 'text' | 'number'
  'sanction.weeks': 'count'
  'sanction.instalments': 'count' | 'amount'
  'sanction.instalmentsWithLast': 'count' | 'amount' | 'last'
  'sanction.days': 'days'
  'noDues.opening': 'account'
  'noDues.settled': 'on' | 'amount'
  'closure.body': 'on'
  'closure.settled': 'amount' | 'on'
  'interest.body': 'from' | 'until'
}
