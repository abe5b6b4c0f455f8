// The partner's ids are known, by its event or by Status: they are saved once, and the files that wait are sent (D3 §4.3).
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { canMove, type PartnerCase, stageAfter } from '#platform/exchange/case.ts'
import { chasePartner } from '#platform/exchange/status.ts'
import { changeCase } from '#platform/exchange/store.ts'
import type { World } from '#platform/world.ts'
import { scheduleUploads } from './uploading.ts'

/** Saves the ids. Told again the same ones change nothing; others are refused, as is a registration that nobody asked for. */
export async function registered(
  tx: Tx,
  world: World,
  kase: PartnerCase,
  ids: { leadId: string; loanId: string },
  at: Date,
): Promise<PartnerCase> {
  if (kase.leadId !== null) {
    if (kase.leadId === ids.leadId && kase.loanId === ids.loanId) return kase
    throw new Refusal('forbidden', 'the case is registered under other ids', { code: 'IDENTITY_CONFLICT' })
  }
  if (kase.leadEventId === null) throw new Refusal('wrong-state', 'no lead was submitted for this case')
  // A borrower may have ended the application meanwhile: the ids are kept all the same, for what is still to be told.
  const stage = canMove(kase, 'registered') ? stageAfter(kase, 'registered') : kase.stage
  const known = await changeCase(tx, kase, { ...ids, stage }, at)
  await scheduleUploads(tx, known, at)
  if (stage !== kase.stage) await chasePartner(tx, world, known, at)
  return known
}
