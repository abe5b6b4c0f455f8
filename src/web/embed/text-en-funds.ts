// What the page says in English of the mutual-fund units that secure a loan.
export const funds = {
  'funds.secured': { one: 'Secured by units of one fund', other: 'Secured by units of {count} funds' },
  'funds.needed': 'Units you would pledge for this amount',
  'funds.pledged': 'Units you pledge',
  'funds.own': 'Choose the funds yourself',
  'funds.share': 'Pledge a share of every fund instead',
  'funds.pick': 'Units you would pledge of each fund',
  'funds.most': 'up to {most}',
  'funds.carried': 'You can borrow on these units',
  'funds.carried.why': 'At the last known prices. The lender tells you the exact figure next.',
  'funds.wrong': 'Enter a number of units, from 0 to {most}',
  'funds.fund': 'Fund',
  'funds.units': 'Units',
  'funds.folio': 'Folio\u00a0{folio}',
  'funds.ltv': '{rate} of their value is lent',
  'funds.yours': 'The units stay yours. While they are pledged you cannot sell them.',
} as const
