// Waiting times for the bank: between enquiries, and until a lost request counts as not delivered.
import { linearPauses, type Schedule } from '#kit/runtime/schedule.ts'
import type { Context } from '#partner/context.ts'

/** Enquiries without a result after which operators are alerted. */
export const alertAfterEnquiries = 20

/** Growing pauses between enquiries, at most five minutes. */
export const enquirySchedule = ({ config }: { config: Pick<Context['config'], 'BANK_POLL_SECONDS'> }): Schedule =>
  linearPauses(config.BANK_POLL_SECONDS, 300)

/**
 * Whether a request sent at `sentAt` can no longer arrive at the bank, because twice its timeout has passed. Even a later arrival is
 * harmless, because a resent request carries the same reference.
 */
export const isDeliveryOverdue = ({ config, clock }: Pick<Context, 'config' | 'clock'>, sentAt: Date): boolean =>
  clock().getTime() - sentAt.getTime() >= 2 * config.BANK_TIMEOUT_MS
