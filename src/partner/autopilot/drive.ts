// Decides by rule where people would, through the same acts: reviews, KYC reviews and disbursement, as soon as a case changes.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { paiseOf } from '#contract/exchange/fields.ts'
import { secondsAfter } from '#kit/clock.ts'
import { Later, type Worker, work } from '#kit/queue.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Run, Tx } from '#kit/sql.ts'
import { isAutopilotOn } from '#partner/case/autopilot-switch.ts'
import { type Case, leadContext } from '#partner/case/case.ts'
import { checksOf } from '#partner/case/checks.ts'
import { type ChangedJob, changedKind } from '#partner/case/note-change.ts'
import { twistFor } from '#partner/case/sandbox-rules.ts'
import { lockCase, readCase, readLead } from '#partner/case/store.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { readDisbursement } from '#partner/collection/store.ts'
import { approve, reject } from '#partner/review/decide.ts'
import { decideKyc } from '#partner/review/decide-kyc.ts'
import { productTerms } from '#partner/review/product.ts'
import type { World } from '#partner/world.ts'
import { type Act, nextAct } from './next-act.ts'

const reviewerReference = 'autopilot'

export const driving = (world: World): Worker =>
  work<ChangedJob>({
    kind: changedKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    concurrency: 4,
    handle: ({ payload: { caseRef } }) => drive(world, caseRef),
  })

const mostActs = 10

/**
 * Acts until the case waits for somebody else, or people decide. Looking takes no lock; what is found is looked for again
 * under it.
 */
export async function drive(world: World, caseRef: string): Promise<void> {
  for (let acts = 0; acts < mostActs; acts++) {
    const seen = await world.db.snapshot(async (db) => {
      const kase = await readCase(db, caseRef)
      return kase ? look(db, world, kase) : null
    })
    if (seen === null) return
    if ('waitSeconds' in seen) throw new Later(seen.waitSeconds, 'it is not its time yet')
    if (!(await actOnce(world, caseRef))) return
  }
}

/** False when there was nothing to do after all, or when it could not be done: then a person has to look. */
async function actOnce(world: World, caseRef: string): Promise<boolean> {
  try {
    return await world.db.tx(async (tx) => {
      const kase = await lockCase(tx, caseRef)
      const act = await look(tx, world, kase)
      if (act === null || 'waitSeconds' in act) return false
      await perform(tx, world, kase, act, world.clock())
      return true
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    world.log.warn({ caseRef, why: error.message }, 'the autopilot leaves a case to people')
    return false
  }
}

async function look(db: Run, world: World, kase: Case) {
  const [isOn, checks, transfer, lead] = await Promise.all([
    isAutopilotOn(db, world.config),
    checksOf(db, world.seal, kase.caseRef),
    readDisbursement(db, kase.caseRef),
    leadOf(db, world, kase.caseRef),
  ])
  if (!isOn) return null
  const { status, updatedAt } = kase
  const hasFailedTransfer = transfer?.status === 'FAILED'
  return nextAct({ status, updatedAt, checks, hasFailedTransfer, twist: twistFor(lead.borrower.pan) }, world.clock())
}

async function perform(tx: Tx, world: World, kase: Case, act: Act, at: Date): Promise<void> {
  if (act.kind === 'reject')
    await reject(
      tx,
      world,
      kase,
      { reviewerReference, reasonCode: 'CREDIT_POLICY', reasonMessage: 'The application does not meet our policy.' },
      at,
    )
  else if (act.kind === 'approve') await offer(tx, world, kase, act, at)
  else if (act.kind === 'disburse') await orderDisbursement(tx, world, kase, at)
  else {
    const reasonCode = act.decision === 'APPROVED' ? 'KYC_IN_ORDER' : 'KYC_NOT_IN_ORDER'
    await decideKyc(tx, world, kase, { decision: act.decision, reviewerReference, reasonCode, reasonMessage: null }, at)
  }
}

/** The terms of the product for what was recommended, or for less of it. */
async function offer(
  tx: Tx,
  world: World,
  kase: Case,
  act: Extract<Act, { kind: 'approve' }>,
  at: Date,
): Promise<void> {
  const { proposed_offer: asked } = await leadOf(tx, world, kase.caseRef)
  const amountPaise = ((paiseOf(asked.loan_amount) * act.shareOfTen) / 10n / 100n) * 100n
  const terms = productTerms(world.config, amountPaise, asked.tenure_weeks)
  const validUntil = act.validSeconds === null ? {} : { validUntil: secondsAfter(at, act.validSeconds) }
  await approve(tx, world, kase, { reviewerReference, terms, ...validUntil }, at)
}

async function leadOf(db: Run, { seal }: World, caseRef: string): Promise<DataOf<'LEAD_SUBMITTED'>> {
  const sealed = await readLead(db, caseRef)
  return seal.openJson<DataOf<'LEAD_SUBMITTED'>>(sealed!, leadContext(caseRef))
}
