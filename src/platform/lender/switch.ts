// Switches a lender off and on: while it is off it is asked for nothing new, and what it has offered cannot be chosen.

import { Refusal } from '#kit/http/refusal.ts'
import { maskedNote } from '#kit/runtime/mask.ts'
import { keptUnder } from '#kit/staff/person.ts'
import type { TxContext } from '#platform/context.ts'
import { type Actor, noteStaffAct } from '#platform/staff/audit.ts'
import {
  countEffect,
  deleteSwitch,
  insertSwitch,
  isLender,
  type LenderName,
  type Switch,
  type SwitchEffect,
} from './switch/store.ts'

/** A lender, for one tenant or, where null is given, for all of them. */
export interface LenderSwitchKey extends LenderName {
  tenantId: string | null
}

export interface SwitchingOff {
  /** Kept and shown; personal data in it is masked. */
  reason: string
  /** The effect that was shown at the confirmation: how many journeys are affected. */
  expected: Pick<SwitchEffect, 'searching' | 'offered'>
}

/**
 * Switches a lender off: new searches leave it out, its pending answers are withheld, and its offers and consents
 * become unavailable until it is switched on again. Chosen offers and loans continue. Refused: `absent` unknown lender
 * · `wrong-state` already off, or the affected journeys changed since the confirmation; `effect` in the details has the
 * current ones.
 */
export async function switchOff(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  who: Actor,
  lender: LenderSwitchKey,
  { reason, expected }: SwitchingOff,
): Promise<Switch> {
  const { bppId, providerId } = lender
  if (!(await isLender(tx, lender, lender.tenantId))) throw absentLender()
  const row = {
    ...{ tenantId: keptUnder(lender.tenantId), bppId, providerId },
    ...{ reason: maskedNote(reason.trim()), personId: who?.personId ?? null, offAt: at },
  }
  if (!(await insertSwitch(tx, row))) throw new Refusal('wrong-state', 'this lender is switched off already')
  const effect = await countEffect(tx, lender, lender.tenantId, at)
  if (effect.searching !== expected.searching || effect.offered !== expected.offered)
    throw new Refusal('wrong-state', 'it concerns other journeys by now: look at the numbers again', { effect })
  await noted({ tx, at }, who, lender, {
    act: 'LENDER_SWITCHED_OFF',
    detail: { providerId, reason: row.reason, searching: effect.searching, offered: effect.offered },
  })
  return row
}

/** Refused as `wrong-state` when it is not off so: what is off for all is switched on for all. */
export async function switchOn(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  who: Actor,
  lender: LenderSwitchKey,
): Promise<void> {
  const { bppId, providerId } = lender
  if (!(await deleteSwitch(tx, { tenantId: keptUnder(lender.tenantId), bppId, providerId })))
    throw new Refusal('wrong-state', `this lender is not switched off for ${lender.tenantId ? 'this tenant' : 'all'}`)
  await noted({ tx, at }, who, lender, { act: 'LENDER_SWITCHED_ON', detail: { providerId } })
}

export const absentLender = (): Refusal => new Refusal('absent', 'there is no such lender')

const noted = (
  write: Pick<TxContext, 'tx' | 'at'>,
  who: Actor,
  { bppId, tenantId }: LenderSwitchKey,
  { act, detail }: { act: string; detail: Record<string, string | number> },
): Promise<void> => noteStaffAct(write, who, { act, subject: bppId, tenantId, detail })
