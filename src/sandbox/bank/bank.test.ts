// The lender's bank over HTTP: orders by reference, results that follow one another, lists without gaps, and every rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '#kit/crypto/id.ts'
import { accountEnding, startBank } from '#test/setup/bank.ts'
import { until } from '#test/setup/programs.ts'
import { putOnFile } from './receipt.ts'
import { outcomesOf, rules, scenarioFor } from './rules.ts'

const others = { SECOND: 'bearer-of-the-second-lender' }
const bank = await startBank({ others })

const transfer = (digits = '1234', over: object = {}) => ({
  client_reference: uuidv4(),
  mode: 'IMPS',
  amount: '97640.00',
  currency: 'INR',
  beneficiary: accountEnding(digits),
  ...over,
})
const debit = (digits = '1234', over: object = {}) => ({
  reference: uuidv4(),
  umrn: 'SBXB7201126000000001',
  amount: '4790.00',
  currency: 'INR',
  collection_date: '2026-11-27',
  debtor: accountEnding(digits),
  ...over,
})

async function settled(path: string, isSettled: (body: Json) => boolean): Promise<Json> {
  let last: Json
  await until(`${path} settled`, async () => {
    last = (await bank.ask('GET', path)).body
    return isSettled(last)
  })
  return last
}
// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
type Json = any

test('D3 §4.5: a transfer is pending first, then has a bank reference, and is one however often it is ordered', async () => {
  const order = transfer()
  const first = await bank.ask('POST', '/transfers', order)
  assert.equal(first.status, 202)
  assert.equal(first.body.bank_reference === null, first.body.status === 'PENDING')
  const again = await Promise.all([1, 2, 3].map(() => bank.ask('POST', '/transfers', order)))
  assert.deepEqual(
    again.map(({ status }) => status),
    [202, 202, 202],
  )
  const path = `/transfers/${order.client_reference}`
  const done = await settled(path, ({ status }) => status === 'SUCCESS')
  assert.match(done.bank_reference, /^SBXB\d{17}$/)
  const other = await bank.ask('POST', '/transfers', { ...order, amount: '1.00' })
  assert.deepEqual([other.status, other.body.error.code], [409, 'REUSED_KEY'])
  const [{ count }] = (await bank.db<{ count: bigint }>`
    select count(*) as count from bank_transfer where client_reference = ${order.client_reference}`) as [
    { count: bigint },
  ]
  assert.equal(count, 1n)
})

test('D3 §4.5: what was never ordered is 404, an unknown caller is 401, and a wrong order names its field', async () => {
  assert.equal((await bank.ask('GET', `/transfers/${uuidv4()}`)).status, 404)
  assert.equal((await bank.ask('GET', `/debits/${uuidv4()}`)).status, 404)
  for (const path of ['/transfers', '/debits', '/account-checks'])
    assert.equal((await bank.ask('POST', path, transfer(), 'somebody else')).status, 401)
  const { status, body } = await bank.ask('POST', '/transfers', transfer('1234', { amount: '0.00' }))
  assert.deepEqual([status, body.error.code], [400, 'INVALID'])
  assert.match(body.error.message, /^amount /)
})

test('D3 §4.5: a transfer that fails has a reason and no bank reference', async () => {
  const order = transfer('9301')
  await bank.ask('POST', '/transfers', order)
  const done = await settled(`/transfers/${order.client_reference}`, ({ status }) => status !== 'PENDING')
  assert.deepEqual([done.status, done.bank_reference, done.reason_code], ['FAILED', null, 'ACCOUNT_CLOSED'])
})

test('D3 §4.5: a request may go unanswered though it was carried out; the enquiry tells', async () => {
  const [sent, presented] = [transfer('9302'), debit('9317')]
  const answers = await Promise.all([bank.ask('POST', '/transfers', sent), bank.ask('POST', '/debits', presented)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [504, 504],
  )
  await settled(`/transfers/${sent.client_reference}`, ({ status }) => status === 'SUCCESS')
  await settled(`/debits/${presented.reference}`, ({ results }) => results[0]?.status === 'CONFIRMED')
})

test('D3 §2.3: a penny drop says whose account it is', async () => {
  const check = async (digits: string) =>
    (await bank.ask('POST', '/account-checks', { reference: uuidv4(), account: accountEnding(digits, 'Asha Verma') }))
      .body
  const [own, others, none] = [await check('1234'), await check('9304'), await check('9305')]
  assert.deepEqual([own.status, own.registered_name], ['VALID', 'ASHA VERMA'])
  assert.deepEqual([others.status, others.registered_name], ['VALID', 'PRAKASH TANDON'])
  assert.deepEqual([none.status, none.registered_name, none.reason_code], ['INVALID', null, 'ACCOUNT_DOES_NOT_EXIST'])
})

test('D3 §6.7: every debit rule gives its results, in their order', async () => {
  const expected: Record<string, string[]> = {
    1234: ['CONFIRMED'],
    9311: ['RETURNED 04'],
    9312: ['RETURNED 04'],
    9313: ['RETURNED 01'],
    9314: ['RETURNED 06'],
    9315: ['RETURNED 61'],
    9316: ['CONFIRMED', 'RETURNED 04'],
    9318: ['RETURNED 98', 'CONFIRMED'],
    9319: ['RETURNED 13', 'CONFIRMED'],
    9320: ['CONFIRMED'],
  }
  await Promise.all(
    Object.entries(expected).map(async ([digits, words]) => {
      const order = debit(digits)
      assert.equal((await bank.ask('POST', '/debits', order)).status, 202)
      const path = `/debits/${order.reference}`
      const { results } = await settled(path, (body) => body.results.length === words.length)
      const outcomes = results.map((each: Json) =>
        [each.status, ...(each.return_code ? [each.return_code] : [])].join(' '),
      )
      assert.deepEqual(outcomes, words, digits)
      assert.ok(results.every((each: Json) => (each.bank_reference !== null) === (each.status === 'CONFIRMED')))
    }),
  )
})

test('D3 §6.7: an account that was short once has money the next time', async () => {
  const debtor = accountEnding('9311')
  for (const word of ['RETURNED', 'CONFIRMED']) {
    const order = debit('9311', { debtor })
    await bank.ask('POST', '/debits', order)
    await settled(`/debits/${order.reference}`, ({ results }) => results[0]?.status === word)
  }
})

test('D3 §6.7: a mandate on file is kept to: its limit, its dates, its end', async () => {
  const mandate = { umrn: 'SBXB7201126000000077', maximumPaise: 500_000n, status: 'ACTIVE' as const }
  await putOnFile(bank.db, { ...mandate, validFrom: '2026-11-01', validUntil: '2027-05-01' }, new Date())
  const codeOf = async (over: object) => {
    const order = debit('1234', { umrn: mandate.umrn, ...over })
    await bank.ask('POST', '/debits', order)
    return (await settled(`/debits/${order.reference}`, ({ results }) => results.length === 1)).results[0].return_code
  }
  assert.equal(await codeOf({}), null)
  assert.equal(await codeOf({ amount: '5000.01' }), '26')
  assert.equal(await codeOf({ collection_date: '2026-10-31' }), '28')
  assert.equal(await codeOf({ collection_date: '2027-05-02' }), '29')
  const ended = { ...mandate, validFrom: '2026-11-01', validUntil: '2027-05-01', status: 'CANCELLED' as const }
  await putOnFile(bank.db, ended, new Date())
  assert.equal(await codeOf({}), '21')
})

test('D3 §6.4: what borrowers pay in is listed once each, after any place, without gaps', async () => {
  const before = (await bank.ask('GET', '/receipts')).body.next
  const paid = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      bank.payIn({ method: 'UPI', amount: `${100 + i}.00`, payer_name: 'Asha Verma', remark: `loan ${i}` }),
    ),
  )
  const { items, next } = (await bank.ask('GET', `/receipts?after=${before}`)).body
  assert.deepEqual(items.map((each: Json) => each.receipt_id).sort(), paid.map(({ receipt_id }) => receipt_id).sort())
  assert.equal(Number(next) - Number(before), 20)
  assert.deepEqual((await bank.ask('GET', `/receipts?after=${next}`)).body.items, [])
})

test('D3 §6.4: a lender is told of its own account alone', async () => {
  const [first, second] = [bank.bearer, others.SECOND]
  const next = async (path: string, bearer: string) => (await bank.ask('GET', path, undefined, bearer)).body.next
  const starts = await Promise.all(
    [first, second].map(async (bearer) => [await next('/debit-results', bearer), await next('/receipts', bearer)]),
  )
  const paid = await bank.payIn({ method: 'UPI', amount: '10.00', payer_name: 'ASHA VERMA', account: 'SECOND' })
  const presented = debit()
  assert.equal((await bank.ask('POST', '/debits', presented, second)).status, 202)
  await settled(`/debits/${presented.reference}`, ({ results }) => results.length > 0)
  const seen = async (bearer: string, [results, receipts]: string[]) => [
    (await bank.ask('GET', `/debit-results?after=${results}`, undefined, bearer)).body.items.map(
      ({ reference }: Json) => reference,
    ),
    (await bank.ask('GET', `/receipts?after=${receipts}`, undefined, bearer)).body.items.map(
      ({ receipt_id }: Json) => receipt_id,
    ),
  ]
  assert.deepEqual(await seen(second, starts[1]!), [[presented.reference], [paid.receipt_id]])
  assert.deepEqual(await seen(first, starts[0]!), [[], []])
  assert.equal((await bank.ask('GET', '/receipts', undefined, 'bearer-of-nobody-at-all')).status, 401)
})

test('the digits of a rule are its own, in the account number or in the PAN, and an ordinary account reaches none', () => {
  assert.equal(new Set(rules.map(({ digits }) => digits)).size, rules.length)
  for (const { digits, scenario } of rules) {
    assert.equal(scenarioFor(`5010012345${digits}`), scenario)
    assert.equal(scenarioFor('50100123451234', `ABCPE${digits}F`), scenario)
    assert.ok(outcomesOf(scenario, 0).length > 0)
  }
  assert.equal(scenarioFor('50100123451234', 'ABCPE1234F'), null)
})
