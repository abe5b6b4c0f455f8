// POST /api/provider/{kyc|mandate|esign}/callback: a provider's signed word on one of our sessions (D3 §6 rule 1).

import { Refusal } from '#kit/http/refusal.ts'
import { type Arrival, answer } from '#kit/http/server.ts'
import { underLock } from '#platform/application/partner/case-job.ts'
import type { CheckStatusReport } from '#platform/application/partner/checks/status-report.ts'
import { takeStatusReport } from '#platform/application/partner/checks/take.ts'
import { type Context, route } from '#platform/context.ts'
import type { CheckKind } from '#platform/exchange/check.ts'
import { checkByReference } from '#platform/exchange/store.ts'
import { verifyEsignCallback } from '#platform/provider/esign.ts'
import { verifyKycCallback } from '#platform/provider/kyc.ts'
import { verifyMandateCallback } from '#platform/provider/mandate.ts'

/** The signature is looked at by whoever reads the callback, with the provider's own secret, before anything is parsed. */
const byItsSignature = { scheme: null, check: () => null }

interface CallbackReading {
  report: CheckStatusReport
  providerEventId: string
}

const readers: Record<CheckKind, (ctx: Context, arrival: Arrival) => CallbackReading> = {
  kyc(ctx, { raw, headers, at }) {
    const { report, providerEventId } = verifyKycCallback(ctx, raw, headers, at)
    return { providerEventId, report: { kind: 'kyc', ...report } }
  },
  mandate(ctx, { raw, headers, at }) {
    const { report, providerEventId } = verifyMandateCallback(ctx, raw, headers, at)
    return { providerEventId, report: { kind: 'mandate', ...report } }
  },
  esign(ctx, { raw, headers, at }) {
    const { report, providerEventId } = verifyEsignCallback(ctx, raw, headers, at)
    return { providerEventId, report: { kind: 'esign', ...report } }
  },
}

export const callbacks = (Object.keys(readers) as CheckKind[]).map((kind) =>
  route({
    method: 'POST',
    path: `/api/provider/${kind}/callback`,
    section: 'D3 §6',
    summary: `Take the signed word of the ${kind} provider`,
    auth: byItsSignature,
    accepts: 'raw',
    maxBytes: 256 * 1024,
    hidden: true,
    handle: (arrival, ctx) => received(ctx, kind, arrival),
  }),
)

async function received(ctx: Context, kind: CheckKind, arrival: Arrival) {
  const { report, providerEventId } = readers[kind](ctx, arrival)
  const check = await checkByReference(ctx.db, kind, report.reference)
  if (!check) throw new Refusal('absent', 'there is no such session')
  await underLock(ctx, check, async (tx, concerned, at) => {
    const now = (await checkByReference(tx, kind, report.reference))!
    await takeStatusReport(tx, ctx, concerned, now, report, providerEventId, at)
  })
  return answer(200, { received: true })
}
