// A credit line of a lender with stops is drawn on, repaid and closed over the network (FIS12 §27.4, §27.5).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { required } from '@lendloom/foundation/required'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { type Buyer, json, post } from '@lendloom/tests/setup/sandbox/buyer'
import { fundsOnOnePage, lendersWithStops, type OpenLine } from '@lendloom/tests/setup/sandbox/funds-one-page'
import { requestLamfStatus, sendOptions } from '@lendloom/tests/setup/sandbox/lamf-journey'
import { codeIn, lamfSandbox, orderIn } from '@lendloom/tests/setup/sandbox/lamf-sandbox'
import { confirmDrawdown, initDrawdown } from '@lendloom/wire/network/v230/drawdown'
import { status, update } from '@lendloom/wire/network/v230/update-and-status'

const sandbox = await lamfSandbox(() => testDatabase('sandbox'), lendersWithStops)
const { buyer, faultsOf } = sandbox
const { openLine } = fundsOnOnePage(sandbox)
/** Its lenders pay nothing out. */
const waiting = await lamfSandbox(() => testDatabase('sandbox'), {
  ...lendersWithStops,
  env: { ...lendersWithStops.env, SANDBOX_DISBURSAL_SECONDS: '86400' },
})
const openWaitingLine = fundsOnOnePage(waiting).openLine

const providerId = 'PROV-TULSI'
const lakh = 1_00_000_00n

/** A drawdown from the line, in a transaction of its own. */
const drawdownFrom = (line: OpenLine) => ({ ...line, lineOrderId: line.orderId, transactionId: uuidv4() })
type Drawdown = ReturnType<typeof drawdownFrom>

async function askTerms(of: Buyer, drawdown: Drawdown, amount: bigint) {
  const { lineOrderId } = drawdown
  await of.send('init', initDrawdown({ providerId, lineOrderId, amount }), sendOptions(drawdown))
  return of.receive('on_init', drawdown)
}

const agreementOn = ({ lineOrderId }: Pick<Drawdown, 'lineOrderId'>) => ({
  providerId,
  lineOrderId,
  itemId: 'DRAWDOWN-TULSI-LAMF',
  parentItemId: 'ITEM-TULSI-LAMF',
  fulfillmentId: 'FUL-TULSI-DRAWDOWN',
  consent: { id: '2', parentId: '1', name: 'Consent Required' },
})

async function agree(of: Buyer, drawdown: Drawdown, message: object = confirmDrawdown(agreementOn(drawdown))) {
  await of.send('confirm', message, sendOptions(drawdown))
  return of.receive('on_confirm', drawdown)
}

/** Draws an amount up to the report of the line. */
async function draw(line: OpenLine, amount: bigint) {
  const drawdown = drawdownFrom(line)
  await askTerms(buyer, drawdown, amount)
  const order = orderIn(await agree(buyer, drawdown))
  const paidOut = orderIn(await buyer.receive('on_update', drawdown))
  return { drawdown, order, paidOut, reported: await buyer.receive('on_update', drawdown) }
}

async function requestPayment(line: OpenLine, request: Parameters<typeof update>[0]) {
  await buyer.send('update', update(request), sendOptions(line))
  return buyer.receive('on_update', line)
}

const utilizationOf = async (line: OpenLine) => orderIn(await requestLamfStatus(buyer, line)).line?.utilization

describe('a credit line with stops', { concurrency: 4 }, () => {
  test('FIS12 §27.5: the terms of a drawdown state a month of interest, and the money is paid out after the agreement', async () => {
    const line = await openLine()
    const drawdown = drawdownFrom(line)
    const offered = orderIn(await askTerms(buyer, drawdown, lakh))
    const { terms, approval, consent } = required(offered.drawdown, 'drawdown')
    // 12.5 % a year of a lakh is 1041.67 a month, in whole rupees.
    assert.equal(terms?.principal, lakh)
    assert.equal(terms?.interest, 1042_00n)
    assert.equal(terms?.interestRate, '12.5%')
    assert.equal(approval, 'PENDING')
    assert.equal(consent?.state, 'PENDING')
    assert.deepEqual(offered.offerFaults, [])
    const { orderId, drawdown: agreed } = orderIn(await agree(buyer, drawdown))
    assert.equal(agreed?.status, 'ACTIVE')
    assert.equal(agreed?.consent?.state, 'APPROVED')
    const paidOut = orderIn(await buyer.receive('on_update', drawdown))
    assert.equal(paidOut.orderId, orderId)
    assert.equal(paidOut.state, 'DISBURSED')
    assert.equal(paidOut.drawdown?.status, 'COMPLETED')
    assert.match(paidOut.drawdown?.payout?.paid?.transactionId ?? '', /^UTR/)
    const reported = await buyer.receive('on_update', drawdown)
    const told = orderIn(reported)
    assert.equal(told.orderId, line.orderId)
    assert.equal(told.line?.utilization, lakh)
    assert.equal(told.orderStatus, 'ACTIVE')
    assert.match(JSON.stringify(reported.body.message.order.tags), /UTILISED_AMOUNT"},"value":"100000/)
    assert.deepEqual(faultsOf(drawdown), [])
  })

  test('FIS12 §3.3, §27.5: a repeated init and a second confirm draw once', async () => {
    const line = await openLine()
    const drawdown = drawdownFrom(line)
    const options = { ...sendOptions(drawdown), messageId: uuidv4() }
    const init = initDrawdown({ providerId, lineOrderId: line.orderId, amount: lakh })
    await buyer.send('init', init, options)
    await buyer.send('init', init, options)
    await buyer.receive('on_init', drawdown)
    const first = orderIn(await agree(buyer, drawdown))
    const second = orderIn(await agree(buyer, drawdown))
    assert.equal(first.orderId, second.orderId)
    assert.equal(orderIn(await buyer.receive('on_update', drawdown)).orderId, first.orderId)
    assert.equal(orderIn(await buyer.receive('on_update', drawdown)).line?.utilization, lakh)
    assert.equal(codeIn(await askTerms(buyer, drawdown, lakh)), '40001', 'the terms are agreed')
    assert.equal(await utilizationOf(line), lakh)
    const answers = buyer.transcript.filter(({ body, action }) => {
      const { transaction_id: id } = JSON.parse(body).context
      return id === drawdown.transactionId && action === 'on_update'
    })
    assert.equal(answers.length, 2)
  })

  test('FIS12 §27.5: what is agreed and not yet paid out is not free any more', async () => {
    const line = await openWaitingLine()
    const of = waiting.buyer
    const first = drawdownFrom(line)
    const second = drawdownFrom(line)
    const most = line.limit - lakh
    await askTerms(of, first, most)
    await askTerms(of, second, most)
    assert.equal(orderIn(await agree(of, first)).drawdown?.status, 'ACTIVE')
    assert.equal(codeIn(await agree(of, second)), '80227', 'both had terms')
    assert.equal(codeIn(await askTerms(of, drawdownFrom(line), lakh + 1n)), '80227')
    assert.equal(orderIn(await askTerms(of, second, lakh)).drawdown?.terms?.principal, lakh, 'a smaller amount')
    assert.equal(orderIn(await agree(of, second)).drawdown?.payout?.paid, null)
    await of.send('update', update({ orderId: line.orderId, label: 'FORECLOSURE' }), sendOptions(line))
    assert.equal(codeIn(await of.receive('on_update', line)), '40001', 'money is on its way out')
  })

  test('FIS12 §27.5: two agreements at once do not exceed the limit', async () => {
    const line = await openLine()
    const drawdowns = [drawdownFrom(line), drawdownFrom(line), drawdownFrom(line)]
    const amount = line.limit / 2n + 100n
    for (const each of drawdowns) await askTerms(buyer, each, amount)
    const answers = await Promise.all(drawdowns.map((each) => agree(buyer, each)))
    const refused = answers.filter(({ body }) => body.error?.code === '80227')
    assert.equal(refused.length, 2)
  })

  test('FIS12 §27.5: status asks for a drawdown by its transaction, later by its order', async () => {
    const line = await openLine()
    const drawdown = drawdownFrom(line)
    await askTerms(buyer, drawdown, lakh)
    const early = orderIn(await requestLamfStatus(buyer, drawdown))
    assert.equal(early.orderId, null)
    assert.equal(early.drawdown?.terms?.principal, lakh)
    const { orderId } = orderIn(await agree(buyer, drawdown))
    await buyer.receive('on_update', drawdown)
    const byOrder = status({ orderId: required(orderId, 'order of the drawdown') })
    await buyer.send('status', byOrder, sendOptions(drawdown))
    assert.equal(orderIn(await buyer.receive('on_status', drawdown)).drawdown?.status, 'COMPLETED')
    await buyer.send('status', status({ orderId: line.orderId }), sendOptions(drawdown))
    assert.equal(codeIn(await buyer.receive('on_status', drawdown)), '30018', 'the line has its own transaction')
  })

  test('FIS12 §27.5: an unknown line, one without stops and a line of someone else are refused, and change nothing', async () => {
    const line = await openLine()
    const init = (lineOrderId: string) => initDrawdown({ providerId, lineOrderId, amount: lakh })
    const rejection = async (lineOrderId: string, drawdown: Drawdown) => {
      const { error } = json(await buyer.send('init', init(lineOrderId), sendOptions(drawdown)))
      return `${error.code} ${error.path}`
    }
    const unknown = drawdownFrom(line)
    assert.equal(await rejection('ORDER-1', unknown), '30018 $.message.order.ref_order_ids.0')
    assert.equal(await rejection("' or true --", unknown), '30018 $.message.order.ref_order_ids.0')
    const inLine = { ...unknown, transactionId: line.transactionId }
    assert.equal(await rejection(line.orderId, inLine), '30000 $.message.order.ref_order_ids', 'the line’s transaction')
    const others = await openWaitingLine()
    assert.equal(await rejection(others.orderId, unknown), '30018 $.message.order.ref_order_ids.0')
    const { domain: _, ...usual } = sendOptions(unknown)
    assert.equal(json(await buyer.send('init', init(line.orderId), usual)).error.path, '$.context.domain')
    assert.equal(await utilizationOf(line), 0n)
  })

  test('FIS12 §27.5: only the borrower’s agreement to these terms draws money', async () => {
    const line = await openLine()
    const drawdown = drawdownFrom(line)
    const agreement = agreementOn(drawdown)
    const alone = confirmDrawdown(agreement)
    assert.equal(json(await buyer.send('confirm', alone, sendOptions(drawdown))).error.code, '30018', 'no init')
    assert.equal(codeIn(await askTerms(buyer, drawdown, line.limit + 1n)), '80227')
    assert.equal(codeIn(await agree(buyer, drawdown)), '40001', 'no terms')
    await askTerms(buyer, drawdown, lakh)
    const pending = JSON.parse(JSON.stringify(alone).replace('"APPROVED"', '"PENDING"'))
    assert.equal(codeIn(await agree(buyer, drawdown, pending)), '80216')
    const others: [changes: object, code: string][] = [
      [{ itemId: 'OFFER-TULSI-LAMF' }, '30004'],
      [{ providerId: 'PROV-KAVERI' }, '30001'],
      [{ lineOrderId: 'ORDER-1' }, '30018'],
    ]
    for (const [changes, code] of others)
      assert.equal(codeIn(await agree(buyer, drawdown, confirmDrawdown({ ...agreement, ...changes }))), code)
    const { ref_order_ids: _, ...order } = alone.order
    const withoutLine = json(await buyer.send('confirm', { order }, sendOptions(drawdown)))
    assert.equal(withoutLine.error.path, '$.message.order.ref_order_ids')
    assert.equal(await utilizationOf(line), 0n)
  })

  test('FIS12 §27.5: PAN 9056 has each drawdown refused, and PAN 9014 one that only status tells', async () => {
    const refused = drawdownFrom(await openLine('9056'))
    assert.equal(codeIn(await askTerms(buyer, refused, lakh)), '80203')
    assert.equal(codeIn(await agree(buyer, refused)), '80203')
    const silent = drawdownFrom(await openWaitingLine('9014'))
    await askTerms(waiting.buyer, silent, lakh)
    assert.equal(orderIn(await agree(waiting.buyer, silent)).drawdown?.status, 'ACTIVE')
  })

  test('FIS12 §27.4: a part of a line is paid on its page, and what is drawn falls by the principal', async () => {
    const line = await openLine()
    await draw(line, 2n * lakh)
    const asked = await requestPayment(line, { orderId: line.orderId, label: 'PRE_PART_PAYMENT', amount: lakh / 2n })
    const { payments } = asked.body.message.order
    assert.equal(payments.length, 1, 'only the payment')
    const [payment] = orderIn(asked).servicing
    assert.equal(payment?.duration, 'P15D')
    assert.equal(payment?.amount, lakh / 2n)
    assert.deepEqual(payment?.breakup, { PRINCIPAL_AMOUNT: lakh / 2n, INTEREST_AMOUNT: 0n })
    const again = await requestPayment(line, { orderId: line.orderId, label: 'PRE_PART_PAYMENT', amount: lakh / 2n })
    assert.equal(orderIn(again).servicing[0]?.url, payment?.url, 'the same page')
    await post(required(payment?.url, 'page'), { outcome: 'approve' })
    await post(required(payment?.url, 'page'), { outcome: 'approve' })
    const paid = orderIn(await buyer.receive('on_update', line))
    assert.equal(paid.servicing[0]?.status, 'PAID')
    assert.equal(paid.line?.utilization, lakh + lakh / 2n)
    const more = await requestPayment(line, { orderId: line.orderId, label: 'PRE_PART_PAYMENT', amount: 2n * lakh })
    assert.equal(codeIn(more), '40001', 'more than is drawn')
    assert.equal(codeIn(await requestPayment(line, { orderId: line.orderId, label: 'MISSED_EMI_PAYMENT' })), '40001')
    assert.deepEqual(faultsOf(line), [])
  })

  test('FIS12 §27.4: a part of a line that was never drawn on is paid as the network publishes it', async () => {
    const line = await openLine()
    const asked = await requestPayment(line, { orderId: line.orderId, label: 'PRE_PART_PAYMENT', amount: lakh })
    const [payment] = orderIn(asked).servicing
    await post(required(payment?.url, 'page'), { outcome: 'approve' })
    assert.equal(orderIn(await buyer.receive('on_update', line)).line?.utilization, 0n)
  })

  test('FIS12 §27.4: a line is repaid and closed on its page, and nothing is drawn from it afterwards', async () => {
    const line = await openLine()
    await draw(line, lakh)
    const foreclosure = { orderId: line.orderId, label: 'FORECLOSURE' } as const
    const [first] = orderIn(await requestPayment(line, foreclosure)).servicing
    assert.equal(first?.amount, lakh)
    await draw(line, lakh)
    await post(required(first?.url, 'page'), { outcome: 'approve' })
    assert.equal(await utilizationOf(line), 2n * lakh, 'the page with the old amount does nothing')
    const [second] = orderIn(await requestPayment(line, foreclosure)).servicing
    assert.equal(second?.amount, 2n * lakh)
    await post(required(second?.url, 'page'), { outcome: 'approve' })
    const closed = orderIn(await buyer.receive('on_update', line))
    assert.equal(closed.orderStatus, 'COMPLETED')
    assert.equal(closed.line?.utilization, 0n)
    assert.deepEqual(faultsOf(line), [])
    assert.equal(codeIn(await askTerms(buyer, drawdownFrom(line), lakh)), '40001')
    assert.equal(codeIn(await requestPayment(line, foreclosure)), '40001')
  })

  test('FIS12 §27.4: a line with nothing owed is closed on a page that asks for no payment', async () => {
    const line = await openLine()
    const [closing] = orderIn(await requestPayment(line, { orderId: line.orderId, label: 'FORECLOSURE' })).servicing
    assert.equal(closing?.amount, 0n)
    const url = required(closing?.url, 'page')
    const page = await (await fetch(url)).text()
    assert.match(page, /Nothing is owed, and closing costs nothing\./)
    assert.doesNotMatch(page, /₹0|Pay /)
    await post(url, { outcome: 'approve' })
    assert.match(await (await fetch(url)).text(), /Your line is closed/)
    assert.equal(orderIn(await buyer.receive('on_update', line)).orderStatus, 'COMPLETED')
  })
})
