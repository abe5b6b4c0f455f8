// All that the desk shows of one case, from every room, in one state of the database.
import { allOf } from '#kit/all-of.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Run } from '#kit/sql.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { factsOf } from '#partner/case/look-again.ts'
import { readCase, readLead } from '#partner/case/store.ts'
import { holdOf } from '#partner/collection/hold.ts'
import { readDisbursement, readPayments } from '#partner/collection/store.ts'
import { pendingDocuments, storedDocuments } from '#partner/document/manifest.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { currentOffer } from '#partner/review/store.ts'
import type { World } from '#partner/world.ts'
import { openLead } from './applicant-name.ts'
import { listActs, listMoves, listReviews, readDay } from './store.ts'

const mostActs = 200

export type CaseSeen = Awaited<ReturnType<typeof seeCase>>

/** Refused as `absent` when there is no such case. */
export const seeCase = (world: World, caseRef: string, at: Date) =>
  world.db.snapshot(async (db: Run) => {
    const kase = await readCase(db, caseRef)
    if (!kase) throw new Refusal('absent', 'there is no such case')
    const { lead, ...seen } = await allOf({
      facts: factsOf(db, world, kase, at),
      lead: readLead(db, caseRef),
      stored: storedDocuments(db, caseRef),
      pending: pendingDocuments(db, caseRef),
      offer: currentOffer(db, caseRef),
      disbursement: readDisbursement(db, caseRef),
      payments: readPayments(db, caseRef),
      account: accountOf(db, caseRef),
      entries: readEntries(db, caseRef),
      moves: listMoves(db, caseRef),
      reviews: listReviews(db, caseRef),
      did: listActs(db, caseRef, mostActs),
      hold: holdOf(db, caseRef),
      looked: readDay(db, caseRef),
    })
    return {
      ...seen,
      kase,
      lead: openLead(world.seal, caseRef, lead!),
      blockers: disbursementBlockers(seen.facts),
    }
  })
