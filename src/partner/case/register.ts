// A lead becomes a case: one for each reference, with its ids reserved and its files expected (D3 §1.1 rule 2, §3).

import type { DataOf } from '#contract/exchange/envelope.ts'
import { paiseOf } from '#contract/exchange/fields.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#partner/context.ts'
import { type Applicant, digestsOf } from './applicant.ts'
import { dedupeFault } from './dedupe.ts'
import { type Case, leadContext } from './lifecycle.ts'
import { moveCase } from './move.ts'
import { addSearchKeys, keysOfLead } from './search/store.ts'
import { findPermission, insertCase, lockCase } from './store.ts'

export interface Lead {
  sender: string
  caseRef: string
  /** The LEAD_SUBMITTED that brings it. */
  eventId: string
  product: string
  dedupeReferenceId: string
  applicant: Applicant
  /** The complete lead, sealed. */
  whole: DataOf<'LEAD_SUBMITTED'>
  /** Whether files are expected that are not there yet. */
  awaitsDocuments: boolean
  /** Reserved for it, both numeric strings. */
  leadId: string
  loanId: string
}

/**
 * Creates the case. Refused: `invalid` when the dedupe decision is missing, stale, no PROCEED or for another applicant ·
 * `locked` when there is a case of this reference already.
 */
export async function register(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { applicant, whole, awaitsDocuments, dedupeReferenceId, eventId, ...lead }: Lead,
): Promise<Case> {
  const { tx, at } = ctx
  const digests = digestsOf(ctx.seal, applicant)
  const permission = await findPermission(tx, lead.caseRef, dedupeReferenceId)
  const faultWithin = (hours: number) => dedupeFault(permission, { ...lead, ...digests }, hours, at)
  const fault = faultWithin(ctx.config.PARTNER_DEDUPE_HOURS)
  if (fault) {
    const path = 'data.dedupe_reference_id'
    // Only its age is wrong: a lead with a new check would be accepted.
    const retryable = faultWithin(Number.POSITIVE_INFINITY) === null
    throw new Refusal('invalid', `${path} ${fault}`, { field: path, fields: [{ path, message: fault }], retryable })
  }
  const fresh = await insertCase(
    tx,
    {
      ...lead,
      ...digests,
      mandateRequired: ctx.config.PARTNER_MANDATE === 'required',
      sourceEventId: eventId,
      requestedPaise: paiseOf(whole.proposed_offer.loan_amount),
      leadSealed: ctx.seal.json(whole, leadContext(lead.caseRef)),
    },
    at,
  )
  if (!fresh) throw new Refusal('locked', 'there is a case of this reference already')
  await addSearchKeys(tx, lead.caseRef, keysOfLead(ctx.seal, whole))
  const loanCase = await lockCase(tx, lead.caseRef)
  return moveCase(tx, loanCase, awaitsDocuments ? 'awaitDocuments' : 'documentsStored', at)
}
