// The page on retries, made from the schedules themselves.
import { eventSchedule, fileSchedule } from '#contract/exchange/schedule.ts'
import type { Schedule } from '#kit/messaging/schedule.ts'
import { enquirySchedule } from '#partner/collection/patience.ts'
import { followUpSchedule } from '#platform/application/network/follow-up.ts'
import { watchSchedule } from '#platform/servicing/watch.ts'
import { live, sandbox } from '#platform/webhook/delivery.ts'
import { page, table } from './markdown.ts'

const rows: [what: string, schedule: Schedule, end: string][] = [
  [
    'A lifecycle update to a webhook or callback (D1 §6)',
    live.schedule,
    'the delivery is exhausted; it can be replayed',
  ],
  ['The same in the sandbox', sandbox.schedule, 'the same'],
  ['A webhook that fails again and again is left alone', live.rests, ''],
  [
    'An event to the lending partner, or to the platform (D3 §8)',
    eventSchedule,
    'operators are told; it can be replayed',
  ],
  ['A file to the lending partner (D3 §8)', fileSchedule, ''],
  ['A lender of the network that owes an answer is asked again', followUpSchedule, ''],
  ['A payment after disbursal that is not settled is asked for (FIS12 §11.1)', watchSchedule, 'the request ends'],
  [
    'The bank is asked for a transfer or a debit, with `BANK_POLL_SECONDS=60`',
    enquirySchedule({ config: { BANK_POLL_SECONDS: 60 } }),
    '',
  ],
]

/** `docs/reference/retries.md`. */
export const retryPage = (): string =>
  page(
    'Retries',
    'Pauses before the second try, the third, and so on, as ISO 8601 durations (`PT5M` is five minutes). Where the last column is empty, the last pause is repeated until there is an answer, or until what was waited for has ended. A `Retry-After` that asks for a longer pause is respected for deliveries and events, up to a day.',
    table(
      ['What', 'Pauses', 'After the last one'],
      rows.map(([what, { pauses }, end]) => [what, pauses.join(', '), end]),
    ),
  )
