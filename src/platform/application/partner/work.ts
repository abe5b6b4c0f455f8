// The background workers of the partner exchange.
import type { Worker } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { deliveringEvents } from '#platform/exchange/deliver.ts'
import { applyingPartner } from './apply.ts'
import { beginning, checking } from './begin.ts'
import { pollingChecks } from './checks/poll.ts'
import { claiming } from './claiming.ts'
import { preUnderwriting } from './pre-underwrite.ts'
import { refreshing } from './refresh.ts'
import { pollingStatements } from './statement/poll.ts'
import { submitting } from './submit-lead.ts'
import { uploading } from './uploading.ts'

/** Runs without partners too, because one may be added at runtime. */
export const partnerWork = (ctx: Context): Worker[] => [
  beginning(ctx),
  checking(ctx),
  preUnderwriting(ctx),
  submitting(ctx),
  deliveringEvents(ctx),
  applyingPartner(ctx),
  refreshing(ctx),
  uploading(ctx),
  claiming(ctx),
  pollingChecks(ctx),
  pollingStatements(ctx),
]
