// Everything the partner does without being asked at that moment, each kind by its own worker.
import { loop, type Worker } from '#kit/queue.ts'
import { driving } from '#partner/autopilot/drive.ts'
import { beginReminding, reminding } from '#partner/autopilot/remind.ts'
import { collecting } from '#partner/collection/work.ts'
import { deliveringEvents } from '#partner/exchange/deliver.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { type Announce, endingDays } from '#partner/loan/day-end.ts'
import { applyingEvents } from '#partner/receiver/apply.ts'
import { lapseOffers } from '#partner/review/lapse.ts'
import type { World } from '#partner/world.ts'

export async function partnerWork(world: World): Promise<Worker[]> {
  await beginReminding(world)
  return [
    applyingEvents(world),
    deliveringEvents(world),
    endingDays(world, announcing(world)),
    lapsing(world),
    driving(world),
    reminding(world),
    ...(await collecting(world)),
  ]
}

/** A loan that the end of a day moved: the platform reads Status then (D3 §6 rule 5). */
export const announcing =
  (world: World): Announce =>
  async (tx, kase, loanStatus, at) => {
    const data = {
      loan_status: loanStatus,
      snapshot_version: kase.snapshotVersion,
      updated_at: at.toISOString(),
      reason_code: loanStatus === 'OVERDUE' ? 'INSTALLMENT_OVERDUE' : 'DAY_ENDED',
    }
    await sendEvent(tx, world, kase, { type: 'LOAN_STATUS_UPDATED', data }, at)
  }

const lapsePollMs = 1000

/** Ends offers whose time is over. Several processes may do so: each offer is looked at again under its case's lock. */
function lapsing(world: World): Worker {
  const { db, log, clock } = world
  return loop<null>({
    queue: 'lapse',
    db,
    log,
    pollMs: lapsePollMs,
    concurrency: 1,
    claim: async () => ((await lapseOffers(world, clock())) > 0 ? [null] : []),
    handle: async () => {},
  })
}
