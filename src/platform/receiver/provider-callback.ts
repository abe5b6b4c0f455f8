// POST /api/provider/{kyc|mandate|esign}/{adapter}/callback: takes a provider's signed report on a session that we began there (D3 §6 rule 1).

import { Refusal } from '#kit/http/refusal.ts'
import { type Arrival, answer } from '#kit/http/server.ts'
import { underLock } from '#platform/application/partner/case-job.ts'
import type { CheckStatusReport } from '#platform/application/partner/checks/status-report.ts'
import { applyStatusReport, callbackPath } from '#platform/application/partner/checks/take.ts'
import { type Context, route } from '#platform/context.ts'
import { checkKinds, type PartnerCheck } from '#platform/exchange/case.ts'
import { caseByReference, listChecks } from '#platform/exchange/store.ts'
import { adapterNamed } from '#platform/provider/adapters.ts'
import { adapterNames } from '#platform/provider/settings.ts'

/** The callback's reader verifies the signature with the provider's own secret, before parsing. */
export const byItsSignature = { scheme: null, check: () => null }

type CallbackSource = Pick<PartnerCheck, 'kind' | 'adapter'>

interface CallbackContent {
  report: CheckStatusReport
  providerEventId: string | null
}

async function reading(
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

export const callbacks = checkKinds
  .flatMap((kind): CallbackSource[] => adapterNames[kind].map((adapter) => ({ kind, adapter })))
  .map((from) =>
    route({
      method: 'POST',
      path: callbackPath(from.kind, from.adapter),
      section: 'D3 §6',
      summary: `Take the signed word of the ${from.kind} provider`,
      auth: byItsSignature,
      accepts: 'raw',
      maxBytes: 256 * 1024,
      hidden: true,
      handle: (arrival, ctx) => received(ctx, from, arrival),
    }),
  )

async function received(ctx: Context, from: CallbackSource, arrival: Arrival) {
  const { report, providerEventId } = await reading(ctx, from, arrival)
  const { kind, adapter } = from
  const place = await caseByReference(ctx.db, { ...from, providerReference: report.reference })
  if (!place) throw new Refusal('absent', 'there is no such session')
  await underLock(ctx, place, async (tx, concerned, at) => {
    const check = (await listChecks(tx, place)).findLast(
      (one) => one.kind === kind && one.adapter === adapter && one.providerReference === report.reference,
    )
    if (check) await applyStatusReport({ ...ctx, tx, at }, concerned, check, { report, providerEventId })
  })
  return answer(200, { received: true })
}
