// The table of pledges: the units of an offer, and the borrower's choice among them.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { UnitShare } from '@lendloom/wire/hosted/portfolio'

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
