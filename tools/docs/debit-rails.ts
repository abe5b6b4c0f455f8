// The page on the rails of debits: one table per rail, from the code, and the source of each rule.

import { keysOf } from '@lendloom/foundation/record'
import { inr } from '@lendloom/lending/money'
import type { Rail, ReturnPolicy } from '@lendloom/partner/src/bank/rail/rail.ts'
import { rails } from '@lendloom/partner/src/bank/rail/rails.ts'
import { returnCodes } from '@lendloom/wire/exchange/return-code-text'
import { code, page, table } from './markdown.ts'

interface Rule {
  name: string
  value(rail: Rail): string
  sources: Record<Rail['method'], string>
}

const lotusPay =
  'LotusPay, [clearing of ACH debits](https://docs.juspay.io/lotuspay/web/nach-debit-flow/ach-debit-transaction-clearing-process)'
const returnsCircular = 'NPCI/2023-24/NACH/007, advice to creditors, with charges above 50 % of returns'
const upiHours = 'NPCI, circular on the use of UPI APIs, in force since 1 August 2025, by press reports'
const framework = 'RBI, Digital Payments – E-mandate Framework, 21 April 2026 (RBI/DPSS/2026-27/396)'

const clock = (hour: number): string =>
  `${String(Math.floor(hour)).padStart(2, '0')}:${String((hour % 1) * 60).padStart(2, '0')}`

const rules: Rule[] = [
  {
    name: 'The bank accepts a debit',
    value: ({ hours }) => hours.map(([from, until]) => `${clock(from)} to ${clock(until)}`).join(', '),
    sources: { ENACH: `${lotusPay}: up to a week before its day`, UPI_AUTOPAY: upiHours },
  },
  {
    name: 'Sessions',
    value: ({ sessions }) => sessions.map(clock).join(', ') || 'none: each debit is presented at once',
    sources: { ENACH: lotusPay, UPI_AUTOPAY: 'NPCI, UPI is a real-time system' },
  },
  {
    name: 'Holidays',
    value: ({ opensOnHolidays }) => (opensOnHolidays ? 'none: every day of the year' : 'bank holidays'),
    sources: {
      ENACH: 'NPCI, NACH circular 005 of 2021-22, since 1 August 2021',
      UPI_AUTOPAY: 'NPCI, UPI runs every day',
    },
  },
  {
    name: 'The result is known within',
    value: ({ resultHours }) => (resultHours === 1 ? '1 hour' : `${resultHours} hours`),
    sources: {
      ENACH: 'LotusPay, payout process: final cycle complete at 21:00; after the last session, on the next day',
      UPI_AUTOPAY: 'our choice: an hour until the bank is asked again',
    },
  },
  {
    name: 'Notice before a debit',
    value: ({ noticeHours, isNotifiedByBank }) =>
      `${noticeHours} hours, by ${isNotifiedByBank ? 'the borrower’s bank for each debit, at the lender’s request' : 'the schedule, and a reminder'}`,
    sources: { ENACH: 'D3 §6.7; the framework below is for cards, wallets and UPI', UPI_AUTOPAY: framework },
  },
  {
    name: 'Most for one debit',
    value: ({ maxDebitPaise }) => inr(maxDebitPaise),
    sources: { ENACH: 'as for the mandate', UPI_AUTOPAY: `${framework}: without a second factor` },
  },
  {
    name: 'Most for a mandate',
    value: ({ maxMandatePaise }) => inr(maxMandatePaise),
    sources: {
      ENACH: 'NPCI/2023-24/NACH/003: one limit for all kinds of mandates',
      UPI_AUTOPAY: 'NPCI, the limit of a UPI payment',
    },
  },
  {
    name: 'Tries for an instalment',
    value: ({ maxAttempts }) => `${maxAttempts}`,
    sources: { ENACH: returnsCircular, UPI_AUTOPAY: `${upiHours}: one and three retries` },
  },
  {
    name: 'Days from a return to the next try',
    value: ({ retryDays }) => `${retryDays}`,
    sources: { ENACH: returnsCircular, UPI_AUTOPAY: 'our choice: each try has its own notice' },
  },
  {
    name: 'The borrower can pause the mandate',
    value: ({ isPausable }) => (isPausable ? 'yes, in the UPI app; only the borrower can resume it' : 'no'),
    sources: {
      ENACH: 'a borrower stops a payment at the bank (06) or cancels the mandate (61)',
      UPI_AUTOPAY: 'Setu, [pausing a mandate](https://docs.setu.co/payments/umap/mandates/generic/pause)',
    },
  },
]

const names: Record<Rail['method'], string> = { ENACH: 'e-NACH', UPI_AUTOPAY: 'UPI Autopay' }

const policies: Record<Exclude<ReturnPolicy, 'review'>, string> = {
  retry: 'The lender debits again on a later day.',
  wait: 'The debit does not count as a try; the lender debits again once the bank accepts it.',
  'new-mandate': 'The mandate is over: no debit until the borrower sets up a new one.',
  stop: 'No debit until staff have spoken with the borrower.',
  enquire: 'The lender asks the bank for the result of this debit.',
}

const codeSources: Record<Rail['method'], string> = {
  ENACH:
    'Codes: NPCI/2017-18/NACH/274 of 8 March 2018 and [LotusPay](https://juspay.io/in/docs/lotuspay/web/nach-debit-flow/ach-debit-error-codes). What follows from a code is our choice.',
  UPI_AUTOPAY:
    'Codes: [HDFC Bank SmartGateway](https://smartgateway.hdfcbank.com/docs/hdfc-resources/docs/common-resources/upi-error-codes) for payments, and Juspay’s [states of a mandate](https://docs.juspay.io/upi-tpap-direct-sdk/android/backend-apis/mandate-status). What follows from a code is our choice.',
}

const meanings: Record<string, string> = returnCodes

const railPart = (rail: Rail): string[] => [
  `## ${names[rail.method]}`,
  table(
    ['Rule', 'Value', 'Source'],
    rules.map(({ name, value, sources }) => [name, value(rail), sources[rail.method]]),
  ),
  table(
    ['Return codes', 'What follows'],
    keysOf(rail.codes).flatMap((policy) =>
      rail.codes[policy] === ''
        ? []
        : [
            [
              rail.codes[policy]
                .split(' ')
                .map((each) => `${code(each)} ${meanings[each] ?? ''}`)
                .join('; '),
              policies[policy],
            ],
          ],
    ),
  ),
  `${codeSources[rail.method]} Every other code holds the debits until staff have reviewed the case.`,
]

export const railsPage = (): string =>
  page(
    'Rails of debits',
    'A lending partner debits an instalment under a mandate. The number of the mandate tells its rail: an e-NACH mandate has a UMRN, a UPI mandate an address (`…@bank`). The tables are in `apps/partner/src/bank/rail`; [the lender’s policy](../how-to/work-at-the-desk.md) may be stricter, never looser, except for a debit that staff request.',
    ...rails.flatMap(railPart),
    '## What is uncertain',
    [
      '- NPCI publishes its circulars to members. Where the source above is a bank, a gateway or the press, we have not read the circular.',
      '- Sponsor banks have their own cut-off times and, for an e-NACH mandate, limits, often ₹10,00,000.',
      '- One gateway lists lending with a UPI limit of ₹1,00,000 without PIN. The framework names only insurance, mutual funds and credit cards, so the limit here is ₹15,000.',
      '- The codes of NPCI for a UPI debit in the peak hours, without a notice, or under a paused mandate are not public. `PEAK_HOURS` and `NO_NOTICE` are words of the sandbox’s bank; `JPMP`, `JPMR`, `JPMX` and `JPMC` are Juspay’s. UPI’s code 59 (suspected fraud) differs from that of e-NACH, and waits for a review.',
      '- Whether a UPI debit may be below its announced amount is not public; here it may.',
    ].join('\n'),
  )
