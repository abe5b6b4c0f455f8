// The background workers of the partner exchange.
import type { Worker } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { eventDeliveryWorker } from '#platform/lenders/partner/deliver-events.ts'
import { partnerEventWorker } from './apply-event.ts'
import { checkPollWorker } from './checks/poll-check.ts'
import { claimWorker } from './claim-with-proof.ts'
import { preUnderwriteWorker } from './pre-underwrite.ts'
import { statusWorker } from './refresh-status.ts'
import { caseStartWorker, duplicateCheckWorker } from './start-case.ts'
import { statementPollWorker } from './statement/poll-statement.ts'
import { leadWorker } from './submit-lead.ts'
import { uploadWorker } from './upload-files.ts'

/** These workers run even without any partner, because a partner may be added at runtime. */
export const partnerWork = (ctx: Context): Worker[] => [
  caseStartWorker(ctx),
  duplicateCheckWorker(ctx),
  preUnderwriteWorker(ctx),
  leadWorker(ctx),
  eventDeliveryWorker(ctx),
  partnerEventWorker(ctx),
  statusWorker(ctx),
  uploadWorker(ctx),
  claimWorker(ctx),
  checkPollWorker(ctx),
  statementPollWorker(ctx),
]
