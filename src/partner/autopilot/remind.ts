// Cases that changed while people decided are looked at when the rules are put in force.
import { type Worker, work } from '#kit/messaging/queue.ts'
import { isAutopilotOn, remindCases, remindKind } from '#partner/case/autopilot-switch.ts'
import { noteChange } from '#partner/case/note-change.ts'
import { casesIn } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'

const batch = 500

/** At the start of the program: its setting may be another one than before. */
export async function beginReminding({ db, clock, config }: Context): Promise<void> {
  if (await isAutopilotOn(db, config)) await db.tx((tx) => remindCases(tx, clock()))
}

export const reminding = (ctx: Context): Worker =>
  work<Record<string, never>>({
    kind: remindKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: () => remindAll(ctx),
  })

async function remindAll({ db, clock }: Context): Promise<void> {
  for (let after = ''; ; ) {
    const waiting = await casesIn(db, ['UNDER_REVIEW', 'KYC_PENDING', 'READY_TO_DISBURSE'], after, batch)
    const at = clock()
    await db.tx((tx) => Promise.all(waiting.map(({ caseRef }) => noteChange(tx, caseRef, at))))
    const last = waiting.at(-1)
    if (!last || waiting.length < batch) return
    after = last.caseRef
  }
}
