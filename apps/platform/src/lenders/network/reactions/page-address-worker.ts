// Gives the borrower the address that the address of a lender's page answers with (FIS12 §7.7).

import { required } from '@lendloom/foundation/required'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import { enqueue, finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import { addressBehind } from '#platform/lenders/network/form-worker.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { replacePaymentPage } from '#platform/lending/servicing/store.ts'
import { replaceStepPage } from '#platform/lending/step/store.ts'

const pageLookupKind = 'lender-page'

/** An order names fewer pages; more would be a fault of the lender. */
const maxPageLookups = 5

interface PageLookup {
  journeyId: string
  /** The sealed address of the page in base64. */
  page?: string
  /** The address in a job of an earlier version. */
  url?: string
}

export const pageLookupContext = (tenantId: string, journeyId: string): string => `lender_page:${tenantId}:${journeyId}`

/** Looks up the borrower's pages in an order on preprod, where an address may answer with another one (FIS12 §7.7). */
export async function schedulePageLookups(
  { tx, at, config, seal }: TxContext,
  { tenantId, journeyId }: Journey,
  { form, servicing }: LenderOrder,
): Promise<void> {
  if (config.NETWORK !== 'preprod') return
  const pages = [form?.mimeType === 'application/html' ? form.url : null, ...servicing.map(({ url }) => url)]
  const known = [...new Set(pages.filter((page) => page !== null))]
  for (const url of known.slice(0, maxPageLookups)) {
    const page = seal.json(url, pageLookupContext(tenantId, journeyId)).toString('base64')
    const payload = { journeyId, page } satisfies PageLookup
    await enqueue(tx, { tenantId, kind: pageLookupKind, payload, dueAt: at })
  }
}

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
