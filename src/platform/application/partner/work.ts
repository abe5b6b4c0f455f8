// Everything that the lending partner makes the platform do in the background.
import type { Worker } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { isPartnered } from '#platform/exchange/call.ts'
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

/** Nothing where there is no partner. */
export const partnerWork = (ctx: Context): Worker[] =>
  isPartnered(ctx)
    ? [
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
    : []
