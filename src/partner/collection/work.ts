// The background work of this room: transfers, debits, the bank's lists, claims that come to an end.
import type { Worker } from '#kit/queue.ts'
import type { World } from '#partner/world.ts'
import { verifyingClaims } from './claim.ts'
import { beginCollecting, collectingCases, collectingDue } from './collect-due.ts'
import { presenting } from './present.ts'
import { beginReadingBank, readingBank } from './read-bank.ts'
import { transferring } from './transfer.ts'

/** Starts them all. Debits are looked for every day only while rules decide; otherwise a person calls `collectDue`. */
export async function collecting(world: World): Promise<Worker[]> {
  await Promise.all([beginReadingBank(world), beginCollecting(world)])
  return [
    transferring(world),
    presenting(world),
    readingBank(world),
    verifyingClaims(world),
    collectingDue(world),
    collectingCases(world),
  ]
}
