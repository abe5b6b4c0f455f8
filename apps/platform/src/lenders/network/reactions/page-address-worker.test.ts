// Pages of the network's test service, whose address answers with the address of the page, over real HTTP.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sealPlainValues } from '@lendloom/postgres/seal-plain'
import { sql } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import { formUrlOf } from '#platform/lenders/network/conversation.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { sendInit } from '#platform/lenders/network/lender-requests.ts'
import { storeUnsolicited } from '#platform/lenders/network/servicing/apply-loan-message.ts'
import { paymentUrlOf } from '#platform/lending/servicing/operation.ts'
import { insertServicing, listServicing } from '#platform/lending/servicing/store.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { pageUrlOf } from '#platform/lending/step/step.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'
import { plainLinks } from '#platform/sealed-columns.ts'
import { onLoanCallback } from './appliers/loan-callback.ts'
import { pageAddressWorker } from './page-address-worker.ts'

const network = await fakeNetwork()
const dynamic = (formUrl: string) => () => ({ status: 200, body: { success: true, type: 'dynamic', formUrl } })

const target = 'https://forms.example/esign?direct=true'

async function startPlatform(env: Record<string, string>) {
  const platform = await testSubscriber(network.url, { env })
  const { ctx, url } = platform
  const { journeyAtLender } = lenderJourneys(network, platform)
  const applyByDefault = platform.onApply.run
  platform.onApply.run = async (tx, of, journey, conversation, inbound, at) => {
    if (inbound.type !== 'on_init') return applyByDefault(tx, of, journey, conversation, inbound, at)
    return onLoanCallback({ ...of, tx, at }, journey, conversation, inbound as InboundMessage<'on_init'>)
  }
  const worker = pageAddressWorker(ctx)
  after(() => worker.stop())
  const waitForLookups = () =>
    waitFor(async () => (await ctx.db`select 1 from job where kind = 'lender-page'`).length === 0)
  return {
    ctx,
    journeyAtLender,
    /** The lender requests the mandate at this page; returns the page after the look-up. */
    async mandatePageFrom(pageUrl: string) {
      const loan = await journeyAtLender('PERSONAL_LOAN', 'KYC_DONE', { formId: 'F' }, async () => {})
      await loan.underJourneyLock(async (tx, journey, conversation, at) =>
        sendInit({ ...ctx, tx, at }, conversation, await finalTermsOf(tx, ctx, journey)),
      )
      const { networkTransactionId: transactionId } = await loan.journey()
      const { message_id: messageId } = (await network.nextCall('/ondc/init', transactionId)).body.context
      const message = exampleOf('on_init_2', network)
      message.order.items[0].xinput.form.url = pageUrl
      await network.postSigned(url, network.callback('on_init', { transactionId, messageId, message }))
      await waitFor(async () => (await loan.step('eMandate')).status === 'READY')
      await waitForLookups()
      return pageUrlOf(ctx.seal, await loan.journey(), await loan.step('eMandate'))
    },
    /** The lender sends a link for a payment; returns the link after the look-up. */
    async paymentPageFrom(pageUrl: string) {
      const message = exampleOf('on_update_foreclosure', network)
      message.order.payments[0].url = pageUrl
      const change = { orderId: message.order.id }
      const loan = await journeyAtLender('PERSONAL_LOAN', 'DISBURSED', change, async (tx, journey, at) => {
        const key = { tenantId: journey.tenantId, journeyId: journey.journeyId, operationId: uuidv7(at.getTime()) }
        const empty = { serialNumber: null, requestedPaise: null, paymentId: null, transactionId: null, reason: null }
        const amounts = {
          amountPaise: 1n,
          interestPaise: null,
          chargesPaise: null,
          paidPaise: null,
          savedPaise: null,
          claimedOn: null,
        }
        const operation = {
          ...key,
          kind: 'FORECLOSURE',
          status: 'LINK_READY',
          url: pageUrl,
          urlSealed: null,
          asks: 1,
        } as const
        await insertServicing(tx, { ...operation, ...empty, ...amounts, requestedAt: at, updatedAt: at })
      })
      const { networkTransactionId: transactionId, ...journey } = await loan.journey()
      await network.postSigned(url, network.callback('on_update', { transactionId, message }))
      await platform.waitForInbound({ ...journey, networkTransactionId: transactionId }, 'on_update')
      await waitForLookups()
      return paymentUrlOf(ctx.seal, (await listServicing(ctx.db, journey))[0]!)
    },
  }
}

test('FIS12 §7.7: on the network of preprod, a page or payment link gets the address in its JSON answer', async () => {
  const { mandatePageFrom, paymentPageFrom } = await startPlatform({ NETWORK: 'preprod' })
  network.on('GET /form/dynamic', dynamic(target))
  assert.equal(await mandatePageFrom(`${network.url}/form/dynamic`), target)
  assert.equal(await paymentPageFrom(`${network.url}/form/dynamic`), target)
  network.on('GET /form/script', dynamic('javascript:alert(1)'))
  network.on('GET /form/large', () => ({ status: 200, body: 'x'.repeat(2 << 20) }))
  network.on('GET /form/busy', () => ({ status: 503, body: { type: 'dynamic', formUrl: target } }))
  for (const kept of ['/form/page', '/form/script', '/form/large', '/form/busy'].map((path) => network.url + path))
    assert.equal(await mandatePageFrom(kept), kept)
})

test('FIS12 §7.7: on every other network no page of the borrower is fetched', async () => {
  const { mandatePageFrom } = await startPlatform({ NETWORK: 'prod' })
  let fetches = 0
  network.on('GET /form/counted', () => {
    fetches++
    return dynamic(target)()
  })
  assert.equal(await mandatePageFrom(`${network.url}/form/counted`), `${network.url}/form/counted`)
  assert.equal(fetches, 0)
})

/** A loan whose step, payment and form are on the page `pageUrl`. */
async function linksOf({ ctx, journeyAtLender }: Awaited<ReturnType<typeof startPlatform>>, pageUrl: string) {
  const change = { formId: 'F', formUrl: pageUrl, submissionId: null }
  const loan = await journeyAtLender('PERSONAL_LOAN', 'DISBURSED', change, async (tx, journey, at) => {
    const page = { url: pageUrl, formId: 'F' }
    await markStepReady({ ...ctx, tx }, journey, { name: 'eMandate', page, at })
    const payment = { label: 'MISSED_EMI_PAYMENT', status: 'NOT-PAID', id: 'P', amount: 1n, url: pageUrl } as never
    await storeUnsolicited({ ...ctx, tx, at }, journey, [payment])
  })
  const journey = await loan.journey()
  const { tenantId, journeyId } = journey
  const own = sql`bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return {
    journey,
    async read() {
      const [operation] = await listServicing(ctx.db, journey)
      return {
        mandate: pageUrlOf(ctx.seal, journey, await loan.step('eMandate')),
        payment: paymentUrlOf(ctx.seal, operation!),
        form: formUrlOf(ctx.seal, await loan.currentConversation()),
      }
    },
    /** Stores the address as the previous version did. */
    async storePlain() {
      await ctx.db`update step set resource_url = ${pageUrl}, resource_url_sealed = null where ${own} and name = 'eMandate'`
      await ctx.db`update servicing set url = ${pageUrl}, url_sealed = null where ${own}`
      await ctx.db`
        update conversation set form_url = ${pageUrl}, form_url_sealed = null, profile_form_url = ${pageUrl}, profile_form_url_sealed = null
        where ${own}`
    },
  }
}

test('D1 §6.6: the database without its keys opens no page of a borrower at a lender', async () => {
  const platform = await startPlatform({ NETWORK: 'preprod' })
  const token = uuidv7(0)
  const pageUrl = `${network.url}/form/${token}`
  network.on(`GET /form/${token}`, () => ({ status: 200, body: 'a page' }))
  const { read } = await linksOf(platform, pageUrl)
  assert.deepEqual(await read(), { mandate: pageUrl, payment: pageUrl, form: pageUrl })
  assert.equal(await platform.mandatePageFrom(pageUrl), pageUrl)
  assert.deepEqual(await tablesWith(platform.ctx.db, token), [])
})

test('D1 §6.6: links that the previous version stored in clear still work, and are sealed by the worker, and an erasure deletes both', async () => {
  const platform = await startPlatform({ NETWORK: 'prod' })
  const { db, seal, clock } = platform.ctx
  const token = uuidv7(1)
  const pageUrl = `https://lender.example/${token}`
  const { journey, read, storePlain } = await linksOf(platform, pageUrl)
  const sealedTables = async () => (await tablesWith(db, token)).toSorted()
  await storePlain()
  assert.deepEqual(await read(), { mandate: pageUrl, payment: pageUrl, form: pageUrl })
  assert.deepEqual(await sealedTables(), ['conversation', 'servicing', 'step'])
  for (const column of plainLinks) await sealPlainValues(db, seal, column)
  assert.deepEqual(await sealedTables(), [])
  assert.deepEqual(await read(), { mandate: pageUrl, payment: pageUrl, form: pageUrl })
  const erased = { profileSealed: Buffer.alloc(0), networkTransactionId: uuidv7(2), erasedAt: clock() }
  await db.tx((tx) => eraseJourneyRows(tx, journey, erased))
  assert.deepEqual(await read(), { mandate: null, payment: null, form: null })
  await storePlain()
  await db.tx((tx) => eraseJourneyRows(tx, journey, { ...erased, networkTransactionId: uuidv7(3) }))
  assert.deepEqual(await sealedTables(), [])
})
