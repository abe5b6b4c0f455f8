// Everything that the lending partner makes the platform do in the background.
import type { Worker } from '#kit/queue.ts'
import { isPartnered } from '#platform/exchange/call.ts'
import { deliveringEvents } from '#platform/exchange/deliver.ts'
import type { World } from '#platform/world.ts'
import { applyingPartner } from './apply.ts'
import { beginning, checking } from './begin.ts'
import { lookingAfterChecks } from './checks/look.ts'
import { claiming } from './claiming.ts'
import { refreshing } from './refresh.ts'
import { submitting } from './submit-lead.ts'
import { uploading } from './uploading.ts'
import { weighing } from './weigh.ts'

/** Nothing where there is no partner. */
export const partnerWork = (world: World): Worker[] =>
  isPartnered(world)
    ? [
        beginning(world),
        checking(world),
        weighing(world),
        submitting(world),
        deliveringEvents(world),
        applyingPartner(world),
        refreshing(world),
        uploading(world),
        claiming(world),
        lookingAfterChecks(world),
      ]
    : []
