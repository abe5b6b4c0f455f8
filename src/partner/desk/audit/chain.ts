// The audit log of the desk as a chain: an entry for each act in the transaction of its effect, and the proof that none was altered.

import {
  type ChainEnd,
  type ChainHead,
  heldAgainst,
  linkDigest,
  type VerifiedLinks,
  verifyLinks,
} from '#kit/db/chain.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { chainAfter, digestAt, insertAct, lockChain, readChain, type StaffAct, unchained } from './store.ts'

/**
 * Adds an entry as the end of the chain. Whoever else adds one waits until the transaction ends: so this is the last thing that
 * a transaction does, after its other locks.
 */
export async function addToChain(tx: Tx, act: Omit<StaffAct, 'sequence'>): Promise<void> {
  const end = await lockChain(tx)
  const entry = { ...act, sequence: end.sequence + 1 }
  await insertAct(tx, { ...entry, digest: digestOf(end.digest, entry) })
}

const digestOf = (before: Buffer, entry: StaffAct): Buffer => {
  const { sequence, actId, at, staffId, act, caseRef, subject, detail } = entry
  return linkDigest(before, { sequence, actId, at, staffId, act, caseRef, subject, detail })
}

/** How heads of it name this log. */
export const deskLog = 'desk'

/** Reads the whole log, and compares it with heads of it that were sent out. Another program inserted an act that is in no chain. */
export async function verifyActs(db: Run, heads: ChainHead[] = []): Promise<VerifiedLinks> {
  const links = await verifyLinks<StaffAct & ChainEnd>({
    rowsAfter: (sequence, limit) => chainAfter(db, sequence, limit),
    end: () => readChain(db),
    digestOf,
  })
  const found = await heldAgainst(links, heads, (sequence) => digestAt(db, sequence))
  const [stray] = found.fault ? [] : await unchained(db, 1)
  return stray ? { ...found, fault: { sequence: found.entries + 1, why: `act ${stray.actId} is in no chain` } } : found
}
