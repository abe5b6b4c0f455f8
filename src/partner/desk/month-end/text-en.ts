// English texts of the month-end page.
export const monthEndTexts = {
  title: 'Month-end',
  about: 'Computed from the data of this desk. Files that the command line wrote are not counted.',
  empty: (month: string) =>
    `The books have no entries up to the end of ${month}. The month-end appears after the first loan’s month.`,
  earlier: 'Earlier month',
  later: 'Later month',
  done: 'Done',
  open: 'Open',
  progress: (done: number, all: number) => `${done} of ${all} steps done`,
  steps: {
    days: 'Days closed',
    receipts: 'Receipts posted',
    claims: 'Claims verified',
    debits: 'Debits settled',
    statements: 'Bank statements reconciled',
    books: 'Books balanced',
    journal: 'Journal downloaded',
    returns: 'Returns downloaded',
    bureau: 'Report to credit bureaus downloaded',
  },
  closedOn: 'Closed on',
  notClosed: 'is not closed yet.',
  failed: (loans: string) => `${loans} could not be processed.`,
  waits: (payments: string, count: number, amount: string) =>
    `${payments} of ${amount} ${count === 1 ? 'waits' : 'wait'}.`,
  nothingWaits: { receipts: 'No receipt waits.', claims: 'No claim waits.', debits: 'No debit waits for the bank.' },
  noMovements: 'The books have no movement at the bank.',
  daysCovered: (covered: number, all: string) => `${covered} of ${all} with movements are in a closed statement`,
  missing: (days: string[], count: number) =>
    count === 0 ? '' : ` Missing: ${days.join(', ')}${count > days.length ? ` and ${count - days.length} more` : ''}.`,
  late: (references: string[], count: number) =>
    count === 0
      ? ''
      : ` Changed after the closing: ${references.join(', ')}${count > references.length ? ` and ${count - references.length} more` : ''}.`,
  balanced: (amount: string) => `Debits and credits of ${amount}.`,
  notBalanced: 'The books do not balance. Inform the operator of this system.',
  duesTitle: 'Due and paid',
  dues: (due: string, paid: string) => `${due} fell due, of which ${paid} was paid by the end of the month.`,
  downloadedOn: 'Downloaded on',
  asOf: 'as of',
  notDownloaded: 'Not downloaded since the month was closed.',
}
