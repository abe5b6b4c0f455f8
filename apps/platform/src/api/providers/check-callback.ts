// POST /api/provider/{kyc|mandate|esign}/{adapter}/callback: receives a provider's signed report on a check of a
// borrower (D3 §6 rule 1).

import { Refusal } from '@lendloom/foundation/refusal'
import { type Arrival, type Auth, answer } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { checkKinds, type PartnerCheck } from '#platform/lenders/partner/partner-check.ts'
import { applyStatusReport } from '#platform/lenders/partner/reactions/checks/apply-check-report.ts'
import { callbackPath } from '#platform/lenders/partner/reactions/checks/check-link.ts'
import type { CheckStatusReport } from '#platform/lenders/partner/reactions/checks/check-report.ts'
import { withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { findCaseByReference, listChecks } from '#platform/lenders/partner/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import { adapterNames } from '#platform/providers/settings.ts'

/**
 * Requires the headers of a signed callback before the body is read. The adapter verifies the signature before it parses
 * the body.
 */
export const signatureAuth = (kind: 'bank-statement' | PartnerCheck['kind'], adapter: string): Auth<Context, null> => ({
  scheme: null,
  isUnproven: true,
  check({ headers, at }) {
    adapterNamed(kind, adapter).checkCallbackHeaders(headers, at)
    return null
  },
})

type CallbackSource = Pick<PartnerCheck, 'kind' | 'adapter'>

interface CallbackContent {
  report: CheckStatusReport
  providerEventId: string | null
}

async function verifyCallback(
  ctx: Context,
  { kind, adapter }: CallbackSource,
  { raw, headers, at }: Arrival,
): Promise<CallbackContent> {
  switch (kind) {
    case 'kyc': {
      const { report, providerEventId } = await adapterNamed(kind, adapter).verifyCallback(ctx, raw, headers, at)
      return { providerEventId, report: { kind, ...report } }
    }
    case 'mandate': {
      const { report, providerEventId } = await adapterNamed(kind, adapter).verifyCallback(ctx, raw, headers, at)
      return { providerEventId, report: { kind, ...report } }
    }
    case 'esign': {
      const { report, providerEventId } = await adapterNamed(kind, adapter).verifyCallback(ctx, raw, headers, at)
      return { providerEventId, report: { kind, ...report } }
    }
  }
}

export const checkCallbackRoutes = checkKinds
  .flatMap((kind): CallbackSource[] => adapterNames[kind].map((adapter) => ({ kind, adapter })))
  .map((source) =>
    route({
      method: 'POST',
      path: callbackPath(source.kind, source.adapter),
      section: 'D3 §6',
      summary: `Receive a signed report of the ${source.kind} provider`,
      auth: signatureAuth(source.kind, source.adapter),
      accepts: 'raw',
      maxBytes: 256 * 1024,
      hidden: true,
      handle: (arrival, ctx) => handleCallback(ctx, source, arrival),
    }),
  )

async function handleCallback(ctx: Context, source: CallbackSource, arrival: Arrival) {
  const { report, providerEventId } = await verifyCallback(ctx, source, arrival)
  const { kind, adapter } = source
  const caseKey = await findCaseByReference(ctx.db, { ...source, providerReference: report.reference })
  if (!caseKey) throw new Refusal('absent', 'there is no such session')
  await withLockedCase(ctx, caseKey, async (tx, caseAndJourney, at) => {
    const check = (await listChecks(tx, caseKey)).findLast(
      (each) => each.kind === kind && each.adapter === adapter && each.providerReference === report.reference,
    )
    if (check) await applyStatusReport({ ...ctx, tx, at }, caseAndJourney, check, { report, providerEventId })
  })
  return answer(200, { received: true })
}
