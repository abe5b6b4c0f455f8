// The rules of debits under an e-NACH mandate.
import type { Rail } from './rail.ts'

export const eNach: Rail = {
  method: 'ENACH',
  hours: [[0, 24]],
  sessions: [6, 8, 10, 12, 14],
  opensOnHolidays: true,
  // A debit accepted after 14:00 is presented on the next day, whose results are complete at 21:00.
  resultHours: 31,
  noticeHours: 24,
  isNotifiedByBank: false,
  maxDebitPaise: 100_00_000_00n,
  maxMandatePaise: 100_00_000_00n,
  maxAttempts: 3,
  retryDays: 3,
  isPausable: false,
  codes: {
    retry: '04 55 57 58 59 98',
    wait: '',
    'new-mandate': '01 02 08 11 12 14 15 21 22 23 24 25 26 27 28 29 54 61',
    stop: '06 07 17 60 68 69',
    enquire: '13 31',
  },
}
