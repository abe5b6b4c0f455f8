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
  /** What whoever confirmed was told: how many journeys it touches. */
  expected: Pick<SwitchEffect, 'searching' | 'offered'>
}

/**
 * From now on new searches leave the lender out, what it is asked for already is not taken up, and what it has offered can be
 * chosen, and a consent that it asks for can be given, only after it is switched on again. What was chosen goes on, and so
 * does every loan. Refused: `absent` nobody knows such a lender · `wrong-state` it is off already, or it touches other
 * journeys than whoever confirmed was told of: then `effect` in its details says what is so now.
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
