// The audit log of the desk as a chain: an entry for each act in the transaction of its effect, and the proof that none was altered.

import { type ChainEnd, linkDigest, type VerifiedLinks, verifyLinks } from '#kit/db/chain.ts'
import { type ChainHead, heldAgainst } from '#kit/db/chain-head.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { chainAfter, chainOld, digestAt, insertAct, lockChain, readChain, type StaffAct, unchained } from './store.ts'

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

/**
 * Reads the whole log, and holds it against heads of it that were sent out. Acts that are in no chain were put in, or were written by a
 * program of before.
 */
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

const page = 1000

/** Gives acts of before the chain their places in it, once: a chain that has begun takes in nothing that is older. */
export async function beginChain(tx: Tx): Promise<void> {
  let end = await lockChain(tx)
  if (end.sequence > 0) return
  for (;;) {
    const rows = await unchained(tx, page)
    const linked = rows.map((row) => {
      const sequence = end.sequence + 1
      end = { sequence, digest: digestOf(end.digest, { ...row, sequence }) }
      return { actId: row.actId, ...end }
    })
    await chainOld(tx, linked)
    if (rows.length < page) return
  }
}
