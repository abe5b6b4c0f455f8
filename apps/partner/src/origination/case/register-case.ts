// Creates a case from a lead, at most one per reference, with reserved ids (D3 §1.1 rule 2, §3).

import { Refusal } from '@lendloom/foundation/refusal'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { TxContext } from '#partner/context.ts'
import { type Applicant, digestsOf } from './applicant-digests.ts'
import { dedupeFault } from './dedupe-decision.ts'
import { type Case, leadContext } from './lifecycle.ts'
import { moveCase } from './move-case.ts'
import { keysOfLead } from './search/search-key.ts'
import { addSearchKeys } from './search/store.ts'
import { findDedupeDecision, insertCase, lockCase } from './store.ts'

export interface Lead {
  sender: string
  caseRef: string
  /** The id of the LEAD_SUBMITTED event. */
  eventId: string
  product: string
  dedupeReferenceId: string
  applicant: Applicant
  /** Stored encrypted. */
  completeLead: DataOf<'LEAD_SUBMITTED'>
  /** Whether expected files have not arrived yet. */
  awaitsDocuments: boolean
  /** `leadId` and `loanId` are reserved ids, both strings of digits. */
  leadId: string
  loanId: string
}

/**
 * Creates the case. Throws `invalid` if the dedupe decision is missing, too old, not a PROCEED or for another
 * applicant. Throws `locked` if the reference already has a case.
 */
export async function registerCase(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { applicant, completeLead, awaitsDocuments, dedupeReferenceId, eventId, ...lead }: Lead,
): Promise<Case> {
  const { tx, at } = ctx
  const digests = digestsOf(ctx.seal, applicant)
  const dedupeRecord = await findDedupeDecision(tx, lead.caseRef, dedupeReferenceId)
  const faultWithin = (hours: number) => dedupeFault(dedupeRecord, { ...lead, ...digests }, hours, at)
  const fault = faultWithin(ctx.config.PARTNER_DEDUPE_HOURS)
  if (fault) {
    const path = 'data.dedupe_reference_id'
    // If the dedupe decision is only too old, the platform can send the lead again with a new one.
    const retryable = faultWithin(Number.POSITIVE_INFINITY) === null
    throw new Refusal('invalid', `${path} ${fault}`, { field: path, fields: [{ path, message: fault }], retryable })
  }
  const isInserted = await insertCase(
    tx,
    {
      ...lead,
      ...digests,
      mandateRequired: ctx.config.PARTNER_MANDATE === 'required',
      sourceEventId: eventId,
      requestedPaise: paiseOf(completeLead.proposed_offer.loan_amount),
      leadSealed: ctx.seal.json(completeLead, leadContext(lead.caseRef)),
    },
    at,
  )
  if (!isInserted) throw new Refusal('locked', 'this reference already has a case')
  await addSearchKeys(tx, lead.caseRef, keysOfLead(ctx.seal, completeLead))
  const loanCase = await lockCase(tx, lead.caseRef)
  return moveCase(tx, loanCase, awaitsDocuments ? 'awaitDocuments' : 'documentsStored', at)
}
