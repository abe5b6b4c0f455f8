// Rechecks cases that changed while the autopilot was off.

import { type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { isAutopilotOn, queueRecheck, recheckKind } from '#partner/origination/case/autopilot-switch.ts'
import { queueCaseCheck } from '#partner/origination/case/move-case.ts'
import { casesIn } from '#partner/origination/case/store.ts'

const batchSize = 500

/** Queues a recheck at program start, because the setting may have changed. */
export async function queueRecheckAtStart({ db, clock, config }: Context): Promise<void> {
  if (await isAutopilotOn(db, config)) await db.tx((tx) => queueRecheck(tx, clock()))
}

/** Rechecks cases that changed while the autopilot was off. */
export const recheckWorker = (ctx: Context): Worker =>
  work<Record<string, never>>({ kind: recheckKind, ...ctx, handle: () => recheckAll(ctx) })

async function recheckAll({ db, clock }: Context): Promise<void> {
  for (let after = ''; ; ) {
    const cases = await casesIn(db, ['UNDER_REVIEW', 'KYC_PENDING', 'READY_TO_DISBURSE'], after, batchSize)
    const at = clock()
    await db.tx((tx) => Promise.all(cases.map(({ caseRef }) => queueCaseCheck(tx, caseRef, at))))
    const last = cases.at(-1)
    if (!last || cases.length < batchSize) return
    after = last.caseRef
  }
}
