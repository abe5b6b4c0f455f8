// Texts of our settlement terms for lenders (FIS12 §7.2).

export const settlementTerms = {
  title: 'Terms of settlement',
  heading: (id: string) => `Terms of settlement of ${id}`,
  scope: (id: string) => `These terms bind lenders and ${id}. They do not affect the borrower.`,
  fee: "Finder's fee",
  feeUnits: {
    'percent-annualized': 'percent of the principal a year',
    percent: 'percent of the total',
    amount: 'rupees',
  },
  settledBy: 'Settled by',
  lateInterest: 'Interest on late settlement',
  perYear: (percent: string) => `${percent} percent a year`,
  offlineContract: 'A contract outside the network',
  overrides: 'overrides these terms',
  doesNotOverride: 'does not override these terms',
}
