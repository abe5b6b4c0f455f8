// The background workers of the partner exchange.
import type { Worker } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { eventDeliveryWorker } from '#platform/lenders/partner/deliver.ts'
import { partnerEventWorker } from './apply.ts'
import { caseStartWorker, duplicateCheckWorker } from './begin.ts'
import { checkPollWorker } from './checks/poll.ts'
import { claimWorker } from './claiming.ts'
import { preUnderwriteWorker } from './pre-underwrite.ts'
import { statusWorker } from './refresh.ts'
import { statementPollWorker } from './statement/poll.ts'
import { leadWorker } from './submit-lead.ts'
import { uploadWorker } from './uploading.ts'

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
