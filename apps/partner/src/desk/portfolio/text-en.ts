// English texts of the dashboard.
import type { Bucket, RollEnd } from './figures.ts'

export const bucketNames: Record<Bucket, string> = {
  STANDARD: 'Standard',
  SMA_0: 'SMA-0',
  SMA_1: 'SMA-1',
  SMA_2: 'SMA-2',
  NPA: 'NPA',
}
export const endNames: Record<RollEnd, string> = { ...bucketNames, WRITTEN_OFF: 'Written off', CLOSED: 'Closed' }

export const portfolioTexts = {
  title: 'Portfolio',
  none: 'No loans were paid out by this day. Figures appear once the first loan is paid out.',
  lent: {
    title: 'Disbursed by month',
    about: 'Loan amounts paid out, before fees.',
  },
  book: {
    title: 'Principal outstanding by bucket',
    about: 'On the last closed day of each month, excluding written-off loans.',
  },
  efficiency: {
    title: 'Collection efficiency',
    about: 'Share of a month’s dues paid by the end of that month, excluding penal charges.',
    soFar: 'so far',
    due: (month: string, due: string, paid: string) => `Due in ${month}: ${due}, of which ${paid} is paid.`,
  },
  vintage: {
    title: 'Vintage curves',
    about:
      'Share of the amount disbursed in a month that is more than 30 days past due, NPA or written off, by months on book. 0 is the month of disbursement.',
  },
  roll: {
    title: 'Roll rates',
    about:
      'Where the principal of each bucket moved between the start and the end of the month. Further right is worse; closed means repaid.',
  },
  laterBook: 'The principal by bucket appears after the first end of day.',
  laterEfficiency: 'Collection efficiency appears once an instalment has fallen due.',
  later: 'Vintage curves and roll rates appear after the end of the second month.',
  table: 'Show numbers',
}
