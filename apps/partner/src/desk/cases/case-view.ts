// The view of a case: all data that its page shows, read in one database snapshot.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { readEntries } from '#partner/books/ledger/store.ts'
import { documentsOfCase } from '#partner/books/tax/store.ts'
import type { Context } from '#partner/context.ts'
import { hasSeenRequest, requestContentOf, requestedTerms } from '#partner/desk/approval/request-content.ts'
import { listLimits, type RequestLine, requestsOfCase } from '#partner/desk/approval/store.ts'
import type { Worklist } from '#partner/desk/arrears/worklist.ts'
import { actsOfCase } from '#partner/desk/audit/store.ts'
import { listReviews, listTransitions, readDebitCheck } from '#partner/desk/cases/store.ts'
import { can, viewActs } from '#partner/desk/staff/staff-acts.ts'
import { notesOf, tasksOf } from '#partner/desk/task/store.ts'
import { disbursementBlockers } from '#partner/origination/case/disbursement-blockers.ts'
import { countedSince } from '#partner/origination/case/exposure/exposure.ts'
import { otherExposures } from '#partner/origination/case/exposure/store.ts'
import { factsOf } from '#partner/origination/case/recheck-case.ts'
import { leadOfCase, readCase, readStop } from '#partner/origination/case/store.ts'
import { pendingDocuments, storedDocuments } from '#partner/origination/document/manifest.ts'
import { bankReviewOf, bankRulesOn } from '#partner/origination/review/bank/store.ts'
import { offersOf } from '#partner/origination/review/store.ts'
import type { Staff } from '#partner/people/person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import { listStaff } from '#partner/people/store.ts'
import { namesToCompare } from '#partner/servicing/collection/account-name/compare-account-name.ts'
import {
  agentOf,
  contactsOf,
  noticeOfAgent,
  promisesOf,
  remindersOf,
} from '#partner/servicing/collection/arrears/store.ts'
import { holdOf } from '#partner/servicing/collection/debit/debit-hold.ts'
import type { Plan } from '#partner/servicing/collection/debit/plan-debit.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { changedPayoutAccount } from '#partner/servicing/collection/transfer/payout-account.ts'
import { readNewestDisbursement, refundsOf } from '#partner/servicing/collection/transfer/store.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { classesOf, readPastDueSince } from '#partner/servicing/loan/class/store.ts'
import { feeRefundsFrom, isExiting } from '#partner/servicing/loan/exit.ts'
import { openLead } from './open-lead.ts'
import { type PersonalField, requestedField } from './personal-data.ts'

const maxActs = 200

const arrearsOf = (db: Run, caseRef: string, at: Date) =>
  allOf({
    agentId: agentOf(db, caseRef),
    notice: noticeOfAgent(db, caseRef),
    staff: listStaff(db),
    promises: promisesOf(db, caseRef),
    contacts: contactsOf(db, caseRef),
    reminders: remindersOf(db, caseRef),
    policy: policyOn(db, businessDate(at)),
  })

/** Whether the person sees the holder of an account or the payer of a request unmasked: its maker, and who may decide it. */
const seesUnmasked = ({ act, madeBy }: RequestLine, who: Staff): boolean =>
  madeBy === who.staffId ||
  can(who, act === 'POSTING' || act === 'TRANSFER_RETURN' ? 'RECEIPT_VIEWED' : 'REQUEST_APPROVED')

/** Adds the content to pending requests. */
const withContent = (
  db: Run,
  ctx: Context,
  requests: RequestLine[],
  { who, at, isRevealed }: { who: Staff; at: Date; isRevealed: boolean },
) =>
  Promise.all(
    requests.map(async (each) => ({
      ...each,
      content: isWaiting(each, at)
        ? await requestContentOf(db, ctx, each, {
            at,
            isUnmasked: seesUnmasked(each, who),
            isRevealed,
          })
        : [],
      terms: isWaiting(each, at) ? requestedTerms(ctx, each) : null,
      isSeen: isRevealed || !isWaiting(each, at) || (await hasSeenRequest(db, who, each)),
    })),
  )

export type CaseView = Awaited<ReturnType<typeof readCaseView>> & {
  worklist?: Worklist | undefined
  debitPlan?: Plan | undefined
}

interface CaseViewOptions {
  at: Date
  /** The personal data that the person has just revealed. */
  revealed?: ReadonlySet<PersonalField> | undefined
}

export const readCaseView = (ctx: Context, who: Staff, caseRef: string, { at, revealed }: CaseViewOptions) =>
  ctx.db.snapshot(async (db: Run) => {
    const loanCase = await readCase(db, caseRef)
    if (!loanCase) throw new Refusal('absent', 'this case does not exist')
    const { lead, ...data } = await allOf({
      facts: factsOf(db, ctx, loanCase, at),
      lead: leadOfCase(db, caseRef),
      names: namesToCompare(db, ctx.seal, caseRef),
      otherExposures: otherExposures(db, caseRef, countedSince(at)),
      stored: storedDocuments(db, caseRef),
      pending: pendingDocuments(db, caseRef),
      bank: bankReviewOf(db, ctx.seal, caseRef),
      bankRules: bankRulesOn(db, ctx.config, businessDate(at)),
      disbursement: readNewestDisbursement(db, caseRef),
      payments: readPayments(db, caseRef),
      refunds: refundsOf(db, caseRef),
      changedAccount: changedPayoutAccount(db, ctx, caseRef),
      account: accountOf(db, caseRef),
      entries: readEntries(db, caseRef),
      taxDocuments: documentsOfCase(db, caseRef),
      classes: classesOf(db, caseRef),
      pastDueSince: readPastDueSince(db, caseRef, {
        on: plusDays(businessDate(at), -1),
        tolerance: duesTolerance(ctx.config),
      }),
      arrears: arrearsOf(db, caseRef, at),
      transitions: listTransitions(db, caseRef),
      reviews: listReviews(db, caseRef),
      stop: readStop(db, caseRef),
      staffActs: actsOfCase(db, caseRef, viewActs, maxActs),
      hold: holdOf(db, caseRef),
      notes: notesOf(db, caseRef),
      tasks: tasksOf(db, caseRef),
      offers: offersOf(db, caseRef),
      requests: requestsOfCase(db, caseRef),
      limits: listLimits(db),
      lastDebitCheck: readDebitCheck(db, caseRef),
    })
    return {
      ...data,
      requests: await withContent(db, ctx, data.requests, {
        who,
        at,
        isRevealed: revealed?.has(requestedField) ?? false,
      }),
      revealed,
      offer: data.offers.at(-1),
      loanCase,
      lead: openLead(ctx.seal, caseRef, lead),
      blockers: disbursementBlockers(data.facts),
      /** The amount that cancels the loan today; null without a cancellation that waits for money. */
      exitPayoff:
        data.account && isExiting(data.account, businessDate(at))
          ? await payoffOf(db, caseRef, businessDate(at), at)
          : null,
      loanState:
        data.account?.loanStatus === 'CLOSED' && feeRefundsFrom(data.entries).active.length > 0
          ? ('CANCELLED' as const)
          : data.account?.loanStatus,
    }
  })
