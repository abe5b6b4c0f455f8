// Every fault rule for loans against mutual funds.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { json } from '@lendloom/tests/setup/sandbox/buyer'
import { approveConsent } from '@lendloom/tests/setup/sandbox/consent'
import { formUrl, responseIn } from '@lendloom/tests/setup/sandbox/journey'
import {
  applyWith,
  completePage,
  concludeLoan,
  draftFor,
  initLamf,
  offerIn,
  proceedToPage,
  reportConsent,
  requestLamfStatus,
  searchLamf,
} from '@lendloom/tests/setup/sandbox/lamf-journey'
import { codeIn, lamfSandbox, orderIn, sharedProfile, textAt } from '@lendloom/tests/setup/sandbox/lamf-sandbox'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import { readOnSearch } from '@lendloom/wire/network/v230/search'
import { select } from '@lendloom/wire/network/v230/select-to-confirm'

const { url, buyer, proceedToOffer, proceedToPledgedQuote, faultsOf } = await lamfSandbox(() => testDatabase('sandbox'))

describe('fault rules for loans against mutual funds', { concurrency: 6 }, () => {
  test('9021 to 9024: sharing the holdings fails with the codes of 2.3.0', async () => {
    const applyWithPan = async (digits: string, more: Answers = {}) =>
      applyWith(buyer, await searchLamf(buyer, 'narmada'), { ...sharedProfile(digits), ...more })
    for (const [digits, code, more] of [
      ['9021', '80201', {}],
      ['9024', '80216', {}],
      ['1243', '80217', { aa_id: '' }],
    ] as const)
      assert.equal(codeIn((await applyWithPan(digits, more)).answer), code, digits)
    for (const [digits, code] of [
      ['9022', '80202'],
      ['9023', '80224'],
      ['9054', '80227'],
    ] as const) {
      const searched = await applyWithPan(digits)
      const { consentHandle } = readOnSearch(searched.answer.body.message).consents[0]!
      await approveConsent(url, consentHandle, '9876500001@sandbox-aa')
      const shared = await reportConsent(buyer, searched)
      assert.equal(codeIn(shared.answer), code, digits)
    }
  })

  test('9051, 9053: the second attempt marks the whole lien, or the part that is still unmarked', async () => {
    for (const [digits, text] of [
      ['9051', /at CAMS<[\s\S]*at KFintech</],
      ['9053', /units: marked<[\s\S]*at CAMS<[\s\S]*units<[\s\S]*at KFintech</],
    ] as const) {
      const journey = await proceedToPledgedQuote('meridian', digits)
      const page = await proceedToPage(buyer, journey, 'LIEN_MARKING')
      assert.equal(codeIn(await completePage(buyer, journey, page)), '80215', digits)
      assert.match(await textAt(formUrl(page)), text)
      const callback = await completePage(buyer, journey, page)
      assert.equal(responseIn(callback).status, 'SUCCESS')
      const next = await initLamf(buyer, journey, { heading: 'LIEN_MARKING', callback })
      assert.equal(orderIn(next).form?.heading, 'EMANDATE')
      assert.deepEqual(faultsOf(journey), [])
    }
  })

  test('9052: the rejected lien ends the loan', async () => {
    const journey = await proceedToPledgedQuote('meridian', '9052')
    const page = await proceedToPage(buyer, journey, 'LIEN_MARKING')
    const callback = await completePage(buyer, journey, page)
    assert.equal(responseIn(callback).status, 'REJECTED')
    assert.match(await textAt(formUrl(page)), /the application ends here/)
    assert.equal(codeIn(await initLamf(buyer, journey, { heading: 'LIEN_MARKING', callback })), '40001')
    assert.equal(responseIn(await requestLamfStatus(buyer, journey)).status, 'REJECTED')
  })

  test('9001, 9002, 9005, 9054: the error code of the rule replaces the offer', async () => {
    for (const [digits, slug, code] of [
      ['9001', 'kaveri', '80226'],
      ['9002', 'sahyadri', '80226'],
      ['9005', 'meridian', '80203'],
      ['9054', 'meridian', '80227'],
    ] as const) {
      const journey = await proceedToOffer(slug, digits)
      assert.equal(codeIn(journey.answer), code, digits)
      assert.equal(codeIn(await requestLamfStatus(buyer, journey)), '80203')
    }
  })

  test('9006, 9007, 9008, 9009, 9012: the rules of other loans apply', async () => {
    assert.equal(codeIn((await proceedToPledgedQuote('meridian', '9012')).quote), '80226')
    const unpaid = await proceedToPledgedQuote('meridian', '9008')
    assert.equal(codeIn(await initLamf(buyer, unpaid)), '80206')
    assert.equal(orderIn(await initLamf(buyer, unpaid)).form?.heading, 'KYC')
    for (const [digits, last] of [
      ['9006', 'KYC'],
      ['9009', 'EMANDATE'],
    ] as const) {
      const journey = await proceedToPledgedQuote('meridian', digits)
      const callback = await completePage(buyer, journey, await proceedToPage(buyer, journey, last))
      assert.equal(responseIn(callback).status, 'REJECTED', digits)
    }
    const again = await proceedToPledgedQuote('meridian', '9007')
    const kyc = await proceedToPage(buyer, again, 'KYC')
    assert.equal(codeIn(await completePage(buyer, again, kyc)), '80205')
    assert.equal(responseIn(await completePage(buyer, again, kyc)).status, 'SUCCESS')
  })

  test("9006, 9007, 9009, 9010, 9015, 9052: the rules apply on a lender's combined page", async () => {
    const openPage = async (digits: string) => {
      const journey = await proceedToPledgedQuote('tulsi', digits)
      return { journey, page: await initLamf(buyer, journey) }
    }
    for (const digits of ['9006', '9009', '9052']) {
      const { journey, page } = await openPage(digits)
      assert.equal(responseIn(await completePage(buyer, journey, page)).status, 'REJECTED', digits)
      assert.equal(responseIn(await requestLamfStatus(buyer, journey)).status, 'REJECTED', digits)
      assert.deepEqual(faultsOf(journey), [])
    }
    for (const [digits, code] of [
      ['9007', '80205'],
      ['9010', '80209'],
      ['9015', '80207'],
    ] as const) {
      const { journey, page } = await openPage(digits)
      assert.equal(codeIn(await completePage(buyer, journey, page)), code)
      assert.match(await textAt(formUrl(page)), /Please try again/)
      const { order } = await concludeLoan(buyer, journey, page, 'JOURNEY_OFFLINE')
      assert.equal(orderIn(order).state, 'SANCTIONED', digits)
    }
    const declined = await openPage('1245')
    assert.equal(responseIn(await completePage(buyer, declined.journey, declined.page, 'decline')).status, 'REJECTED')
  })

  test('9004, 9010, 9011, 9015: select gets a NACK, the offer expires early, or a page fails once', async () => {
    const refusedWithNack = await proceedToOffer('meridian', '9004')
    const pledges = [{ schemeCode: 'NDH-DEBT-G', units: '5000' }]
    const { transactionId, lender } = refusedWithNack
    const message = select(draftFor(refusedWithNack, pledges))
    const sent = await buyer.send('select', message, { transactionId, lender, version: '2.3.0' })
    assert.equal(json(sent).error.code, '30000')
    assert.equal(offerIn((await proceedToOffer('sahyadri', '9011')).answer).terms.quoteTtl, 'PT20S')
    for (const [digits, last, code] of [
      ['9010', 'LOAN_AGREEMENT', '80209'],
      ['9015', 'EMANDATE', '80207'],
    ] as const) {
      const journey = await proceedToPledgedQuote('meridian', digits)
      const page = await proceedToPage(buyer, journey, last)
      assert.equal(codeIn(await completePage(buyer, journey, page)), code)
      assert.equal(responseIn(await completePage(buyer, journey, page)).status, 'SUCCESS')
    }
  })

  test('9014: the disbursal is not pushed, but a status request returns it', async () => {
    const journey = await proceedToPledgedQuote('meridian', '9014')
    await concludeLoan(buyer, journey, await proceedToPage(buyer, journey, 'LOAN_AGREEMENT'))
    for (let state = orderIn(await requestLamfStatus(buyer, journey)).state; state !== 'DISBURSED'; )
      state = orderIn(await requestLamfStatus(buyer, journey)).state
    assert.deepEqual(faultsOf(journey), [])
  })
})
