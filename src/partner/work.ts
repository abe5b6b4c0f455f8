// Everything the partner does without being asked at that moment, each kind by its own worker.
import { loop, type Worker } from '#kit/queue.ts'
import { driving } from '#partner/autopilot/drive.ts'
import { noteChange } from '#partner/case/note-change.ts'
import { casesIn } from '#partner/case/store.ts'
import { collecting } from '#partner/collection/work.ts'
import { deliveringEvents } from '#partner/exchange/deliver.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { type Announce, endingDays } from '#partner/loan/day-end.ts'
import { applyingEvents } from '#partner/receiver/apply.ts'
import { lapseOffers } from '#partner/review/lapse.ts'
import type { World } from '#partner/world.ts'

export async function partnerWork(world: World): Promise<Worker[]> {
  if (world.config.PARTNER_AUTOPILOT) await remind(world)
  return [
    applyingEvents(world),
    deliveringEvents(world),
    endingDays(world, announcing(world)),
    lapsing(world),
    ...(world.config.PARTNER_AUTOPILOT ? [driving(world)] : []),
    ...(await collecting(world)),
  ]
}

/** A loan that the end of a day moved: the platform reads Status then (D3 §6 rule 5). */
const announcing =
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

const batch = 500

/** Cases that changed while no rules were in force are looked at now that they are: the autopilot may just have been switched on. */
async function remind(world: World): Promise<void> {
  for (let after = ''; ; ) {
    const waiting = await casesIn(world.db, ['UNDER_REVIEW', 'KYC_PENDING', 'READY_TO_DISBURSE'], after, batch)
    const at = world.clock()
    await world.db.tx((tx) => Promise.all(waiting.map(({ caseRef }) => noteChange(tx, world, caseRef, at))))
    if (waiting.length < batch) return
    after = waiting.at(-1)!.caseRef
  }
}
