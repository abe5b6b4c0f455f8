// Switches a lender off and on. While it is off, it receives no new requests, and its offers cannot be chosen.

import { maskedNote } from '@lendloom/foundation/mask'
import { Refusal } from '@lendloom/foundation/refusal'
import { tenantKeyOf } from '@lendloom/identity/person'
import type { Run } from '@lendloom/postgres/sql'
import type { TxContext } from '#platform/context.ts'
import { type Actor, noteStaffAct } from '#platform/people/audit.ts'
import {
  countEffect,
  deleteSwitch,
  insertSwitch,
  isKnownLender,
  type LenderKey,
  type LenderSwitch,
  type SwitchEffect,
} from './switch/store.ts'

export interface LenderSwitchKey extends LenderKey {
  /** Null for all tenants. */
  tenantId: string | null
}

export interface SwitchOffInput {
  /** Stored and displayed with personal data masked. */
  reason: string
  /** The numbers of affected journeys that the user confirmed. */
  expected: Pick<SwitchEffect, 'searching' | 'offered'>
}

/**
 * Switches a lender off. Until the lender is switched on again, new searches skip it, and its other offers and consents
 * are unavailable. Chosen offers and loans continue. Throws `absent` for an unknown lender, and `wrong-state` if the
 * lender is already off or the numbers of affected journeys differ from `expected`; the details have them as `effect`.
 */
export async function switchOff(
  { tx, at, channels }: Pick<TxContext, 'tx' | 'at' | 'channels'>,
  actor: Actor,
  lender: LenderSwitchKey,
  { reason, expected }: SwitchOffInput,
): Promise<LenderSwitch> {
  const { bppId, providerId } = lender
  if (!(await isLender(tx, channels, lender))) throw absentLender()
  const row = {
    tenantId: tenantKeyOf(lender.tenantId),
    bppId,
    providerId,
    reason: maskedNote(reason.trim()),
    personId: actor?.personId ?? null,
    offAt: at,
  }
  if (!(await insertSwitch(tx, row))) throw new Refusal('wrong-state', 'this lender is switched off already')
  const effect = await countEffect(tx, lender, lender.tenantId, at)
  if (effect.searching !== expected.searching || effect.offered !== expected.offered)
    throw new Refusal('wrong-state', 'the affected journeys have changed: confirm the new numbers', { effect })
  await noteSwitch({ tx, at }, actor, lender, {
    act: 'LENDER_SWITCHED_OFF',
    detail: { providerId, reason: row.reason, searching: effect.searching, offered: effect.offered },
  })
  return row
}

/** Switches a lender on. Throws `wrong-state` if it is not switched off for exactly this tenant, or for all tenants. */
export async function switchOn(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  actor: Actor,
  lender: LenderSwitchKey,
): Promise<void> {
  const { bppId, providerId } = lender
  if (!(await deleteSwitch(tx, { tenantId: tenantKeyOf(lender.tenantId), bppId, providerId })))
    throw new Refusal('wrong-state', `this lender is not switched off for ${lender.tenantId ? 'this tenant' : 'all'}`)
  await noteSwitch({ tx, at }, actor, lender, { act: 'LENDER_SWITCHED_ON', detail: { providerId } })
}

/** Whether the lender exists. A channel may have lenders that no journey has met. */
export async function isLender(db: Run, channels: TxContext['channels'], lender: LenderSwitchKey): Promise<boolean> {
  const found = await Promise.all([
    isKnownLender(db, lender, lender.tenantId),
    ...Object.values(channels).map((channel) => channel.hasLender(db, lender)),
  ])
  return found.includes(true)
}

export const absentLender = (): Refusal => new Refusal('absent', 'the lender does not exist')

const noteSwitch = (
  write: Pick<TxContext, 'tx' | 'at'>,
  actor: Actor,
  { bppId, tenantId }: LenderSwitchKey,
  { act, detail }: { act: string; detail: Record<string, string | number> },
): Promise<void> => noteStaffAct(write, actor, { act, subject: bppId, tenantId, detail })
