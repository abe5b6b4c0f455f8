// The page on retries, generated from the schedules.

import { quietSchedule } from '@lendloom/cli/src/clock/advance.ts'
import { restartSchedule } from '@lendloom/cli/src/start/child-program.ts'
import { postgresSchedule } from '@lendloom/cli/src/start/databases.ts'
import { failedSchedule } from '@lendloom/event-log/src/inbox/apply-messages.ts'
import { type Schedule, schedule } from '@lendloom/foundation/schedule'
import { pollPauseMs, retryPausesMs } from '@lendloom/page/src/page/retry-pauses.ts'
import { staffMailSchedule } from '@lendloom/partner/src/desk/staff/staff-mail.ts'
import { reminderSchedule } from '@lendloom/partner/src/servicing/collection/arrears/send-mail-once.ts'
import { cancelSchedule } from '@lendloom/partner/src/servicing/collection/cancel-mandate.ts'
import { enquirySchedule } from '@lendloom/partner/src/servicing/collection/enquiry-schedule.ts'
import { receiptSchedule } from '@lendloom/partner/src/servicing/collection/receipt/payment-claim.ts'
import { maxAttempts } from '@lendloom/platform/src/integrators/alert/notify-tenant.ts'
import { replayErrorSchedule } from '@lendloom/platform/src/integrators/webhook/bulk-replay/replay-worker.ts'
import { livePolicy, sandboxPolicy } from '@lendloom/platform/src/integrators/webhook/delivery-policy.ts'
import { followUpSchedule } from '@lendloom/platform/src/lenders/network/follow-up.ts'
import { applySchedule } from '@lendloom/platform/src/lenders/network/reactions/apply-message.ts'
import { reportSchedule } from '@lendloom/platform/src/lenders/network/report/report-messages.ts'
import { requestSchedule } from '@lendloom/platform/src/lenders/network/send-request.ts'
import { subscribeSchedule } from '@lendloom/platform/src/lenders/network/subscribe.ts'
import { checkStartSchedule } from '@lendloom/platform/src/lenders/partner/reactions/checks/start-with-pauses.ts'
import { claimSchedule } from '@lendloom/platform/src/lenders/partner/reactions/claim-with-proof.ts'
import { providerSchedule } from '@lendloom/platform/src/lenders/partner/reactions/provider-schedule.ts'
import { statusSchedule } from '@lendloom/platform/src/lenders/partner/reactions/refresh-status.ts'
import { dedupeSchedule } from '@lendloom/platform/src/lenders/partner/reactions/start-case.ts'
import { leadSchedule } from '@lendloom/platform/src/lenders/partner/reactions/submit-lead.ts'
import { caseSchedule } from '@lendloom/platform/src/lenders/partner/status-snapshot.ts'
import { servicingPollSchedule } from '@lendloom/platform/src/lending/servicing/poll-servicing.ts'
import { incomingMailSchedule } from '@lendloom/platform/src/mail/apply-mail.ts'
import { mailSchedule } from '@lendloom/platform/src/mail/outgoing-mail.ts'
import { smsSchedule } from '@lendloom/platform/src/sms/send-sms.ts'
import { transactionSchedule } from '@lendloom/postgres/src/transaction.ts'
import { failuresToPause } from '@lendloom/queue/destination'
import { jobSchedule, lostLeaseSchedule } from '@lendloom/queue/queue'
import { forwardSchedule } from '@lendloom/sandbox/src/gateway/broadcast-search.ts'
import { lenderCallbackSchedule } from '@lendloom/sandbox/src/lender/process/send-callbacks.ts'
import { providerCallbackSchedule } from '@lendloom/sandbox/src/verification/send-callback.ts'
import { eventSchedule, fileSchedule } from '@lendloom/wire/exchange/retry-schedules'
import { backoffMs } from '../../packages/server-node/src/client.ts'
import { page, table } from './markdown.ts'

/** Code that runs elsewhere cannot import the kit, so that it has milliseconds. */
const scheduleOf = (pausesMs: readonly number[], then: Schedule['then']): Schedule =>
  schedule(
    pausesMs.map((ms) => `PT${ms / 1000}S`),
    then,
  )

const rows: [what: string, schedule: Schedule, end: string, keptIn: string][] = [
  [
    'A lifecycle update to a webhook or callback (D1 §6); each pause is up to a tenth longer at random',
    livePolicy.schedule,
    'the delivery is exhausted and can be replayed',
    '`livePolicy.schedule` in `apps/platform/src/integrators/webhook/delivery-policy.ts`',
  ],
  ['The same in the sandbox', sandboxPolicy.schedule, 'the same', '`sandboxPolicy.schedule`, same file'],
  [
    `A webhook is paused after ${failuresToPause} failures in a row`,
    livePolicy.pauseSchedule,
    '',
    '`livePolicy.pauseSchedule`, same file; the number is `failuresToPause` in `packages/queue/src/destination.ts`',
  ],
  [
    'The same in the sandbox',
    sandboxPolicy.pauseSchedule,
    '',
    '`sandboxPolicy.pauseSchedule` in `apps/platform/src/integrators/webhook/delivery-policy.ts`',
  ],
  [
    'A bulk replay of deliveries after an error',
    replayErrorSchedule,
    '',
    '`replayErrorSchedule` in `apps/platform/src/integrators/webhook/bulk-replay/replay-worker.ts`',
  ],
  [
    'An event to the lending partner, or to the platform (D3 §8)',
    eventSchedule,
    'operators are alerted; it can be replayed',
    '`eventSchedule` in `packages/wire/src/exchange/retry-schedules.ts`',
  ],
  ['A file to the lending partner (D3 §8)', fileSchedule, '', '`fileSchedule`, same file'],
  [
    'A received event that could not be applied because of a temporary internal error',
    failedSchedule,
    '',
    '`failedSchedule` in `packages/event-log/src/inbox/apply-messages.ts`',
  ],
  [
    'A mail that the mail server did not accept',
    mailSchedule,
    'it is given up and can be sent again; a permanently refused recipient is given up at once',
    '`mailSchedule` in `apps/platform/src/mail/outgoing-mail.ts`',
  ],
  [
    'A message by SMS that the provider did not accept',
    smsSchedule,
    'it is dropped when its code expires; the borrower asks for another one',
    '`smsSchedule` in `apps/platform/src/sms/send-sms.ts`',
  ],
  [
    'An incoming mail that could not be handled',
    incomingMailSchedule,
    'it is set aside after five failures, after two tries that timed out or crashed the worker, or at once if it exceeds the limits of a mail; it can be handled again. While the malware scanner is unavailable the last pause is repeated',
    '`incomingMailSchedule` in `apps/platform/src/mail/apply-mail.ts`',
  ],
  [
    'Any other failed background job',
    jobSchedule,
    '',
    '`jobSchedule` in `packages/queue/src/queue.ts`, unless `work` has its own `schedule`',
  ],
  [
    'A queued job whose worker crashed or hung at least twice in a row, unless another row lists the job',
    lostLeaseSchedule,
    'it is never set aside, because it is safe to repeat and other work waits for it',
    '`lostLeaseSchedule` in `packages/queue/src/queue.ts`',
  ],
  [
    'A webhook health event (failing, recovered)',
    jobSchedule,
    `it is given up after ${maxAttempts} tries; a mail has the same content`,
    '`jobSchedule` in `packages/queue/src/queue.ts`; the number is `maxAttempts` in `apps/platform/src/integrators/alert/notify-tenant.ts`',
  ],
  [
    'A transaction that conflicted with another one or lost its connection; each pause is random, between half and all of it',
    transactionSchedule,
    'the request or the job fails',
    '`transactionSchedule` in `packages/postgres/src/transaction.ts`',
  ],
  [
    'Registering in the network registry at start',
    subscribeSchedule,
    '',
    '`subscribeSchedule` in `apps/platform/src/lenders/network/subscribe.ts`',
  ],
  [
    'Restart of a crashed program of `lendloom start`; a minute of work resets the schedule',
    restartSchedule,
    '',
    '`restartSchedule` in `apps/cli/src/start/child-program.ts`',
  ],
  [
    'Restart of the embedded PostgreSQL after a crash or a failed start',
    postgresSchedule,
    '',
    '`postgresSchedule` in `apps/cli/src/start/databases.ts`',
  ],
  [
    'Polling the programs for pending work in `lendloom clock advance`',
    quietSchedule(25),
    'it advances after 15 seconds, because longer work waits for something other than the clock',
    '`quietSchedule` in `apps/cli/src/clock/advance.ts`',
  ],
  [
    'A callback of a sandbox lender that the platform did not acknowledge',
    lenderCallbackSchedule,
    'it is given up after an hour',
    '`lenderCallbackSchedule` in `apps/sandbox/src/lender/process/send-callbacks.ts`',
  ],
  [
    'A callback of a sandbox provider that the platform did not accept',
    providerCallbackSchedule,
    'the same',
    '`providerCallbackSchedule` in `apps/sandbox/src/verification/send-callback.ts`',
  ],
  [
    'A search that the sandbox gateway forwards to a lender',
    forwardSchedule,
    'the search has expired',
    '`forwardSchedule` in `apps/sandbox/src/gateway/broadcast-search.ts`',
  ],
  [
    'Asking a network lender again for a missing answer',
    followUpSchedule,
    '',
    '`followUpSchedule` in `apps/platform/src/lenders/network/reactions/follow-up-worker.ts`',
  ],
  [
    'Polling an unsettled payment after disbursal (FIS12 §11.1)',
    servicingPollSchedule,
    'the request ends',
    '`servicingPollSchedule` in `apps/platform/src/lending/servicing/poll-servicing.ts`',
  ],
  [
    'Asking the bank about a transfer or a debit, with `BANK_POLL_SECONDS=60`',
    enquirySchedule({ config: { BANK_POLL_SECONDS: 60 } }),
    '',
    '`enquirySchedule` in `apps/partner/src/servicing/collection/enquiry-schedule.ts`',
  ],
  [
    'A request or form on the network that its receiver did not accept',
    requestSchedule,
    'it stops when its TTL or its conversation ends',
    '`requestSchedule` in `apps/platform/src/lenders/network/send-request.ts`',
  ],
  [
    "A report to the network's collector (FIS12 §23)",
    reportSchedule,
    'it is given up seven days after its message',
    '`reportSchedule` in `apps/platform/src/lenders/network/report/report-messages.ts`',
  ],
  [
    'An incoming network message that could not be applied',
    applySchedule,
    'it is set aside after five failures',
    '`applySchedule` in `apps/platform/src/lenders/network/reactions/apply-message.ts`',
  ],
  [
    'A duplicate check that the lending partner did not answer (D3 §4.1)',
    dedupeSchedule,
    'the partner is skipped after `PARTNER_DEDUPE_SECONDS`',
    '`dedupeSchedule` in `apps/platform/src/lenders/partner/reactions/start-case.ts`',
  ],
  [
    'A lead that the lending partner did not answer',
    leadSchedule,
    '',
    '`leadSchedule` in `apps/platform/src/lenders/partner/reactions/submit-lead.ts`',
  ],
  [
    'Asking a lending partner about a case that waits for it, with `PARTNER_STATUS_SECONDS=30`',
    caseSchedule({ config: { PARTNER_STATUS_SECONDS: 30 } }),
    'repeated until the case advances; once a day while a loan runs',
    '`caseSchedule` in `apps/platform/src/lenders/partner/status-snapshot.ts`',
  ],
  [
    'The same if the partner did not answer or contradicted itself (D3 §4.4)',
    statusSchedule({ config: { PARTNER_STATUS_SECONDS: 30 } }),
    '',
    '`statusSchedule` in `apps/platform/src/lenders/partner/reactions/refresh-status.ts`',
  ],
  [
    'A payment claim whose picture is still being uploaded',
    claimSchedule,
    'it is sent without the picture after ten minutes',
    '`claimSchedule` in `apps/platform/src/lenders/partner/reactions/claim-with-proof.ts`',
  ],
  [
    'Starting a check at a provider that refused or did not answer, while the borrower’s page reloads',
    checkStartSchedule,
    '',
    '`checkStartSchedule` in `apps/platform/src/lenders/partner/reactions/checks/start-with-pauses.ts`',
  ],
  [
    'Asking a provider about a check or a statement analysis of a partner’s case',
    providerSchedule,
    '',
    '`providerSchedule` in `apps/platform/src/lenders/partner/reactions/provider-schedule.ts`',
  ],
  [
    'Asking the bank about the receipt of a claim, with `BANK_POLL_SECONDS=60`',
    receiptSchedule({ config: { BANK_POLL_SECONDS: 60 } }),
    'the claim is refused after `PARTNER_CLAIM_DAYS`',
    '`receiptSchedule` in `apps/partner/src/servicing/collection/receipt/payment-claim.ts`',
  ],
  [
    'Asking the bank to cancel a mandate',
    cancelSchedule,
    '',
    '`cancelSchedule` in `apps/partner/src/servicing/collection/cancel-mandate.ts`',
  ],
  [
    'A mail to staff of the lending partner with a password link, or about failed sign-ins',
    staffMailSchedule,
    'an expired link, or news of a pause that ended a day ago, is not sent',
    '`staffMailSchedule` in `apps/partner/src/desk/staff/staff-mail.ts`',
  ],
  [
    'A mailed reminder or promise that may not be sent yet or was not accepted',
    reminderSchedule,
    '',
    '`reminderSchedule` in `apps/partner/src/servicing/collection/arrears/send-mail-once.ts`',
  ],
  [
    'A call of the packages for Node and Python; each pause is random, between three quarters and five quarters of it',
    scheduleOf([1, 2, 3].map(backoffMs), 'give up'),
    'the call fails, as it does when the next pause would exceed its deadline',
    '`backoffMs` in `packages/server-node/src/client.ts`; the package for Python repeats it',
  ],
  [
    'The hosted page: opening it, or an act of the borrower',
    scheduleOf(retryPausesMs, 'give up'),
    'the page reports the failure',
    '`retryPausesMs` in `apps/page/src/page/retry-pauses.ts`',
  ],
  [
    'The hosted page: polling after a failed request',
    scheduleOf([1, 2, 3, 4, 5].map(pollPauseMs), 'repeat'),
    '',
    '`pollPauseMs` in `apps/page/src/page/retry-pauses.ts`',
  ],
]

const mostPauses = 15

const pausesText = (pauses: readonly string[]): string =>
  (pauses.length > mostPauses ? [...pauses.slice(0, 3), '…', ...pauses.slice(-1)] : pauses).join(', ')

export const retryPage = (): string =>
  page(
    'Retries',
    'Pauses before the second try, the third, and so on, as ISO 8601 durations (`PT5M` is five minutes). If the third column is empty, the last pause is repeated until there is an answer or the reason for waiting has ended. Webhooks, callbacks to integrators, and events, files and requests of the partner exchange respect a longer `Retry-After`, up to a day. The typed client and the packages for [Node](../../packages/server-node/README.md) and [Python](../../packages/server-python/README.md) respect it within the deadline of the call. The hosted page waits for it instead of its own pause, except when it polls. Every other schedule ignores it, including that of the signed event about a webhook. Polling and retries at a fixed interval, or at an interval that depends on the age of its object, are not listed. To change a schedule, see [Change a retry schedule](../how-to/change-a-retry-schedule.md).',
    table(
      ['What', 'Pauses', 'After the last one', 'Kept in'],
      rows.map(([what, { pauses }, end, keptIn]) => [what, pausesText(pauses), end, keptIn]),
    ),
  )
