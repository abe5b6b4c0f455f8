// How long to wait between enquiries at the bank, and until an unanswered request counts as lost.

import { linearPauses, type Schedule } from '@lendloom/foundation/schedule'
import type { Context } from '#partner/context.ts'

/** Operators are alerted after this many enquiries without a result. */
export const alertAfterEnquiries = 20

/** The pauses between enquiries. They grow to at most five minutes. */
export const enquirySchedule = ({ config }: { config: Pick<Context['config'], 'BANK_POLL_SECONDS'> }): Schedule =>
  linearPauses(config.BANK_POLL_SECONDS, 300)

/**
 * Whether twice the timeout has passed since `sentAt`. The request then counts as lost and may be resent. If the bank
 * receives both, it recognizes the duplicate by the shared reference.
 */
export const isDeliveryOverdue = ({ config, clock }: Pick<Context, 'config' | 'clock'>, sentAt: Date): boolean =>
  clock().getTime() - sentAt.getTime() >= 2 * config.BANK_TIMEOUT_MS
