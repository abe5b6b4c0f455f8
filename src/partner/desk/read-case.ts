// All that the desk shows of one case, from every room, in one state of the database.
import type { DataOf } from '#contract/exchange/envelope.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Run } from '#kit/sql.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { leadContext } from '#partner/case/case.ts'
import { factsOf } from '#partner/case/look-again.ts'
import { readCase, readLead } from '#partner/case/store.ts'
import { readDisbursement, readPayments } from '#partner/collection/store.ts'
import { pendingDocuments, storedDocuments } from '#partner/document/manifest.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { currentOffer } from '#partner/review/store.ts'
import type { World } from '#partner/world.ts'
import { listMoves, listReviews } from './store.ts'

export type CaseSeen = Awaited<ReturnType<typeof seeCase>>

/** Refused as `absent` when there is no such case. */
export const seeCase = (world: World, caseRef: string, at: Date) =>
  world.db.snapshot(async (db: Run) => {
    const kase = await readCase(db, caseRef)
    if (!kase) throw new Refusal('absent', 'there is no such case')
    const [facts, lead, stored, pending, offer, disbursement, payments, account, entries, moves, reviews] =
      await Promise.all([
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
      ])
    return {
      ...{ kase, facts, stored, pending, offer, disbursement, payments, account, entries, moves, reviews },
      lead: world.seal.openJson<DataOf<'LEAD_SUBMITTED'>>(lead!, leadContext(caseRef)),
      blockers: disbursementBlockers(facts),
    }
  })
