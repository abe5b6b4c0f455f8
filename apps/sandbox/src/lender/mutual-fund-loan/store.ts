// The pledges, and the drawdowns from credit lines: the units of an offer, the borrower's choice among them, and what is drawn.

import type { Paise } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { UnitShare } from '@lendloom/wire/hosted/portfolio'
import { fundsWithStops } from '#sandbox/core/lender-version.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LoanParties } from '#sandbox/lender/core/store.ts'

const pledgeContext = (conversationId: string) => `pledge/${conversationId}`

/** Stores the units of an offer. Replaces an earlier offer and its choice. */
export async function storeOffered(tx: Tx, seal: Seal, conversationId: string, offered: UnitShare[]): Promise<void> {
  const offeredSealed = seal.json(offered, pledgeContext(conversationId))
  await tx`insert into pledge ${tx({ conversationId, offeredSealed })}
    on conflict (conversation_id) do update set offered_sealed = ${offeredSealed}, chosen_sealed = null`
}

export async function storeChosen(tx: Tx, seal: Seal, conversationId: string, chosen: UnitShare[]): Promise<void> {
  await tx`update pledge set chosen_sealed = ${seal.json(chosen, pledgeContext(conversationId))}
    where conversation_id = ${conversationId}`
}

export interface Pledges {
  offered: UnitShare[]
  chosen: UnitShare[] | null
}

/** The pledges of a conversation; null before there is an offer. */
export async function pledgesOf(db: Run, seal: Seal, conversationId: string): Promise<Pledges | null> {
  const [row] = await db<{ offeredSealed: Buffer; chosenSealed: Buffer | null }>`
    select offered_sealed, chosen_sealed from pledge where conversation_id = ${conversationId}`
  if (!row) return null
  const unseal = (sealed: Buffer) => seal.openJson<UnitShare[]>(sealed, pledgeContext(conversationId))
  return { offered: unseal(row.offeredSealed), chosen: row.chosenSealed && unseal(row.chosenSealed) }
}

/** The buyer app's address and the parties of a drawdown, and the order of its line. */
interface NewDrawdown extends LoanParties, Pick<Conversation, 'conversationId' | 'bapUri' | 'bapAddress'> {
  lineOrderId: string
}

/**
 * Opens the conversation of a drawdown from an open line of the same buyer app at this lender, unless these parties have
 * one in this transaction. False if there is no such line with stops.
 */
export async function openDrawdown(tx: Tx, { lineOrderId, ...parties }: NewDrawdown, at: Date): Promise<boolean> {
  const [line] = await tx<Pick<Conversation, 'conversationId' | 'product' | 'version' | 'scenario'>>`
    select conversation_id, product, version, scenario from conversation
    where order_id = ${lineOrderId} and lender = ${parties.lender} and bap_id = ${parties.bapId}
      and version = ${fundsWithStops} and line_id is null`
  if (!line) return false
  const { conversationId: lineId, ...inherited } = line
  await tx`insert into conversation ${tx({ ...parties, ...inherited, lineId, status: 'QUOTED', createdAt: at, updatedAt: at })}
    on conflict do nothing`
  return true
}

/** What borrowers have agreed to draw from a line and is not paid out yet. */
export async function agreedDrawdowns(db: Run, lineId: string): Promise<Paise> {
  const [row] = await db<{ sum: Paise | null }>`
    select sum(principal)::bigint as sum from conversation where line_id = ${lineId} and status = 'SANCTIONED'`
  return row?.sum ?? 0n
}
