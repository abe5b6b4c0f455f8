// How long to wait for the bank: between two enquiries, and before believing that something sent will not arrive any more.
import { growing, type Schedule } from '#kit/runtime/schedule.ts'
import type { Context } from '#partner/context.ts'

/** After this many enquiries without a result, operators are alerted. */
export const worrying = 20

/** When the bank is asked next: later after each enquiry without a result, at most five minutes. */
export const enquirySchedule = ({ config }: { config: Pick<Context['config'], 'BANK_POLL_SECONDS'> }): Schedule =>
  growing(config.BANK_POLL_SECONDS, 300)

/**
 * Whether a request sent then has reached the bank, if it ever does: twice its time limit has passed. Even later it would
 * do no harm, for it carries the reference under which it may be sent again.
 */
export const hasArrivedByNow = ({ config, clock }: Pick<Context, 'config' | 'clock'>, sentAt: Date): boolean =>
  clock().getTime() - sentAt.getTime() >= 2 * config.BANK_TIMEOUT_MS
