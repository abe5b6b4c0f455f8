// The English texts of the book's dashboard.
import type { Bucket, End } from './figures.ts'

export const bucketNames: Record<Bucket, string> = {
  STANDARD: 'Standard',
  SMA_0: 'SMA-0',
  SMA_1: 'SMA-1',
  SMA_2: 'SMA-2',
  NPA: 'NPA',
}
export const endNames: Record<End, string> = { ...bucketNames, WRITTEN_OFF: 'Written off', CLOSED: 'Closed' }

export const portfolioTexts = {
  title: 'Portfolio',
  none: 'Nothing was disbursed up to this day. The figures begin with the first loan that is paid out.',
  notEnded: 'No business day was ended up to this day.',
  lent: {
    title: 'Disbursed by month',
    about: 'Amounts of the loans that were paid out, before fees.',
  },
  book: {
    title: 'Principal outstanding by bucket',
    about: 'At the last day of each month that was ended. Loans that are written off are left out.',
  },
  efficiency: {
    title: 'Collection efficiency',
    about: 'Of what fell due in a month, the share that was paid by its end. Penal charges are no part of it.',
    running: 'so far',
  },
  vintage: {
    title: 'Vintage curves',
    about:
      'Of what was disbursed in a month, the share that is more than 30 days past due, NPA or written off, by months on book. 0 is the month of the disbursement.',
    none: 'Curves begin with the first month’s end.',
  },
  roll: {
    title: 'Roll rates',
    about:
      'Where the principal of each bucket at the beginning of the month stood at its end. What moves to the right grows worse; what is closed was repaid.',
    none: 'Roll rates begin with the second month’s end.',
  },
  table: 'Figures',
}
