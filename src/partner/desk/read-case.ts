// All that the desk shows of one case, from every room, in one state of the database.
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
    const [
      facts,
      lead,
      stored,
      pending,
      offer,
      disbursement,
      payments,
      account,
      entries,
      moves,
      reviews,
      did,
      hold,
      looked,
    ] = await Promise.all([
      factsOf(db, world, kase, at),
      readLead(db, caseRef),
      storedDocuments(db, caseRef),
      pendingDocuments(db, caseRef),
      currentOffer(db, caseRef),
      readDisbursement(db, caseRef),
      readPayments(db, caseRef),
      accountOf(db, caseRef),
      readEntries(db, caseRef),
      listMoves(db, caseRef),
      listReviews(db, caseRef),
      listActs(db, caseRef, mostActs),
      holdOf(db, caseRef),
      readDay(db, caseRef),
    ])
    return {
      ...{
        kase,
        facts,
        stored,
        pending,
        offer,
        disbursement,
        payments,
        account,
        entries,
        moves,
        reviews,
        did,
        hold,
        looked,
      },
      lead: openLead(world.seal, caseRef, lead!),
      blockers: disbursementBlockers(facts),
    }
  })
