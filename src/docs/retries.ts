// The page on retries, made from the schedules themselves.

import { postgresSchedule } from '#cli/start/databases.ts'
import { restartSchedule } from '#cli/start/program.ts'
import { eventSchedule, fileSchedule } from '#contract/exchange/schedule.ts'
import { transactionSchedule } from '#kit/db/transaction.ts'
import { failuresToPause } from '#kit/messaging/destination.ts'
import { failedSchedule } from '#kit/messaging/inbox-apply.ts'
import { jobSchedule, lostLeaseSchedule } from '#kit/messaging/queue.ts'
import type { Schedule } from '#kit/runtime/schedule.ts'
import { reminderSchedule } from '#partner/collection/arrears/send-once.ts'
import { cancelSchedule } from '#partner/collection/cancel-mandate.ts'
import { receiptSchedule } from '#partner/collection/claim.ts'
import { enquirySchedule } from '#partner/collection/patience.ts'
import { staffMailSchedule } from '#partner/desk/staff/staff-mail.ts'
import { applySchedule } from '#platform/application/network/apply.ts'
import { followUpSchedule } from '#platform/application/network/follow-up.ts'
import { dedupeSchedule } from '#platform/application/partner/begin.ts'
import { claimSchedule } from '#platform/application/partner/claiming.ts'
import { providerSchedule } from '#platform/application/partner/provider-schedule.ts'
import { statusSchedule } from '#platform/application/partner/refresh.ts'
import { leadSchedule } from '#platform/application/partner/submit-lead.ts'
import { caseSchedule } from '#platform/exchange/status.ts'
import { arrivedSchedule } from '#platform/mail/handle.ts'
import { mailSchedule } from '#platform/mail/mail.ts'
import { requestSchedule } from '#platform/network/send.ts'
import { subscribeSchedule } from '#platform/network/subscribe.ts'
import { watchSchedule } from '#platform/servicing/watch.ts'
import { live, sandbox } from '#platform/webhook/delivery.ts'
import { forwardSchedule } from '#sandbox/gateway/search.ts'
import { page, table } from './markdown.ts'

const rows: [what: string, schedule: Schedule, end: string, keptIn: string][] = [
  [
    'A lifecycle update to a webhook or callback (D1 §6)',
    live.schedule,
    'the delivery is exhausted; it can be replayed',
    '`live.schedule` in `src/platform/webhook/delivery.ts`',
  ],
  ['The same in the sandbox', sandbox.schedule, 'the same', '`sandbox.schedule`, there'],
  [
    `A webhook is left alone after ${failuresToPause} failures in a row`,
    live.pauseSchedule,
    '',
    '`live.pauseSchedule`, there; the number is `failuresToPause` in `src/kit/messaging/destination.ts`',
  ],
  [
    'The same in the sandbox',
    sandbox.pauseSchedule,
    '',
    '`sandbox.pauseSchedule` in `src/platform/webhook/delivery.ts`',
  ],
  [
    'An event to the lending partner, or to the platform (D3 §8)',
    eventSchedule,
    'operators are told; it can be replayed',
    '`eventSchedule` in `src/contract/exchange/schedule.ts`',
  ],
  ['A file to the lending partner (D3 §8)', fileSchedule, '', '`fileSchedule`, there'],
  [
    'An event that was received and could not be applied, for a fault of ours that may pass',
    failedSchedule,
    '',
    '`failedSchedule` in `src/kit/messaging/inbox-apply.ts`',
  ],
  [
    'A mail that the mail server did not take',
    mailSchedule,
    'it is given up, and can be sent again; a recipient that is refused for good is given up at once',
    '`mailSchedule` in `src/platform/mail/mail.ts`',
  ],
  [
    'A mail that came in and could not be handled',
    arrivedSchedule,
    'it is set aside after five failures, at once when it exceeds the bounds of a mail, after two tries that took too long or ended their worker, and can be handled again; while the malware scanner is away the last pause is repeated',
    '`arrivedSchedule` in `src/platform/mail/handle.ts`',
  ],
  [
    'Another job of a queue that failed',
    jobSchedule,
    '',
    '`jobSchedule` in `src/kit/messaging/queue.ts`, unless `work` is given a `schedule` of its own',
  ],
  [
    'A job of a queue that has no row of its own, whose worker died or hung twice in a row, and after each further one',
    lostLeaseSchedule,
    'it is never set aside: it is safe to repeat, and other work waits for it',
    '`lostLeaseSchedule` in `src/kit/messaging/queue.ts`',
  ],
  [
    'A signed event that says that a webhook fails or works again',
    jobSchedule,
    'it is given up after ten tries; the mail says the same',
    '`jobSchedule` in `src/kit/messaging/queue.ts`; the number is `mostTries` in `src/platform/alert/tell.ts`',
  ],
  [
    'A transaction that another one stood in the way of, or whose connection was lost; each pause is drawn between half and the whole of it',
    transactionSchedule,
    'the request or the job fails',
    '`transactionSchedule` in `src/kit/db/transaction.ts`',
  ],
  [
    'The entry in the registry of the network, when a program starts',
    subscribeSchedule,
    '',
    '`subscribeSchedule` in `src/platform/network/subscribe.ts`',
  ],
  [
    'A program of `lendloom start` that ended by itself is started again; from the first pause again after a minute of work',
    restartSchedule,
    '',
    '`restartSchedule` in `src/cli/start/program.ts`',
  ],
  [
    'The embedded PostgreSQL, after it died or could not start',
    postgresSchedule,
    '',
    '`postgresSchedule` in `src/cli/start/databases.ts`',
  ],
  [
    'A search that the gateway of the sandbox passes to a lender',
    forwardSchedule,
    'the time of the search is over',
    '`forwardSchedule` in `src/sandbox/gateway/search.ts`',
  ],
  [
    'A lender of the network that owes an answer is asked again',
    followUpSchedule,
    '',
    '`followUpSchedule` in `src/platform/application/network/follow-up.ts`',
  ],
  [
    'A payment after disbursal that is not settled is asked for (FIS12 §11.1)',
    watchSchedule,
    'the request ends',
    '`watchSchedule` in `src/platform/servicing/watch.ts`',
  ],
  [
    'The bank is asked for a transfer or a debit, with `BANK_POLL_SECONDS=60`',
    enquirySchedule({ config: { BANK_POLL_SECONDS: 60 } }),
    '',
    '`enquirySchedule` in `src/partner/collection/patience.ts`',
  ],
  [
    'A request or a form on the network that its party did not take',
    requestSchedule,
    'it ends with its time to live, or when its conversation has ended',
    '`requestSchedule` in `src/platform/network/send.ts`',
  ],
  [
    'A message of the network that came in and could not be applied',
    applySchedule,
    'it is set aside after five failures',
    '`applySchedule` in `src/platform/application/network/apply.ts`',
  ],
  [
    'A duplicate check that the lending partner did not answer (D3 §4.1)',
    dedupeSchedule,
    'the partner is left out after `PARTNER_DEDUPE_SECONDS`',
    '`dedupeSchedule` in `src/platform/application/partner/begin.ts`',
  ],
  [
    'A lead that the lending partner did not answer',
    leadSchedule,
    '',
    '`leadSchedule` in `src/platform/application/partner/submit-lead.ts`',
  ],
  [
    'A lending partner that has the word is asked for a case, with `PARTNER_STATUS_SECONDS=30`',
    caseSchedule({ config: { PARTNER_STATUS_SECONDS: 30 } }),
    'repeated until the case moves on; once a day while a loan runs',
    '`caseSchedule` in `src/platform/exchange/status.ts`',
  ],
  [
    'The same, where the partner did not answer or contradicted itself (D3 §4.4)',
    statusSchedule({ config: { PARTNER_STATUS_SECONDS: 30 } }),
    '',
    '`statusSchedule` in `src/platform/application/partner/refresh.ts`',
  ],
  [
    'A claim of payment whose picture is on its way',
    claimSchedule,
    'it goes without the picture after ten minutes',
    '`claimSchedule` in `src/platform/application/partner/claiming.ts`',
  ],
  [
    'A provider is asked for a check or an analysis of statements of a partner’s case',
    providerSchedule,
    '',
    '`providerSchedule` in `src/platform/application/partner/provider-schedule.ts`',
  ],
  [
    'The bank is asked for the receipt of a claim, with `BANK_POLL_SECONDS=60`',
    receiptSchedule({ config: { BANK_POLL_SECONDS: 60 } }),
    'the claim is refused after `PARTNER_CLAIM_DAYS`',
    '`receiptSchedule` in `src/partner/collection/claim.ts`',
  ],
  [
    'The bank is asked to cancel a mandate',
    cancelSchedule,
    '',
    '`cancelSchedule` in `src/partner/collection/cancel-mandate.ts`',
  ],
  [
    'A mail to staff of the lending partner with a link to choose a password, or about failed sign-ins',
    staffMailSchedule,
    'a link that has run out is no longer sent, nor is word of a pause that ended a day ago',
    '`staffMailSchedule` in `src/partner/desk/staff/staff-mail.ts`',
  ],
  [
    'A reminder or a promise by mail that may not be sent yet, or was not taken',
    reminderSchedule,
    '',
    '`reminderSchedule` in `src/partner/collection/arrears/send-once.ts`',
  ],
]

const mostPauses = 15

const pausesText = (pauses: readonly string[]): string =>
  (pauses.length > mostPauses ? [...pauses.slice(0, 3), '…', ...pauses.slice(-1)] : pauses).join(', ')

/** `docs/reference/retries.md`. */
export const retryPage = (): string =>
  page(
    'Retries',
    'Pauses before the second try, the third, and so on, as ISO 8601 durations (`PT5M` is five minutes). Where the third column is empty, the last pause is repeated until there is an answer, or until what was waited for has ended. A `Retry-After` that asks for a longer pause is respected, up to a day, for webhooks, callbacks and everything that is sent to a lending partner. Not here are looks at a fixed interval, such as sweeps, and those whose interval follows from the age of what is looked at, such as a consent that is not decided or a callback of the sandbox. The packages for [Node](../../packages/server-node/README.md) and [Python](../../packages/server-python/README.md) repeat calls as their pages say, the hosted page after one and three seconds. [Change a retry schedule](../how-to/change-a-retry-schedule.md) says how.',
    table(
      ['What', 'Pauses', 'After the last one', 'Kept in'],
      rows.map(([what, { pauses }, end, keptIn]) => [what, pausesText(pauses), end, keptIn]),
    ),
  )
