// Loans against mutual funds over real HTTP and a real database, in dialect 2.3.0.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { call, json, post, type ReceivedCallback } from '@lendloom/tests/setup/sandbox/buyer'
import { approveConsent } from '@lendloom/tests/setup/sandbox/consent'
import {
  accountIn,
  applyWith,
  completePage,
  concludeLoan,
  draftFor,
  initLamf,
  lamfProfile,
  offerIn,
  proceedToPage,
  reportConsent,
  requestLamfStatus,
  searchLamf,
  selectPledges,
  terms,
} from '@lendloom/tests/setup/sandbox/lamf-journey'
import {
  codeIn,
  lamfSandbox,
  orderIn,
  panWithDigits,
  sharedProfile,
  textAt,
} from '@lendloom/tests/setup/sandbox/lamf-sandbox'
import { readOnSearch, search } from '@lendloom/wire/network/v230/search'
import { confirm, select } from '@lendloom/wire/network/v230/select-to-confirm'
import { update } from '@lendloom/wire/network/v230/update-and-status'

const { url, buyer, files, proceedToOffer, proceedToPledgedQuote, faultsOf } = await lamfSandbox(() =>
  testDatabase('sandbox'),
)

test('FIS12 §4: each API validates a message by the version in its context', async () => {
  const broadcast = { transactionId: uuidv4(), version: '2.3.0' } as const
  assert.equal(json(await buyer.send('search', search(terms), broadcast)).message.ack.status, 'ACK')
  const rewriteContext = (version: string, uri: string) => (header: string, body: string) => {
    const { context, message } = JSON.parse(body)
    return [header, JSON.stringify({ context: { ...context, version, bap_uri: uri }, message })] as [string, string]
  }
  for (const [version, uri, path] of [
    ['2.3.0', 'http://127.0.0.1:4000/ondc', '$.context.bap_uri'],
    ['2.4.0', 'http://buyer.example/ondc', '$.context.version'],
  ] as const) {
    const sent = await buyer.send('search', search(terms), { ...broadcast, tamper: rewriteContext(version, uri) })
    assert.equal(json(sent).error.path, path)
  }
  const lender = { id: 'meridian.sandbox.example', uri: 'http://meridian.sandbox.example/lenders/meridian/ondc' }
  const order = { provider: { id: 'PROV-MERIDIAN' }, items: [{ id: 'ITEM' }] }
  const unknown = await buyer.send('select', { order }, { transactionId: uuidv4(), version: '2.3.0', lender })
  assert.equal(json(unknown).error.code, '30018')
})

describe('loans against mutual funds', { concurrency: 6 }, () => {
  test('FIS12 §10.2: a loan by MF Central statement is DISBURSED, and every message obeys the rules', async () => {
    const application = await proceedToOffer('meridian', '1234')
    assert.match(application.lender.uri, /^http:\/\/meridian\.sandbox\.example\/lenders\/meridian\/ondc$/)
    const { terms: offer, schemes, checklist } = offerIn(application.answer)
    // Half of 5,31,321.2250 and four fifths of 4,09,308.83425; the ELSS is locked in.
    assert.equal(rupees(offer.principal), '593107.00')
    assert.deepEqual(
      schemes.map(({ rta, schemeCode, unitsRequired, ltv }) => ({ rta, schemeCode, unitsRequired, ltv })),
      [
        { rta: 'CAMS', schemeCode: 'SHK-FLEX-G', unitsRequired: '6249.000', ltv: '50%' },
        { rta: 'KFIN', schemeCode: 'NDH-DEBT-G', unitsRequired: '10201.250', ltv: '80%' },
      ],
    )
    assert.equal(checklist.PERSONAL_INFORMATION_LAMF, 'COMPLETED')

    const journey = await selectPledges(buyer, application, [{ schemeCode: 'NDH-DEBT-G', units: '5000' }])
    const quote = orderIn(journey.quote)
    assert.equal(rupees(quote.terms!.principal), '160493.00')
    assert.deepEqual(
      quote.schemes.map(({ schemeCode, unitsRequired }) => ({ schemeCode, unitsRequired })),
      [{ schemeCode: 'NDH-DEBT-G', unitsRequired: '5000.000' }],
    )
    const agreement = await proceedToPage(buyer, journey, 'LOAN_AGREEMENT')
    assert.equal(orderIn(agreement).installments.length, 36)
    const { ready, order } = await concludeLoan(buyer, journey, agreement)
    assert.deepEqual(new Set(Object.values(orderIn(ready).checklist)), new Set(['COMPLETED']))
    const placed = orderIn(order)
    assert.equal(placed.state, 'SANCTIONED')
    assert.equal(placed.orderStatus, 'ACTIVE')
    assert.equal(placed.documents.length, 2)
    const paid = orderIn(await buyer.receive('on_update', journey))
    assert.equal(paid.state, 'DISBURSED')
    assert.equal(paid.orderId, placed.orderId)
    assert.equal(paid.disbursal?.paid?.amount, paid.terms!.netDisbursed)
    assert.equal(orderIn(await requestLamfStatus(buyer, journey)).state, 'DISBURSED')
    assert.deepEqual(faultsOf(journey), [])
  })

  test("FIS12 §10.1: a registrar's statement counts only the units at that registrar", async () => {
    const { answer, item } = await proceedToOffer('kaveri', '1235', { rtaName: 'KFINTECH' })
    assert.equal(item.portfolio, 'rta')
    assert.equal(item.product, 'TERM_LOAN')
    assert.ok(item.form!.fields.some(({ name }) => name === 'rtaName'))
    assert.deepEqual(
      offerIn(answer).schemes.map(({ rta }) => rta),
      ['KFIN'],
    )
    assert.equal(rupees(offerIn(answer).terms.principal), '327447.00')
  })

  test('FIS12 §10.2: every lender against mutual funds answers a search', async () => {
    const { transactionId } = await searchLamf(buyer, 'kaveri')
    for (const slug of ['meridian', 'sahyadri', 'narmada', 'tulsi'])
      await buyer.receive('on_search', { transactionId, lender: { id: `${slug}.sandbox.example` } })
  })

  test('FIS12 §17.4, §17.5: a credit line opens on the combined page, and its drawdown and repayment are pushed', async () => {
    const application = await proceedToOffer('tulsi', '9055')
    const { portfolio, product, offline, form } = application.item
    assert.equal(portfolio, 'mfc')
    assert.equal(product, 'CREDIT_LINE')
    assert.equal(offline, true)
    assert.ok(form!.fields.some(({ name, required }) => name === 'statementUpload' && required))
    const offer = offerIn(application.answer)
    assert.equal(rupees(offer.terms.principal), '500000.00')
    assert.equal(offer.offline, true)
    assert.equal(offer.line?.utilization, 0n)
    assert.ok(offer.categoryCodes.includes('NON_DOCUMENT_BASED_DRAWDOWN'))
    const journey = await selectPledges(buyer, application, [{ schemeCode: 'NDH-DEBT-G', units: '4000' }])
    assert.equal(rupees(orderIn(journey.quote).terms!.principal), '120370.00')
    const page = await initLamf(buyer, journey)
    const { heading, headings, url } = orderIn(page).form!
    assert.equal(heading, 'JOURNEY_OFFLINE')
    assert.deepEqual(headings, ['JOURNEY_OFFLINE'])
    const pageText = await textAt(url)
    for (const text of [/Ravi Patil/, /Nidhi Corporate Bond/, /4,000\.000 units/, /₹1,20,370/, /value="123456"/])
      assert.match(pageText, text)
    assert.equal((await post(url, { outcome: 'approve', otp: '654321' })).status, 400)
    const { ready, order } = await concludeLoan(buyer, journey, page, 'JOURNEY_OFFLINE')
    assert.deepEqual(orderIn(ready).checklist, { PERSONAL_INFORMATION_LAMF: 'COMPLETED', JOURNEY_OFFLINE: 'COMPLETED' })
    assert.match(await textAt(url), /the agreement is signed/)
    const placed = orderIn(order)
    assert.equal(placed.state, 'SANCTIONED')
    assert.deepEqual(placed.installments, [])
    assert.equal(placed.documents.length, 2)
    const limit = 12_037_000n
    assert.deepEqual(placed.line, { limit, utilization: 0n })
    assert.match(await textAt(placed.terms!.kfsLink!), /Credit line[\s\S]*As you draw it/)
    const drawn = orderIn(await buyer.receive('on_update', journey))
    assert.equal(drawn.state, 'DISBURSED')
    assert.equal(drawn.orderId, placed.orderId)
    assert.deepEqual(drawn.line, { limit, utilization: limit / 2n })
    assert.equal(drawn.disbursal?.paid?.amount, limit / 2n)
    const repaid = orderIn(await buyer.receive('on_update', journey))
    assert.equal(repaid.state, 'DISBURSED')
    assert.deepEqual(repaid.line, { limit, utilization: 3_009_300n })
    await buyer.send('update', update({ orderId: placed.orderId!, label: 'FORECLOSURE' }), {
      transactionId: journey.transactionId,
      lender: journey.lender,
      version: '2.3.0',
    })
    assert.equal(codeIn(await buyer.receive('on_update', journey)), '40001')
    assert.deepEqual(orderIn(await requestLamfStatus(buyer, journey)).line, repaid.line)
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §17.3: a borrower with account aggregator first shares the holdings; the sanction opens the line', async () => {
    const application = await applyWith(buyer, await searchLamf(buyer, 'narmada'), sharedProfile('1242'))
    assert.equal(application.item.portfolio, 'account-aggregator')
    assert.equal(application.item.product, 'CREDIT_LINE')
    const requestIn = ({ body }: ReceivedCallback) => readOnSearch(body.message).consents[0]!
    const { consentHandle } = requestIn(application.answer)
    assert.equal(requestIn((await reportConsent(buyer, application)).answer).consentHandle, consentHandle)
    await approveConsent(url, consentHandle, '9876500001@sandbox-aa')
    const sharedHoldings = await reportConsent(buyer, application)
    const { schemes, line, checklist } = offerIn(sharedHoldings.answer)
    assert.deepEqual(
      schemes.map(({ rta }) => rta),
      ['CAMS', 'KFIN'],
    )
    assert.equal(line?.utilization, 0n)
    assert.equal(checklist.CONSENT_APPROVAL, 'COMPLETED')
    assert.equal(checklist.ACCOUNT_MONITORING, 'PENDING')
    const journey = await selectPledges(buyer, sharedHoldings, [{ schemeCode: 'NDH-DEBT-G', units: '4000' }])
    assert.equal(rupees(orderIn(journey.quote).terms!.principal), '128394.00')
    const { order } = await concludeLoan(buyer, journey, await proceedToPage(buyer, journey, 'LOAN_AGREEMENT'))
    assert.equal(orderIn(order).state, 'SANCTIONED')
    assert.deepEqual(orderIn(order).installments, [])
    assert.match(await textAt(orderIn(order).terms!.kfsLink!), /As you draw it/)
    const { state, checklist: last } = orderIn(await requestLamfStatus(buyer, journey))
    assert.equal(state, 'SANCTIONED')
    assert.equal(last.LOAN_AGREEMENT, 'COMPLETED')
    assert.equal(last.ACCOUNT_MONITORING, 'PENDING')
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §3.4: an invalid form or statement is refused with its code and may be resent', async () => {
    const journey = await searchLamf(buyer, 'meridian')
    const right = lamfProfile(panWithDigits('1236'), files.urlOf('mfc.json'))
    const file = (name: string) => ({ url: files.urlOf(name), format: '.json', validity: 'P5D' })
    for (const [code, wrong] of [
      ['80217', { statementUpload: '' }],
      ['80216', { pan: 'ABCDE1234F', dob: '1994-02-31' }],
      ['80220', { statementUpload: file('lost.json') }],
      ['80221', { statementUpload: file('page.html') }],
      ['80218', { statementUpload: file('other.json') }],
    ] as const)
      assert.equal(codeIn((await applyWith(buyer, journey, { ...right, ...wrong })).answer), code)
    const { answer } = await applyWith(buyer, journey, right)
    assert.equal(rupees(offerIn(answer).terms.principal), '593107.00')
  })

  test('FIS12 §3.4: an applicant outside the policy is declined with the codes of 2.3.0', async () => {
    for (const [code, wrong] of [
      ['80203', { dob: '2012-01-01' }],
      ['80230', { bureauConsent: 'false' }],
    ] as const)
      assert.equal(codeIn((await proceedToOffer('meridian', '1237', wrong)).answer), code)
  })

  test('FIS12 §10.2 row 4: units may be pledged only from the offered schemes, up to the offered units', async () => {
    const journey = await proceedToOffer('meridian', '1238')
    for (const [code, pledges] of [
      ['80217', []],
      ['80216', [{ schemeCode: 'SHK-ELSS-G', units: '1' }]],
      ['80216', [{ schemeCode: 'NDH-DEBT-G', units: '10201.251' }]],
      ['80227', [{ schemeCode: 'NDH-DEBT-G', units: '1' }]],
    ] as const)
      assert.equal(codeIn((await selectPledges(buyer, journey, [...pledges])).quote), code)
    const { transactionId, lender } = journey
    const unclear = select(draftFor(journey, [{ schemeCode: 'NDH-DEBT-G', units: 'many' }]))
    const sent = await buyer.send('select', unclear, { transactionId, lender, version: '2.3.0' })
    assert.match(json(sent).error.path, /PLEDGE_REQUIREMENTS\.UNITS_PLEDGED$/)
    const first = await selectPledges(buyer, journey, [{ schemeCode: 'NDH-DEBT-G', units: '2000' }])
    assert.equal(rupees(orderIn(first.quote).terms!.principal), '64197.00')
    const second = await selectPledges(buyer, journey, [{ schemeCode: 'NDH-DEBT-G', units: '3000' }])
    assert.equal(rupees(orderIn(second.quote).terms!.principal), '96296.00')
    assert.equal(codeIn(await initLamf(buyer, first)), '80216')
    assert.equal(orderIn(await initLamf(buyer, second)).form?.heading, 'KYC')
  })

  test("FIS12 §10.2 row 8: the registrar's page lists the units and marks the lien after the one-time password", async () => {
    const journey = await proceedToPledgedQuote('sahyadri', '1239')
    const page = await proceedToPage(buyer, journey, 'LIEN_MARKING')
    const { heading, headings, url } = orderIn(page).form!
    assert.equal(heading, 'LIEN_MARKING')
    assert.deepEqual(headings, ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT'])
    const pageText = await textAt(url)
    for (const text of [
      /Shakti Flexi Cap/,
      /6,249\.000 units<br><small>Folio 4410077 at CAMS/,
      /KFintech/,
      /value="123456"/,
    ])
      assert.match(pageText, text)
    assert.equal((await post(url, { outcome: 'approve', otp: '654321' })).status, 400)
    const order = orderIn(await completePage(buyer, journey, page))
    assert.equal(order.checklist.LIEN_MARKING, 'COMPLETED')
    assert.equal(order.checklist.EMANDATE, 'PENDING')
    assert.match(await textAt(url), /Your units are pledged/)
  })

  test('FIS12 §11.1: the missed instalment and foreclosure are paid on pages, and the order is COMPLETED', async () => {
    const journey = await proceedToPledgedQuote('meridian', '9031')
    const { order } = await concludeLoan(buyer, journey, await proceedToPage(buyer, journey, 'LOAN_AGREEMENT'))
    const paidOut = orderIn(await buyer.receive('on_update', journey))
    assert.equal(paidOut.installments[0]!.status, 'DELAYED')
    const { transactionId, lender } = journey
    const orderId = orderIn(order).orderId!
    for (const requested of [
      { label: 'PRE_PART_PAYMENT', amount: 20_000_00n },
      { label: 'MISSED_EMI_PAYMENT' },
      { label: 'FORECLOSURE' },
    ] as const) {
      await buyer.send('update', update({ orderId, ...requested }), { transactionId, lender, version: '2.3.0' })
      const callback = await buyer.receive('on_update', journey)
      if (requested.label === 'PRE_PART_PAYMENT') {
        assert.equal(codeIn(callback), '40001')
        continue
      }
      const due = orderIn(callback).servicing.find(({ status }) => status === 'NOT-PAID')!
      const parts = Object.values(due.breakup).reduce((all, each) => all + each, 0n)
      assert.equal(due.amount, parts)
      assert.equal(due.duration, 'P1D')
      await post(due.url!, { outcome: 'approve' })
      const paid = orderIn(await buyer.receive('on_update', journey))
      assert.equal(paid.servicing.at(-1)?.status, 'PAID', requested.label)
      assert.equal(paid.orderStatus, requested.label === 'FORECLOSURE' ? 'COMPLETED' : 'ACTIVE')
    }
    assert.equal(orderIn(await requestLamfStatus(buyer, journey)).orderStatus, 'COMPLETED')
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §12.4.4: an early confirm is rejected, and a repeated init returns the same order', async () => {
    const journey = await proceedToPledgedQuote('sahyadri', '1240')
    const page = await proceedToPage(buyer, journey, 'KYC')
    const { transactionId, lender, item } = journey
    const disbursal = accountIn(item.disbursalPaymentId!)
    const early = confirm({ ...draftFor(journey, journey.pledges), disbursal, terms, lenderTerms: terms })
    await buyer.send('confirm', early, { transactionId, lender, version: '2.3.0' })
    assert.equal(codeIn(await buyer.receive('on_confirm', journey)), '40001')
    const callback = await completePage(buyer, journey, page)
    const first = await initLamf(buyer, journey, { heading: 'KYC', callback })
    const second = await initLamf(buyer, journey, { heading: 'KYC', callback })
    assert.deepEqual(second.body.message, first.body.message)
  })

  test('KFS: the key facts list the pledged units, and every linked URL responds', async () => {
    const journey = await proceedToPledgedQuote('meridian', '1241')
    const { order } = await concludeLoan(buyer, journey, await proceedToPage(buyer, journey, 'LOAN_AGREEMENT'))
    const { terms: agreed, documents } = orderIn(order)
    const facts = await textAt(agreed!.kfsLink!)
    for (const text of ['lien on units', 'Shakti Flexi Cap', '6249.000 units', '₹85.0250', '₹5,93,107', '4410077'])
      assert.ok(facts.includes(text), text)
    assert.match(await textAt(offerIn(journey.answer).terms.kfsLink!), /The units that you pledge/)
    for (const address of [`${agreed!.kfsLink}/pdf`, ...documents.map((each) => each.url)])
      assert.equal((await call({ method: 'GET', url: address })).status, 200, address)
  })
})
