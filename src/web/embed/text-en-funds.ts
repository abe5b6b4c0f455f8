// What the page says in English of the mutual-fund units that secure a loan.
export const funds = {
  'funds.secured': { one: 'Secured by units of one fund', other: 'Secured by units of {count} funds' },
  'funds.needed': 'Units you would pledge for this amount',
  'funds.pledged': 'Units you pledge',
  'funds.fund': 'Fund',
  'funds.units': 'Units',
  'funds.folio': 'Folio\u00a0{folio}',
  'funds.ltv': '{rate} of their value is lent',
  'funds.yours': 'The units stay yours. While they are pledged you cannot sell them.',
} as const
