// The table of pledges: the units that a loan is offered on, and those that the borrower chose of them.
import type { Seal } from '#kit/seal.ts'
import type { Run, Tx } from '#kit/sql.ts'
import type { Holding, Pledged } from './portfolio.ts'

const place = (conversationId: string) => `pledge/${conversationId}`

type Kept = { holding: Record<keyof Holding, string | null>; units: string; ltvBps: string }[]

const plain = (pledged: readonly Pledged[]): Kept =>
  pledged.map(({ holding, units, ltvBps }) => {
    const { units: held, lienUnits, lockedUnits, nav, ...rest } = holding
    const counted = { units: `${held}`, lienUnits: `${lienUnits}`, lockedUnits: `${lockedUnits}`, nav: `${nav}` }
    return { holding: { ...rest, ...counted }, units: `${units}`, ltvBps: `${ltvBps}` }
  })

const counted = (kept: Kept): Pledged[] =>
  kept.map(({ holding, units, ltvBps }) => ({
    holding: {
      ...(holding as unknown as Holding),
      units: BigInt(holding.units!),
      lienUnits: BigInt(holding.lienUnits!),
      lockedUnits: BigInt(holding.lockedUnits!),
      nav: BigInt(holding.nav!),
    },
    units: BigInt(units),
    ltvBps: BigInt(ltvBps),
  }))

/** A new offer takes the place of the one before, and of what was chosen of that. */
export async function keepOffered(tx: Tx, seal: Seal, conversationId: string, offered: Pledged[]): Promise<void> {
  const offeredSealed = seal.json(plain(offered), place(conversationId))
  await tx`insert into pledge ${tx({ conversationId, offeredSealed })}
    on conflict (conversation_id) do update set offered_sealed = ${offeredSealed}, chosen_sealed = null`
}

export async function keepChosen(tx: Tx, seal: Seal, conversationId: string, chosen: Pledged[]): Promise<void> {
  await tx`update pledge set chosen_sealed = ${seal.json(plain(chosen), place(conversationId))}
    where conversation_id = ${conversationId}`
}

export interface Pledges {
  offered: Pledged[]
  chosen: Pledged[] | null
}

/** What is pledged for a loan; null before there is an offer. */
export async function pledgesOf(db: Run, seal: Seal, conversationId: string): Promise<Pledges | null> {
  const [row] = await db<{ offeredSealed: Buffer; chosenSealed: Buffer | null }>`
    select offered_sealed, chosen_sealed from pledge where conversation_id = ${conversationId}`
  if (!row) return null
  const open = (sealed: Buffer) => counted(seal.openJson<Kept>(sealed, place(conversationId)))
  return { offered: open(row.offeredSealed), chosen: row.chosenSealed && open(row.chosenSealed) }
}
