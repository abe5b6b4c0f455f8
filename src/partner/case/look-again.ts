// A fact of a case has changed: what it waits for now is read off all facts together, never off the last event (D3 §1.1).
import { businessDate } from '#kit/calendar.ts'
import type { Run, Tx } from '#kit/sql.ts'
import type { World } from '#partner/world.ts'
import { awaited, type Facts } from './blocker.ts'
import type { Case } from './case.ts'
import { checksOf } from './checks.ts'
import { isBeingChecked, lifecycle } from './lifecycle.ts'
import { moveCase } from './move.ts'
import { readFiles, readOfferFact } from './store.ts'

/** All that is looked at before money moves, as it stands now. */
export async function factsOf(db: Run, { seal }: Pick<World, 'seal'>, kase: Case, at: Date): Promise<Facts> {
  const [offer, checks, { stored, pending }] = await Promise.all([
    readOfferFact(db, kase.caseRef),
    checksOf(db, seal, kase.caseRef),
    readFiles(db, kase.caseRef),
  ])
  return { offer, checks, mandateRequired: kase.mandateRequired, stored, pending, on: businessDate(at) }
}

/** Moves a case whose row is held to where its files and checks have it; a case at any other point stays as it is. */
export async function lookAgain(tx: Tx, world: Pick<World, 'seal' | 'config'>, kase: Case, at: Date): Promise<Case> {
  if (kase.status === 'DOCUMENTS_PENDING') {
    const { pending } = await readFiles(tx, kase.caseRef)
    return pending.length === 0 ? moveCase(tx, kase, 'documentsStored', at) : kase
  }
  if (!isBeingChecked(kase.status)) return kase
  const move = awaited(await factsOf(tx, world, kase, at))
  return lifecycle[kase.status][move] === kase.status ? kase : moveCase(tx, kase, move, at)
}
