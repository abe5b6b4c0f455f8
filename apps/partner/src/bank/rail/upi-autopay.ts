// The rules of debits under a UPI Autopay mandate.
import type { Rail } from './rail.ts'

export const upiAutopay: Rail = {
  method: 'UPI_AUTOPAY',
  // Outside the peak hours of UPI.
  hours: [
    [0, 10],
    [13, 17],
    [21.5, 24],
  ],
  sessions: [],
  opensOnHolidays: true,
  resultHours: 1,
  noticeHours: 24,
  isNotifiedByBank: true,
  maxDebitPaise: 15_000_00n,
  maxMandatePaise: 1_00_000_00n,
  maxAttempts: 4,
  retryDays: 1,
  isPausable: true,
  codes: {
    retry: 'Z9 Z8 Z7 ZU U30',
    wait: 'JPMP PEAK_HOURS NO_NOTICE',
    'new-mandate': 'JPMR JPMX JPMC XH ZX',
    stop: 'YE ZA',
    enquire: 'RB U01',
  },
}
