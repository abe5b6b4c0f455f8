// How long to wait for the bank: between two enquiries, and before believing that something sent will not arrive any more.
import type { Context } from '#partner/context.ts'

const longestSeconds = 300

/** After so many enquiries that told nothing, people are told. */
export const worrying = 20

/** Seconds before the next enquiry; they grow with every one that told nothing. */
export const patience = ({ config }: Pick<Context, 'config'>, attempt: number): number =>
  Math.min(config.BANK_POLL_SECONDS * Math.max(1, attempt), longestSeconds)

/**
 * Whether a request sent then has reached the bank, if it ever does: twice its time limit has passed. Even later it would
 * do no harm, for it carries the reference under which it may be sent again.
 */
export const hasArrivedByNow = ({ config, clock }: Pick<Context, 'config' | 'clock'>, sentAt: Date): boolean =>
  clock().getTime() - sentAt.getTime() >= 2 * config.BANK_TIMEOUT_MS
