// POST /api/provider/bank-statement/{adapter}/callback: receives an analyser's signed report on a bank statement
// (D3 §2.3).
import { Refusal } from '@lendloom/foundation/refusal'
import { type Arrival, answer } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { applyStatementReport } from '#platform/lenders/partner/reactions/statement/apply-statement-report.ts'
import { statementCallbackPath } from '#platform/lenders/partner/reactions/statement/statement-link.ts'
import { findCaseByReference } from '#platform/lenders/partner/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import { adapterNames } from '#platform/providers/settings.ts'
import { signatureAuth } from './check-callback.ts'

export const statementCallbackRoutes = adapterNames['bank-statement'].map((adapter) =>
  route({
    method: 'POST',
    path: statementCallbackPath(adapter),
    section: 'D3 §2.3',
    summary: 'Receive a signed report of the statement analyser',
    auth: signatureAuth('bank-statement', adapter),
    accepts: 'raw',
    maxBytes: 1 << 20,
    hidden: true,
    handle: (arrival, ctx) => handleCallback(ctx, adapter, arrival),
  }),
)

async function handleCallback(ctx: Context, adapter: string, { raw, headers, at: receivedAt }: Arrival) {
  const { report } = await adapterNamed('bank-statement', adapter).verifyCallback(ctx, raw, headers, receivedAt)
  const request = { adapter, providerReference: report.reference }
  const caseKey = await findCaseByReference(ctx.db, { kind: 'bank-statement', ...request })
  if (!caseKey) throw new Refusal('absent', 'there is no such request')
  await withLockedCase(ctx, caseKey, (tx, caseAndJourney, at) =>
    applyStatementReport({ ...ctx, tx, at }, caseAndJourney, request, report),
  )
  return answer(200, { received: true })
}
