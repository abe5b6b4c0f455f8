// Table borrower_lock, and what a borrower has of the lender at once, read from cases, offers and loans.
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'

/** Locks the borrower until the commit, after the case; required to add to the borrower's exposure. */
export async function lockBorrower(tx: Tx, caseRef: string): Promise<void> {
  await tx`
    insert into borrower_lock (pan_digest) select pan_digest from case_file where case_ref = ${caseRef}
    on conflict (pan_digest) do update set pan_digest = excluded.pan_digest`
}

/**
 * Every other running loan and open application of the PAN of a case; one without an offer only if it is recent.
 * `isLater`: without an offer, and after this case.
 */
export const othersOf = (db: Run, caseRef: string, since: Date) => db<Exposure & { caseRef: string; isLater: boolean }>`
  with own as materialized (select case_ref, pan_digest, created_at from case_file where case_ref = ${caseRef})
  select c.case_ref, c.status in ('DISBURSEMENT_PENDING', 'DISBURSED') as is_paid,
    c.status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW')
      and (c.created_at, c.case_ref) > (own.created_at, own.case_ref) as is_later,
    case when l.case_ref is null then coalesce((o.terms->>'amountPaise')::bigint, c.requested_paise, 0)
      else coalesce((select sum(i.principal_paise - i.principal_paid_paise) from installment i where i.case_ref = c.case_ref), 0)::bigint
    end as paise
  from own join case_file c on c.pan_digest = own.pan_digest and c.case_ref <> own.case_ref
  left join loan l on l.case_ref = c.case_ref
  left join lateral (select terms from case_offer f where f.case_ref = c.case_ref order by version desc limit 1) o on true
  where l.status in ('ACTIVE', 'OVERDUE') or c.status in ('OFFERED', 'OFFER_ACCEPTED',
    'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING', 'READY_TO_DISBURSE', 'DISBURSEMENT_PENDING')
    or (c.status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW') and c.created_at >= ${since})`

/** A borrower's total exposure: running loans, and applications that may become loans; by number and amount. */
export interface Exposure {
  /** The money was paid or ordered. */
  isPaid: boolean
  /** A loan's outstanding principal; an application's offered amount, or the requested one until then. */
  paise: Paise
}

/**
 * An application that has waited longer for its offer does not count, so that an abandoned one does not block the
 * borrower.
 */
const waitingDays = 30

/** The start of the period in which applications without an offer count. */
export const countedSince = (at: Date): Date => daysAfter(at, -waitingDays)

export interface ExposureLimits {
  mostLoans: number
  mostPaise: Paise
}

export type ExposureFault = 'TOO_MANY_LOANS' | 'TOO_MUCH_OWED'

/** Why this amount may not be added to what a borrower has; null when it may. */
export function exposureFault(others: Exposure[], added: Paise, limits: ExposureLimits): ExposureFault | null {
  if (others.length >= limits.mostLoans) return 'TOO_MANY_LOANS'
  return owedBy(others) + added > limits.mostPaise ? 'TOO_MUCH_OWED' : null
}

const owedBy = (all: Exposure[]): Paise => all.reduce((sum, { paise }) => sum + paise, 0n)
