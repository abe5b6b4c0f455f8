// GET /status: a consistent snapshot of a case; never creates a case (D3 §4.4).

import { Refusal } from '@lendloom/foundation/refusal'
import { requireRequestId } from '@lendloom/wire/exchange/envelope'
import { SnapshotStatus, StatusQuery } from '@lendloom/wire/exchange/snapshot'
import { route } from '#partner/context.ts'
import { readCaseSnapshot } from './case-snapshot.ts'
import { clientBearer } from './platform-auth.ts'

export const getStatus = route({
  method: 'GET',
  path: '/status',
  section: 'D3 §4.4',
  summary: 'Case, loan, statement, schedule and payments in one consistent snapshot',
  auth: clientBearer,
  query: StatusQuery,
  reply: { 200: SnapshotStatus },
  async handle({ who: client, headers, query }, ctx): Promise<SnapshotStatus> {
    const requestId = requireRequestId(headers)
    const caseRef = query.external_reference_id
    const snapshot = await ctx.db.snapshot((db) => readCaseSnapshot(db, ctx, client.sender, caseRef))
    if (!snapshot) throw new Refusal('absent', 'there is no case with this reference')
    return { request_id: requestId, external_reference_id: caseRef, ...snapshot }
  },
})
