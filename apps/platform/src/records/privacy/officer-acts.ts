// Acts of officers on a borrower's data: requests for erasure and their decisions, legal holds, nominees (DPDP Act 2023).

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import type { Write } from '@lendloom/postgres/write'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { ErasureState, Nominee } from '@lendloom/wire/console/privacy'
import type { Context } from '#platform/context.ts'
import { lockBorrowerById } from '#platform/lending/borrower/store.ts'
import { type Actor, noteReasonedAct, noteStaffAct, type StaffAct } from '#platform/people/audit.ts'
import { personIdOf } from '#platform/people/person.ts'
import { newestAccountAt } from '#platform/people/store.ts'
import type { BorrowerKey } from './erase/store.ts'
import { type ErasureResult, eraseBorrower, nothingErased } from './erase.ts'
import { findIdentity } from './identity-store.ts'
import {
  type ErasureRow,
  erasureContext,
  holdContext,
  insertErasure,
  insertHold,
  listNewestJourneys,
  lockErasure,
  releaseHold,
  updateErasure,
  upsertNominee,
} from './store.ts'

type ActContext = Write & { seal: Seal }

/** The context that a sealed nominee is bound to. */
export const nomineeContext = ({ tenantId, borrowerId }: BorrowerKey): string => `nominee:${tenantId}:${borrowerId}`

/** Records a borrower's request. Throws `wrong-state` if an earlier one is open. */
export async function requestErasure(ctx: ActContext, actor: Actor, key: BorrowerKey, reason: string): Promise<void> {
  const { tx, at, seal } = ctx
  const erasureId = uuidv7(at.getTime())
  const inserted = await insertErasure(tx, {
    ...key,
    erasureId,
    state: 'WAITING',
    requestedBy: personIdOf(actor),
    requestedAt: at,
    reasonSealed: seal.bytes(Buffer.from(reason), erasureContext({ ...key, erasureId })),
  })
  if (!inserted) throw new Refusal('wrong-state', 'an erasure of this borrower is already requested')
  await noteBorrowerAct(ctx, actor, key, { act: 'ERASURE_REQUESTED' })
}

/**
 * Approves or refuses a request; an approval erases at once what may be erased. Throws `absent` for an unknown request,
 * `wrong-state` for a decided one, `forbidden` for the person who recorded it, for the command line, and outside the
 * sandbox while the account of either person is new.
 */
export async function decideErasure(
  ctx: ActContext & Pick<Context, 'config'>,
  actor: Actor,
  erasureId: string,
  approves: boolean,
): Promise<void> {
  const { tx, at } = ctx
  // At the command line the user is unknown, and might decide a request of their own.
  if (actor === null || personIdOf(actor) === null)
    throw new Refusal('forbidden', 'a person must decide, in the console: the command line may only record a request')
  const erasure = await lockErasure(tx, erasureId)
  if (!erasure) throw new Refusal('absent', 'there is no such request')
  if (erasure.state !== 'WAITING') throw new Refusal('wrong-state', 'the request is already decided')
  if (erasure.requestedBy === personIdOf(actor))
    throw new Refusal('forbidden', 'another person must decide than the one who recorded the request')
  if (!ctx.config.SANDBOX) await requireOldAccounts(ctx, [erasure.requestedBy, personIdOf(actor)])
  const result = approves ? await eraseRequested(ctx, erasure) : null
  const state: ErasureState = result === null ? 'REFUSED' : stateOf(result)
  const decision = { state, decidedBy: personIdOf(actor), decidedAt: at, doneAt: state === 'DONE' ? at : null }
  await updateErasure(tx, erasure, decision)
  await noteBorrowerAct(ctx, actor, erasure, {
    act: approves ? 'ERASURE_APPROVED' : 'ERASURE_REFUSED',
    detail: { ...(result && { erased: result.erased, left: result.left }) },
  })
}

/** One person alone cannot create a second account and at once decide with it. */
const newAccountDays = 7

async function requireOldAccounts({ tx, at }: Write, personIds: (string | null)[]): Promise<void> {
  const newestAt = await newestAccountAt(
    tx,
    personIds.flatMap((id) => id ?? []),
  )
  const allowedFrom = newestAt && daysAfter(newestAt, newAccountDays)
  if (allowedFrom && at < allowedFrom)
    throw new Refusal(
      'forbidden',
      `the accounts of both people must exist for ${newAccountDays} days: decide after ${businessDate(allowedFrom)}`,
    )
}

/** Writes the audit entry of an act. It names the newest journey of the borrower, whose page shows the result. */
export async function noteBorrowerAct(
  write: Write & { seal: Seal },
  actor: Actor,
  { tenantId, borrowerId }: BorrowerKey,
  { act, detail, reason }: Pick<StaffAct, 'act' | 'detail'> & { reason?: string },
): Promise<void> {
  const journeys = await listNewestJourneys(write.tx, [{ tenantId, borrowerId }])
  const journeyId = journeys.get(borrowerId)
  const entry = { act, subject: borrowerId, tenantId, detail: { ...detail, ...(journeyId && { journeyId }) } }
  await (reason === undefined ? noteStaffAct(write, actor, entry) : noteReasonedAct(write, actor, { ...entry, reason }))
}

/** Erases what may be erased by now for an approved request; marks it as done when nothing is left. */
export async function continueErasure(ctx: ActContext, erasureId: string): Promise<ErasureResult> {
  const erasure = await lockErasure(ctx.tx, erasureId)
  if (erasure?.state !== 'APPROVED') return nothingErased
  const result = await eraseRequested(ctx, erasure)
  if (stateOf(result) === 'DONE') await updateErasure(ctx.tx, erasure, { ...erasure, state: 'DONE', doneAt: ctx.at })
  return result
}

const eraseRequested = (ctx: ActContext, erasure: ErasureRow): Promise<ErasureResult> =>
  eraseBorrower(ctx, erasure, { isRequested: true, openedUntil: erasure.requestedAt })

const stateOf = ({ left }: ErasureResult): ErasureState => (left === 0 ? 'DONE' : 'APPROVED')

/** Places a legal hold: nothing of the borrower is erased until its release. */
export async function placeHold(ctx: ActContext, actor: Actor, key: BorrowerKey, reason: string): Promise<void> {
  const { tx, at, seal } = ctx
  const holdId = uuidv7(at.getTime())
  await lockBorrowerById(tx, key.tenantId, key.borrowerId)
  const inserted = await insertHold(tx, {
    ...key,
    holdId,
    placedBy: personIdOf(actor),
    placedAt: at,
    reasonSealed: seal.bytes(Buffer.from(reason), holdContext({ ...key, holdId })),
  })
  if (!inserted) throw new Refusal('wrong-state', 'a legal hold is already in force')
  await noteBorrowerAct(ctx, actor, key, { act: 'HOLD_PLACED' })
}

/** Releases the legal hold in force. Throws `wrong-state` without one. */
export async function liftHold(ctx: ActContext, actor: Actor, key: BorrowerKey, reason: string): Promise<void> {
  const released = await releaseHold(ctx.tx, key, personIdOf(actor), ctx.at)
  if (!released) throw new Refusal('wrong-state', 'no legal hold is in force')
  await noteBorrowerAct(ctx, actor, key, { act: 'HOLD_RELEASED', reason })
}

/**
 * Records the borrower's nominee, in place of an earlier one (DPDP Act 2023 §14). Throws `wrong-state` for an erased
 * borrower, because nothing would erase the nominee.
 */
export async function recordNominee(ctx: ActContext, actor: Actor, key: BorrowerKey, nominee: Nominee): Promise<void> {
  await lockBorrowerById(ctx.tx, key.tenantId, key.borrowerId)
  if (!(await findIdentity(ctx.tx, key)))
    throw new Refusal('wrong-state', 'the personal data of this borrower is erased')
  const nomineeSealed = ctx.seal.json(nominee, nomineeContext(key))
  await upsertNominee(ctx.tx, key, { nomineeSealed, namedAt: ctx.at })
  await noteBorrowerAct(ctx, actor, key, { act: 'NOMINEE_RECORDED' })
}
