// The hybrid calls over HTTP after lenders have made offers: the list of offers, and the hand-off to the hosted page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '@lendloom/foundation/schema'
import { hybridApiUnderTest } from '@lendloom/tests/setup/hybrid'
import { ask } from '@lendloom/tests/setup/platform'
import { HybridHandOff, HybridOffers } from '@lendloom/wire/hosted/hybrid'

const { platform, base, offers, goldLoanWithOffer } = await hybridApiUnderTest()
const { url, ctx, tenant, secondTenant } = platform

test('D1 §4: an offer has its price, APR and loan-to-value ratio, and lists the nearest branch first', async () => {
  const { externalId: who } = await goldLoanWithOffer()
  const { body } = await offers('gold-loan', who)
  parse(HybridOffers, body)
  const { status, lenders, poll_after_ms, account_aggregator } = body.data
  assert.equal(status, 'OFFERED')
  assert.equal(poll_after_ms, 2000)
  assert.equal(account_aggregator, null)
  const [offer] = lenders[0].offers
  assert.equal(offer.amount_principal, '200000.00')
  assert.equal(offer.annual_percentage_rate, '16.3%')
  assert.equal(offer.ltv_ratio, '74.07%')
  assert.deepEqual(
    offer.branches.map(({ branch_id, about_km }: { branch_id: string; about_km: number }) => ({ branch_id, about_km })),
    [
      { branch_id: 'fort', about_km: 0 },
      { branch_id: 'chennai', about_km: 1020 },
    ],
  )
})

test('D1 §4: a hand-off selects the offer, and every call returns a new URL', async () => {
  const { externalId: who } = await goldLoanWithOffer()
  const [offer] = (await offers('gold-loan', who)).body.data.lenders[0].offers
  const handOff = (body: object, offerId = offer.offer_id, key = tenant.apiKey) =>
    ask(`${base('gold-loan', who)}/offers/${offerId}/hosted`, { method: 'POST', key, body })
  assert.equal((await handOff({})).body.error.details.field, 'branchID')
  assert.equal((await handOff({ branchID: 'pune' })).body.error.details.field, 'branchID')
  assert.equal((await handOff({ branchID: 'fort', amount: '900000' })).body.error.details.field, 'amount')
  assert.equal((await handOff({ branchID: 'fort' }, undefined, secondTenant.apiKey)).status, 404)
  const first = await handOff({ branchID: 'fort', amount: '150000', tenureMonths: 6 })
  parse(HybridHandOff, first.body)
  const second = await handOff({})
  assert.equal(first.status, 200)
  assert.equal(second.status, 200)
  assert.notEqual(first.body.data.hosted_url, second.body.data.hosted_url)
  const token = new URLSearchParams(new URL(second.body.data.hosted_url).hash.slice(1)).get('token')
  const { view } = (await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })).body
  assert.equal(view.screen, 'FINALISING')
  assert.equal(view.status, 'OFFER_SELECTED')
  assert.equal(view.selected.amount, '150000.00')
  assert.equal(view.selected.branch.id, 'fort')
  const [journey] = await ctx.db<{
    lenderMode: string
  }>`select lender_mode from journey where journey_id = ${view.journeyId}`
  assert.equal(journey!.lenderMode, 'OFFLINE')
})

test('D1 §4, D2 §3: a repeated hand-off with another branch, amount or term is refused', async () => {
  const { externalId: who } = await goldLoanWithOffer()
  const [offer] = (await offers('gold-loan', who)).body.data.lenders[0].offers
  const handOff = (body: object) =>
    ask(`${base('gold-loan', who)}/offers/${offer.offer_id}/hosted`, { method: 'POST', key: tenant.apiKey, body })
  const choice = { branchID: 'fort', amount: '150000', tenureMonths: 6 }
  assert.equal((await handOff(choice)).status, 200)
  assert.equal((await handOff(choice)).status, 200)
  for (const [name, value] of Object.entries({ branchID: 'chennai', amount: '160000', tenureMonths: 12 })) {
    const { status, body } = await handOff({ ...choice, [name]: value })
    assert.equal(status, 409, name)
    assert.equal(body.error.code, 'STATE_PRECONDITION_FAILED', name)
    assert.equal(body.error.details.field, name)
    assert.equal(body.error.details.proceedBoundaryState, 'LOCKED')
  }
})

test('the refusal of an invalid pledge names the field as sent', async () => {
  const { externalId: who } = await goldLoanWithOffer()
  const [offer] = (await offers('gold-loan', who)).body.data.lenders[0].offers
  const handOff = async (pledges: unknown) => {
    const call = { method: 'POST', key: tenant.apiKey, body: { branchID: 'fort', pledges } }
    const { status, body } = await ask(`${base('gold-loan', who)}/offers/${offer.offer_id}/hosted`, call)
    return { status, code: body.error.code, field: body.error.details.field }
  }
  const refusalAt = (field: string) => ({ status: 400, code: 'VALIDATION_FAILED', field })
  assert.deepEqual(await handOff([{ scheme_code: 'FLEXG', units: '1.000' }]), refusalAt('pledges'))
  assert.deepEqual(await handOff([{ scheme_code: 'FLEXG', units: '1,000' }]), refusalAt('pledges.0.units'))
  assert.deepEqual(
    await handOff([{ schemeCode: 'FLEXG', scheme_code: 'FLEXG', units: '1' }]),
    refusalAt('pledges.0.schemeCode'),
  )
  assert.deepEqual(await handOff([{ units: '1' }]), refusalAt('pledges.0.scheme_code'))
})

test('D1 §4: a repeated Idempotency-Key replays the URL of its hand-off, or is refused with another body', async () => {
  const { externalId: who } = await goldLoanWithOffer()
  const [offer] = (await offers('gold-loan', who)).body.data.lenders[0].offers
  const handOff = (body: object, key: string) =>
    ask(`${base('gold-loan', who)}/offers/${offer.offer_id}/hosted`, {
      method: 'POST',
      key: tenant.apiKey,
      body,
      headers: { 'idempotency-key': key },
    })
  const replies = await Promise.all(Array.from({ length: 8 }, () => handOff({ branchID: 'fort' }, 'hand-1')))
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(8).fill(200),
  )
  assert.equal(new Set(replies.map(({ body }) => body.data.hosted_url)).size, 1)
  assert.equal((await handOff({ branchID: 'chennai' }, 'hand-1')).status, 422)
  const withNewKey = await handOff({ branchID: 'fort' }, 'hand-2')
  assert.notEqual(withNewKey.body.data.hosted_url, replies[0]!.body.data.hosted_url)
  assert.equal((await handOff({}, 'x'.repeat(256))).status, 400)
})
