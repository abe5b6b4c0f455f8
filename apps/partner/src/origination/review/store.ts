// Tables case_offer and case_review: offers with the borrower's decisions on them, and the lender's reviews.

import { required } from '@lendloom/foundation/required'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { OfferDecision } from '@lendloom/wire/exchange/event/decision'
import { type TermsJson, termsFromJson, termsToJson } from '#partner/origination/terms/terms.ts'
import type { Offer } from './offer.ts'

type OfferRow = Omit<Offer, 'terms'> & { terms: TermsJson }
const offerFrom = (row: OfferRow): Offer => ({ ...row, terms: termsFromJson(row.terms) })

/** Stores an offer, with the digest of the token of its page. */
export async function insertOffer(tx: Tx, offer: Offer, kfsDigest: Buffer): Promise<void> {
  const { caseRef, offerId, version, validUntil, createdAt } = offer
  const terms = termsToJson(offer.terms)
  await tx`insert into case_offer ${tx({ caseRef, offerId, version, terms, validUntil, kfsDigest, createdAt })}`
}

/** Returns the newest offer of a case; undefined without one. */
export async function currentOffer(db: Run, caseRef: string): Promise<Offer | undefined> {
  const [row] = await db<OfferRow>`
    select case_ref, offer_id, version, terms, valid_until, decision, source_event_id, decided_at, recorded_at, created_at
    from case_offer where case_ref = ${caseRef} order by version desc limit 1`
  return row && offerFrom(row)
}

/** Returns all offers of a case, the newest last. */
export async function offersOf(db: Run, caseRef: string): Promise<Offer[]> {
  const rows = await db<OfferRow>`
    select case_ref, offer_id, version, terms, valid_until, decision, source_event_id, decided_at, recorded_at, created_at
    from case_offer where case_ref = ${caseRef} order by version`
  return rows.map(offerFrom)
}

/** Returns the newest offer of a case. Throws if the case has no offer. */
export const readOffer = async (db: Run, caseRef: string): Promise<Offer> =>
  required(await currentOffer(db, caseRef), `the offer of case ${caseRef}`)

/** Returns the offer whose page token has this digest. */
export async function offerByKfs(db: Run, kfsDigest: Buffer): Promise<Offer | undefined> {
  const [row] = await db<OfferRow>`
    select case_ref, offer_id, version, terms, valid_until, decision, source_event_id, decided_at, recorded_at, created_at
    from case_offer where kfs_digest = ${kfsDigest}`
  return row && offerFrom(row)
}

export interface DecisionRow {
  decision: OfferDecision
  /** The event that contained the decision; null if the partner expired the offer. */
  sourceEventId: string | null
  decidedAt: Date
  recordedAt: Date
}

/** Records the decision on an offer, unless it has one. */
export async function recordDecision(tx: Tx, { caseRef, offerId }: Offer, row: DecisionRow): Promise<void> {
  await tx`
    update case_offer set decision = ${row.decision}, source_event_id = ${row.sourceEventId},
      decided_at = ${row.decidedAt}, recorded_at = ${row.recordedAt}
    where case_ref = ${caseRef} and offer_id = ${offerId} and decision = 'PENDING'`
}

/** Selects undecided offers, the earliest expiry first. */
const undecided = (before: Date | null): Fragment => sql`
  from case_offer o join case_file c on c.case_ref = o.case_ref and c.status = 'OFFERED'
  where o.decision = 'PENDING' ${before ? sql`and o.valid_until < ${before}` : sql``} order by o.valid_until`

/** Returns cases with an undecided offer whose validity ended before `before`. */
export const lapsedOffers = (db: Run, before: Date, limit: number) =>
  db<{ caseRef: string }>`select o.case_ref ${undecided(before)} limit ${limit}`

/** Selects when the grace period of the next undecided offer ends. */
export const nextLapse = (graceMinutes: number): Fragment =>
  sql`select o.valid_until + make_interval(mins => ${graceMinutes}::integer) ${undecided(null)} limit 1`

export interface Review {
  caseRef: string
  reviewId: string
  kind: 'APPLICATION' | 'KYC'
  decision: 'APPROVED' | 'REJECTED'
  reviewerReference: string
  reasonCode: string | null
  reasonMessage: string | null
  offerId: string | null
  /** The event that reported the review to the platform. */
  eventId: string
  reviewedAt: Date
}

/** Stores a review. */
export async function insertReview(tx: Tx, review: Review): Promise<void> {
  await tx`insert into case_review ${tx({ ...review })}`
}
