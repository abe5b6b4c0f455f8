// POST /dedupe: checks whether existing cases allow an offer. A decline is also answered with 200 (D3 §4.1).

import { jsonBody } from '@lendloom/http/body'
import { answer } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { DedupeReply, type DedupeRequest, readDedupeRequest } from '@lendloom/wire/exchange/dedupe'
import { requireIdempotencyKey } from '@lendloom/wire/exchange/envelope'
import { route } from '#partner/context.ts'
import { checkDuplicate } from '#partner/origination/case/check-duplicate.ts'
import type { DedupeRow } from '#partner/origination/case/store.ts'
import { clientBearer } from './platform-auth.ts'
import { requireOwner } from './require-owner.ts'

export const postDedupe = route({
  method: 'POST',
  path: '/dedupe',
  section: 'D3 §4.1',
  summary: 'Check existing records before an offer; idempotent by request_id',
  auth: clientBearer,
  accepts: 'raw',
  reply: { 200: DedupeReply },
  async handle({ who: client, headers, raw, at }, ctx) {
    const request = readDedupeRequest(jsonBody(raw, String(headers['content-type'])))
    requireIdempotencyKey(headers, request.request_id)
    await requireOwner(ctx, client, request.external_reference_id)
    const { pan, mobile, date_of_birth: bornOn, name } = request.applicant
    const { decision, isReplayed } = await ctx.db.tx((tx) =>
      checkDuplicate(
        { ...ctx, tx, at },
        {
          sender: client.sender,
          requestId: request.request_id,
          caseRef: request.external_reference_id,
          applicant: { pan, mobile, bornOn, name },
          contentDigest: ctx.seal.digest(contentOf(request), 'dedupe request'),
          dedupeReferenceId: uuidv4(),
        },
      ),
    )
    return answer(200, wireDecision(decision), isReplayed ? { 'idempotent-replayed': 'true' } : {})
  },
})

/** Returns the content that a repeated request must match: all documented fields, without additional keys (D3 §9). */
const contentOf = ({ external_reference_id, product, applicant }: DedupeRequest): string =>
  JSON.stringify([
    external_reference_id,
    product,
    applicant.pan,
    applicant.mobile,
    applicant.date_of_birth,
    applicant.name,
  ])

const wireDecision = (row: DedupeRow): DedupeReply => ({
  request_id: row.requestId,
  external_reference_id: row.caseRef,
  dedupe_reference_id: row.dedupeReferenceId,
  match_status: row.matchStatus,
  decision: row.decision,
  reason_code: row.reasonCode,
  reason_message: row.reasonMessage,
  existing_celestium_lead_id: row.existingLeadId,
  existing_celestium_loan_id: row.existingLoanId,
  checked_at: row.checkedAt.toISOString(),
})
