// All that the desk shows of one case, from every module, in one state of the database.

import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { allOf } from '#kit/runtime/all-of.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { factsOf } from '#partner/case/check-again.ts'
import { leadOfCase, readCase } from '#partner/case/store.ts'
import { holdOf } from '#partner/collection/hold.ts'
import { readDisbursement, readPayments } from '#partner/collection/store.ts'
import type { Context } from '#partner/context.ts'
import { pendingDocuments, storedDocuments } from '#partner/document/manifest.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { currentOffer } from '#partner/review/store.ts'
import { openLead } from './applicant-name.ts'
import { listActs, listMoves, listReviews, readDay } from './store.ts'

const mostActs = 200

export type CaseSeen = Awaited<ReturnType<typeof seeCase>>

/** Refused as `absent` when there is no such case. */
export const seeCase = (ctx: Context, caseRef: string, at: Date) =>
  ctx.db.snapshot(async (db: Run) => {
    const loanCase = await readCase(db, caseRef)
    if (!loanCase) throw new Refusal('absent', 'there is no such case')
    const { lead, ...seen } = await allOf({
      facts: factsOf(db, ctx, loanCase, at),
      lead: leadOfCase(db, caseRef),
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
      loanCase,
      lead: openLead(ctx.seal, caseRef, lead),
      blockers: disbursementBlockers(seen.facts),
    }
  })
