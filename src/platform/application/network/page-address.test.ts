// Pages of the network's test service, whose address answers with the address of the page, over real HTTP.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { init } from '#platform/network/ask-lender.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { insertServicing, listServicing } from '#platform/servicing/store.ts'
import { finalTermsOf } from '#platform/step/store.ts'
import { exampleOf, fakeNetwork } from '#test/setup/network.ts'
import { testSubscriber, waitFor } from '#test/setup/subscriber.ts'
import { lenderJourneys } from '#test/setup/under-way.ts'
import { onLoanCallback } from './apply/loan.ts'
import { pageAddressWorker } from './page-address.ts'

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
    /** The lender requests the mandate at this page; returns the page after the look-up. */
    async mandatePageFrom(pageUrl: string) {
      const loan = await journeyAtLender('PERSONAL_LOAN', 'KYC_DONE', { formId: 'F' }, async () => {})
      await loan.underJourneyLock(async (tx, journey, conversation, at) =>
        init({ ...ctx, tx, at }, conversation, await finalTermsOf(tx, ctx, journey)),
      )
      const { networkTransactionId: transactionId } = await loan.journey()
      const { message_id: messageId } = (await network.nextCall('/ondc/init', transactionId)).body.context
      const message = exampleOf('on_init_2', network)
      message.order.items[0].xinput.form.url = pageUrl
      await network.postSigned(url, network.callback('on_init', { transactionId, messageId, message }))
      await waitFor(async () => (await loan.step('eMandate')).status === 'READY')
      await waitForLookups()
      return (await loan.step('eMandate')).resourceUrl
    },
    /** The lender sends a link for a payment; returns the link after the look-up. */
    async paymentPageFrom(pageUrl: string) {
      const message = exampleOf('on_update_foreclosure', network)
      message.order.payments[0].url = pageUrl
      const change = { orderId: message.order.id }
      const loan = await journeyAtLender('PERSONAL_LOAN', 'DISBURSED', change, async (tx, journey, at) => {
        const key = { tenantId: journey.tenantId, journeyId: journey.journeyId, operationId: uuidv7(at.getTime()) }
        const empty = { serialNumber: null, requestedPaise: null, paymentId: null, transactionId: null, reason: null }
        const amounts = { amountPaise: 1n, interestPaise: null, chargesPaise: null, paidPaise: null, claimedOn: null }
        const operation = { ...key, kind: 'FORECLOSURE', status: 'LINK_READY', url: pageUrl, asks: 1 } as const
        await insertServicing(tx, { ...operation, ...empty, ...amounts, requestedAt: at, updatedAt: at })
      })
      const { networkTransactionId: transactionId, ...journey } = await loan.journey()
      await network.postSigned(url, network.callback('on_update', { transactionId, message }))
      await platform.waitForInbound({ ...journey, networkTransactionId: transactionId }, 'on_update')
      await waitForLookups()
      return (await listServicing(ctx.db, journey))[0]!.url
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
