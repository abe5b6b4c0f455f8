// Gives the borrower the address that the address of a lender's page answers with (FIS12 §7.7).

import { required } from '@lendloom/foundation/required'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import { finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { addressBehind } from '#platform/lenders/network/form-worker.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { replacePaymentPage } from '#platform/lending/servicing/store.ts'
import { replaceStepPage } from '#platform/lending/step/store.ts'
import { type PageLookup, pageLookupContext, pageLookupKind } from './apply-message.ts'

export const pageAddressWorker = (ctx: Context): Worker =>
  work<PageLookup>({ kind: pageLookupKind, ...ctx, handle: (job) => replaceAddress(ctx, job) })

async function replaceAddress(ctx: Context, job: Job<PageLookup>): Promise<void> {
  const { journeyId, page, url: plainUrl = null } = job.payload
  const sealed = page === undefined ? null : Buffer.from(page, 'base64')
  const url = required(
    plainOrSealed(ctx.seal, plainUrl, sealed, pageLookupContext(job.tenantId, journeyId)),
    'the page',
  )
  const address = await addressBehind(ctx, url)
  await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    await finish(tx, job)
    if (!journey || address === null) return
    await replaceStepPage({ ...ctx, tx }, journey, url, address)
    await replacePaymentPage({ ...ctx, tx }, journey, url, address)
    await updateJourney(tx, journey, {}, ctx.clock())
  })
}
