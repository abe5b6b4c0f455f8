// The table of pledges: the units that a loan is offered on, and those that the borrower chose of them.
import type { UnitShare } from '#contract/hosted/portfolio.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'

const place = (conversationId: string) => `pledge/${conversationId}`

/** A new offer takes the place of the one before, and of what was chosen of that. */
export async function keepOffered(tx: Tx, seal: Seal, conversationId: string, offered: UnitShare[]): Promise<void> {
  const offeredSealed = seal.json(offered, place(conversationId))
  await tx`insert into pledge ${tx({ conversationId, offeredSealed })}
    on conflict (conversation_id) do update set offered_sealed = ${offeredSealed}, chosen_sealed = null`
}

export async function keepChosen(tx: Tx, seal: Seal, conversationId: string, chosen: UnitShare[]): Promise<void> {
  await tx`update pledge set chosen_sealed = ${seal.json(chosen, place(conversationId))}
    where conversation_id = ${conversationId}`
}

export interface Pledges {
  offered: UnitShare[]
  chosen: UnitShare[] | null
}

/** What is pledged for a loan; null before there is an offer. */
export async function pledgesOf(db: Run, seal: Seal, conversationId: string): Promise<Pledges | null> {
  const [row] = await db<{ offeredSealed: Buffer; chosenSealed: Buffer | null }>`
    select offered_sealed, chosen_sealed from pledge where conversation_id = ${conversationId}`
  if (!row) return null
  const open = (sealed: Buffer) => seal.openJson<UnitShare[]>(sealed, place(conversationId))
  return { offered: open(row.offeredSealed), chosen: row.chosenSealed && open(row.chosenSealed) }
}
