// What the sandbox makes go wrong with a loan against mutual funds, rule by rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { select } from '#contract/network/v230/buyer-order.ts'
import type { Answers } from '#contract/network/v230/form-data.ts'
import { readOnSearch } from '#contract/network/v230/search.ts'
import { testDatabase } from '#test/setup/database.ts'
import { json } from '#test/setup/sandbox/buyer.ts'
import { approveConsent } from '#test/setup/sandbox/consent.ts'
import { formUrl, responseIn } from '#test/setup/sandbox/journey.ts'
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
} from '#test/setup/sandbox/lamf-journey.ts'
import { codeIn, lamfSandbox, orderIn, sharedProfile, textAt } from '#test/setup/sandbox/lamf-sandbox.ts'

const { url, buyer, proceedToOffer, proceedToPledgedQuote, faultsOf } = await lamfSandbox(() => testDatabase('sandbox'))

describe('rules of loans against mutual funds', { concurrency: 6 }, () => {
  test('9021 to 9024: the holdings cannot be shared, by the codes of 2.3.0', async () => {
    const applied = async (digits: string, more: Answers = {}) =>
      applyWith(buyer, await searchLamf(buyer, 'narmada'), { ...sharedProfile(digits), ...more })
    for (const [digits, code, more] of [
      ['9021', '80201', {}],
      ['9024', '80216', {}],
      ['1243', '80217', { aa_id: '' }],
    ] as const)
      assert.equal(codeIn((await applied(digits, more)).answer), code, digits)
    for (const [digits, code] of [
      ['9022', '80202'],
      ['9023', '80224'],
      ['9054', '80227'],
    ] as const) {
      const searched = await applied(digits)
      const { consentHandle } = readOnSearch(searched.answer.body.message).consents[0]!
      await approveConsent(url, consentHandle, '9876500001@sandbox-aa')
      const shared = await reportConsent(buyer, searched)
      assert.equal(codeIn(shared.answer), code, digits)
    }
  })

  test('9051, 9053: the lien is marked at the second try, wholly or what was left of it', async () => {
    for (const [digits, text] of [
      ['9051', /at CAMS<[\s\S]*at KFintech</],
      ['9053', /at CAMS: marked<[\s\S]*at KFintech</],
    ] as const) {
      const played = await proceedToPledgedQuote('meridian', digits)
      const page = await proceedToPage(buyer, played, 'LIEN_MARKING')
      assert.equal(codeIn(await completePage(buyer, played, page)), '80215', digits)
      assert.match(await textAt(formUrl(page)), text)
      const callback = await completePage(buyer, played, page)
      assert.equal(responseIn(callback).status, 'SUCCESS')
      const next = await initLamf(buyer, played, { heading: 'LIEN_MARKING', callback })
      assert.equal(orderIn(next).form?.heading, 'EMANDATE')
      assert.deepEqual(faultsOf(played), [])
    }
  })

  test('9052: the lien is rejected, and the loan ends there', async () => {
    const played = await proceedToPledgedQuote('meridian', '9052')
    const page = await proceedToPage(buyer, played, 'LIEN_MARKING')
    const callback = await completePage(buyer, played, page)
    assert.equal(responseIn(callback).status, 'REJECTED')
    assert.match(await textAt(formUrl(page)), /the application ends here/)
    assert.equal(codeIn(await initLamf(buyer, played, { heading: 'LIEN_MARKING', callback })), '40001')
    assert.equal(responseIn(await requestLamfStatus(buyer, played)).status, 'REJECTED')
  })

  test('9001, 9002, 9005, 9054: an error in place of the offer, by its code', async () => {
    for (const [digits, slug, code] of [
      ['9001', 'kaveri', '80226'],
      ['9002', 'sahyadri', '80226'],
      ['9005', 'meridian', '80203'],
      ['9054', 'meridian', '80227'],
    ] as const) {
      const played = await proceedToOffer(slug, digits)
      assert.equal(codeIn(played.answer), code, digits)
      assert.equal(codeIn(await requestLamfStatus(buyer, played)), '80203')
    }
  })

  test('9006, 9007, 9008, 9009, 9012: what else goes wrong does here too', async () => {
    assert.equal(codeIn((await proceedToPledgedQuote('meridian', '9012')).quote), '80226')
    const unpaid = await proceedToPledgedQuote('meridian', '9008')
    assert.equal(codeIn(await initLamf(buyer, unpaid)), '80206')
    assert.equal(orderIn(await initLamf(buyer, unpaid)).form?.heading, 'KYC')
    for (const [digits, last] of [
      ['9006', 'KYC'],
      ['9009', 'EMANDATE'],
    ] as const) {
      const played = await proceedToPledgedQuote('meridian', digits)
      const callback = await completePage(buyer, played, await proceedToPage(buyer, played, last))
      assert.equal(responseIn(callback).status, 'REJECTED', digits)
    }
    const again = await proceedToPledgedQuote('meridian', '9007')
    const kyc = await proceedToPage(buyer, again, 'KYC')
    assert.equal(codeIn(await completePage(buyer, again, kyc)), '80205')
    assert.equal(responseIn(await completePage(buyer, again, kyc)).status, 'SUCCESS')
  })

  test('9006, 9007, 9009, 9010, 9015, 9052: where one page is for everything, it goes wrong there', async () => {
    const opened = async (digits: string) => {
      const played = await proceedToPledgedQuote('tulsi', digits)
      return { played, page: await initLamf(buyer, played) }
    }
    for (const digits of ['9006', '9009', '9052']) {
      const { played, page } = await opened(digits)
      assert.equal(responseIn(await completePage(buyer, played, page)).status, 'REJECTED', digits)
      assert.equal(responseIn(await requestLamfStatus(buyer, played)).status, 'REJECTED', digits)
      assert.deepEqual(faultsOf(played), [])
    }
    for (const [digits, code] of [
      ['9007', '80205'],
      ['9010', '80209'],
      ['9015', '80207'],
    ] as const) {
      const { played, page } = await opened(digits)
      assert.equal(codeIn(await completePage(buyer, played, page)), code)
      assert.match(await textAt(formUrl(page)), /Please try again/)
      const { order } = await concludeLoan(buyer, played, page, 'JOURNEY_OFFLINE')
      assert.equal(orderIn(order).state, 'SANCTIONED', digits)
    }
    const declined = await opened('1245')
    assert.equal(responseIn(await completePage(buyer, declined.played, declined.page, 'decline')).status, 'REJECTED')
  })

  test('9004, 9010, 9011, 9015: turned away, signed at the second try, lapsed, mandated at the second try', async () => {
    const turnedAway = await proceedToOffer('meridian', '9004')
    const pledges = [{ schemeCode: 'NDH-DEBT-G', units: '5000' }]
    const { transactionId, lender } = turnedAway
    const message = select(draftFor(turnedAway, pledges))
    const sent = await buyer.send('select', message, { transactionId, lender, version: '2.3.0' })
    assert.equal(json(sent).error.code, '30000')
    assert.equal(offerIn((await proceedToOffer('sahyadri', '9011')).answer).terms.quoteTtl, 'PT20S')
    for (const [digits, last, code] of [
      ['9010', 'LOAN_AGREEMENT', '80209'],
      ['9015', 'EMANDATE', '80207'],
    ] as const) {
      const played = await proceedToPledgedQuote('meridian', digits)
      const page = await proceedToPage(buyer, played, last)
      assert.equal(codeIn(await completePage(buyer, played, page)), code)
      assert.equal(responseIn(await completePage(buyer, played, page)).status, 'SUCCESS')
    }
  })

  test('9014: the money is paid out without a word, and only status tells it', async () => {
    const played = await proceedToPledgedQuote('meridian', '9014')
    await concludeLoan(buyer, played, await proceedToPage(buyer, played, 'LOAN_AGREEMENT'))
    for (let state = orderIn(await requestLamfStatus(buyer, played)).state; state !== 'DISBURSED'; )
      state = orderIn(await requestLamfStatus(buyer, played)).state
    assert.deepEqual(faultsOf(played), [])
  })
})
