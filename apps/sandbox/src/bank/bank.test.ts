// The lender's bank over HTTP: transfers, debits, receipts, mandates, and every fault rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { fileOf } from '@lendloom/partner/src/servicing/collection/statement/parse-statement.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { accountEnding, startBank } from '@lendloom/tests/setup/bank'
import { until } from '@lendloom/tests/setup/programs'
import { outcomesOf, rules, scenarioFor } from './fault-rules.ts'
import { storeMandateOnFile } from './receipts.ts'

const second = { name: 'Second Lender Limited', bearer: 'bearer-of-the-second-lender' }
const bank = await startBank({ others: { SECOND: second } })

const transfer = (digits = '1234', overrides: object = {}) => ({
  client_reference: uuidv4(),
  mode: 'IMPS',
  amount: '97640.00',
  currency: 'INR',
  beneficiary: accountEnding(digits),
  ...overrides,
})
const debit = (digits = '1234', overrides: object = {}) => ({
  reference: uuidv4(),
  umrn: 'SBXB7201126000000001',
  amount: '4790.00',
  currency: 'INR',
  collection_date: businessDate(new Date()),
  debtor: accountEnding(digits),
  ...overrides,
})

async function waitUntilSettled(path: string, isSettled: (body: Json) => boolean): Promise<Json> {
  let last: Json
  await until(`${path} has a result`, async () => {
    last = (await bank.ask('GET', path)).body
    return isSettled(last)
  })
  return last
}
// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of an answer
type Json = any

test('D3 §4.5: a transfer is pending, then has a bank reference, and repeated orders create one transfer', async () => {
  const order = transfer()
  const first = await bank.ask('POST', '/transfers', order)
  assert.equal(first.status, 202)
  assert.equal(first.body.bank_reference === null, first.body.status === 'PENDING')
  const repeated = await Promise.all([1, 2, 3].map(() => bank.ask('POST', '/transfers', order)))
  assert.deepEqual(
    repeated.map(({ status }) => status),
    [202, 202, 202],
  )
  const path = `/transfers/${order.client_reference}`
  const done = await waitUntilSettled(path, ({ status }) => status === 'SUCCESS')
  assert.match(done.bank_reference, /^SBXB\d{17}$/)
  const other = await bank.ask('POST', '/transfers', { ...order, amount: '1.00' })
  assert.equal(other.status, 409)
  assert.equal(other.body.error.code, 'REUSED_KEY')
  const [{ count }] = (await bank.db<{ count: bigint }>`
    select count(*) as count from bank_transfer where client_reference = ${order.client_reference}`) as [
    { count: bigint },
  ]
  assert.equal(count, 1n)
})

test('D3 §4.5: an unknown reference, an unknown caller and an invalid order are refused', async () => {
  assert.equal((await bank.ask('GET', `/transfers/${uuidv4()}`)).status, 404)
  assert.equal((await bank.ask('GET', `/debits/${uuidv4()}`)).status, 404)
  for (const path of ['/transfers', '/debits', '/account-checks'])
    assert.equal((await bank.ask('POST', path, transfer(), 'unknown bearer')).status, 401)
  const { status, body } = await bank.ask('POST', '/transfers', transfer('1234', { amount: '0.00' }))
  assert.equal(status, 400)
  assert.equal(body.error.code, 'INVALID')
  assert.match(body.error.message, /^amount /)
})

test('D3 §4.5: a transfer that fails has a reason and no bank reference', async () => {
  const order = transfer('9301')
  await bank.ask('POST', '/transfers', order)
  const done = await waitUntilSettled(`/transfers/${order.client_reference}`, ({ status }) => status !== 'PENDING')
  assert.equal(done.status, 'FAILED')
  assert.equal(done.bank_reference, null)
  assert.equal(done.reason_code, 'ACCOUNT_CLOSED')
})

test('D3 §4.5: an enquiry returns the result of a request whose response timed out', async () => {
  const sent = transfer('9302')
  const presented = debit('9317')
  const answers = await Promise.all([bank.ask('POST', '/transfers', sent), bank.ask('POST', '/debits', presented)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [504, 504],
  )
  await waitUntilSettled(`/transfers/${sent.client_reference}`, ({ status }) => status === 'SUCCESS')
  await waitUntilSettled(`/debits/${presented.reference}`, ({ results }) => results[0]?.status === 'CONFIRMED')
})

test("D3 §2.3: a penny drop returns the name of the account's owner", async () => {
  const check = async (digits: string) =>
    (await bank.ask('POST', '/account-checks', { reference: uuidv4(), account: accountEnding(digits, 'Asha Verma') }))
      .body
  const own = await check('1234')
  const otherOwner = await check('9304')
  const missing = await check('9305')
  assert.equal(own.status, 'VALID')
  assert.equal(own.registered_name, 'ASHA VERMA')
  assert.equal(otherOwner.status, 'VALID')
  assert.equal(otherOwner.registered_name, 'PRAKASH TANDON')
  assert.equal(missing.status, 'INVALID')
  assert.equal(missing.registered_name, null)
  assert.equal(missing.reason_code, 'ACCOUNT_DOES_NOT_EXIST')
})

test('D3 §6.7: every debit rule produces its results in order', async () => {
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
    Object.entries(expected).map(async ([digits, expectedResults]) => {
      const order = debit(digits)
      assert.equal((await bank.ask('POST', '/debits', order)).status, 202)
      const path = `/debits/${order.reference}`
      const { results } = await waitUntilSettled(path, (body) => body.results.length === expectedResults.length)
      const outcomes = results.map((each: Json) =>
        [each.status, ...(each.return_code ? [each.return_code] : [])].join(' '),
      )
      assert.deepEqual(outcomes, expectedResults, digits)
      assert.ok(results.every((each: Json) => (each.bank_reference !== null) === (each.status === 'CONFIRMED')))
    }),
  )
})

test('D3 §6.7: an account without funds at the first debit pays the next one', async () => {
  const debtor = accountEnding('9311')
  for (const status of ['RETURNED', 'CONFIRMED']) {
    const order = debit('9311', { debtor })
    await bank.ask('POST', '/debits', order)
    await waitUntilSettled(`/debits/${order.reference}`, ({ results }) => results[0]?.status === status)
  }
})

test("D3 §6.7: a debit beyond its mandate's limit, dates or cancellation is returned", async () => {
  const mandate = { umrn: 'SBXB7201126000000077', maximumPaise: 500_000n, status: 'ACTIVE' as const }
  await storeMandateOnFile(bank.db, { ...mandate, validFrom: '2026-11-01', validUntil: '2027-05-01' }, new Date())
  const codeOf = async (overrides: object) => {
    const order = debit('1234', { umrn: mandate.umrn, ...overrides })
    await bank.ask('POST', '/debits', order)
    return (await waitUntilSettled(`/debits/${order.reference}`, ({ results }) => results.length === 1)).results[0]
      .return_code
  }
  assert.equal(await codeOf({}), null)
  assert.equal(await codeOf({ amount: '5000.01' }), '26')
  assert.equal(await codeOf({ collection_date: '2026-10-31' }), '28')
  assert.equal(await codeOf({ collection_date: '2027-05-02' }), '29')
  const cancelled = { ...mandate, validFrom: '2026-11-01', validUntil: '2027-05-01', status: 'CANCELLED' as const }
  await storeMandateOnFile(bank.db, cancelled, new Date())
  assert.equal(await codeOf({}), '21')
})

test('RBI, e-mandate framework: a repeated notice keeps its time, and a paused mandate has none', async () => {
  const umrn = 'fedcba9876543210fedcba9876543210@okbank'
  const today = businessDate(new Date())
  const mandate = { umrn, maximumPaise: 10_000_00n, validFrom: today, validUntil: plusDays(today, 200) }
  await storeMandateOnFile(bank.db, { ...mandate, status: 'ACTIVE' }, new Date())
  const nachUmrn = 'SBXB7201126000000078'
  await storeMandateOnFile(bank.db, { ...mandate, umrn: nachUmrn, status: 'ACTIVE' }, new Date())
  const notify = async (amount: string) => {
    const notice = { umrn, amount, currency: 'INR', collection_date: plusDays(today, 1) }
    return (await bank.ask('POST', '/debit-notices', notice)).body
  }
  const borrower = async (act: string, number = umrn) =>
    (await bank.ask('POST', `/borrower-mandates/${encodeURIComponent(number)}/${act}`, {})).status
  const first = await notify('4790.00')
  assert.equal(first.status, 'SENT')
  assert.deepEqual(await notify('4790.00'), first)
  assert.notEqual((await notify('4800.00')).at, first.at)
  assert.equal((await notify('10000.01')).reason_code, 'U02')
  assert.equal(await borrower('pause'), 200)
  const paused = await notify('4790.00')
  assert.equal(paused.status, 'REFUSED')
  assert.equal(paused.reason_code, 'JPMP')
  assert.equal(await borrower('resume'), 200)
  assert.equal((await notify('4790.00')).status, 'SENT')
  assert.equal(await borrower('pause', nachUmrn), 409)
  assert.equal(await borrower('pause', 'X'), 404)
  const nach = { umrn: nachUmrn, amount: '1.00', currency: 'INR', collection_date: today }
  assert.equal((await bank.ask('POST', '/debit-notices', nach)).status, 400)
})

test('NACH clearing cycles: with sessions, the result of an e-NACH debit waits for its session', async () => {
  const order = debit()
  bank.policy.hasSessions = true
  await bank.ask('POST', '/debits', order)
  bank.policy.hasSessions = false
  const [job] = await bank.db<{ dueAt: Date }>`select due_at from job where payload->>'reference' = ${order.reference}`
  assert.match(job!.dueAt.toISOString(), /T15:30:00/)
})

test('D3 §6.4: receipts are listed once each, after a cursor, without gaps', async () => {
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

test('D3 §6.4: a borrower pays from the page of a bank; a refused form pays nothing and keeps its input', async () => {
  const before = (await bank.ask('GET', '/receipts')).body.next
  const submit = async (fields: Record<string, string>) => {
    const answer = await fetch(`${bank.url}/pay`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: answer.status, text: await answer.text() }
  }
  const page = async () => (await fetch(`${bank.url}/pay`)).text()
  assert.match(
    await page(),
    /<option value=""[^>]*>Celestium<\/option><option value="SECOND">Second Lender Limited<\/option>/,
  )
  const form = { account: '', amount: '₹1,95,280', remark: '17643210', payer: 'Asha <Verma>' }
  const faults = [
    { amount: '0' },
    { amount: '-5' },
    { amount: '12.345' },
    { account: 'toString' },
    { payer: ' ' },
    { remark: ' ' },
  ]
  for (const fault of faults) {
    const { status, text } = await submit({ ...form, ...fault })
    assert.equal(status, 422, JSON.stringify(fault))
    assert.equal(text.includes('₹1,95,280') || 'amount' in fault, true, JSON.stringify(fault))
  }
  const { status, text } = await submit(form)
  assert.equal(status, 200)
  const { items } = (await bank.ask('GET', `/receipts?after=${before}`)).body
  assert.deepEqual(
    items.map(({ amount, remark, payer_name }: Json) => ({ amount, remark, payer_name })),
    [{ amount: '195280.00', remark: '17643210', payer_name: 'Asha <Verma>' }],
  )
  assert.ok(text.includes(items[0].transaction_reference), 'the page shows the reference')
  assert.match(await page(), /name="remark" required value="".*name="payer" required value=""/s, 'the form is empty')
})

test('D3 §2.5: the desk reads the statement of a day, with transfers, debits, returns and receipts', async () => {
  const on = businessDate(new Date())
  const statement = async (query: object) =>
    fetch(`${bank.url}/statement.csv?${new URLSearchParams({ account: 'SECOND', from: on, to: on, ...query })}`)
  const linesNow = async () =>
    fileOf(Buffer.from(await (await statement({})).arrayBuffer()), { today: on, accounts: [] })
  await bank.payIn({ method: 'UPI', amount: '99.50', payer_name: 'ASHA', remark: '=1+1', account: 'SECOND' })
  const before = (await linesNow()).lines
  const order = transfer()
  const returned = debit('9316')
  const received = { method: 'IMPS', amount: '12.00', payer_name: 'ASHA' } as const
  await bank.ask('POST', '/transfers', order, second.bearer)
  await bank.ask('POST', '/debits', returned, second.bearer)
  const { bank_reference: paid } = await waitUntilSettled(
    `/transfers/${order.client_reference}`,
    ({ status }) => status === 'SUCCESS',
  )
  const { results } = await waitUntilSettled(`/debits/${returned.reference}`, (body) => body.results.length === 2)
  const { transaction_reference: utr } = await bank.payIn({ ...received, account: 'SECOND' })
  const { lines } = await linesNow()
  const debited = results[0].bank_reference
  type Movement = { reference: string; paise: bigint }
  const byReference = (left: Movement, right: Movement) =>
    left.reference.localeCompare(right.reference) || Number(left.paise - right.paise)
  assert.deepEqual(
    lines
      .slice(before.length)
      .map(({ reference, paise }) => ({ reference, paise }))
      .sort(byReference),
    [
      { reference: paid, paise: -97_640_00n },
      { reference: debited, paise: 4790_00n },
      { reference: debited, paise: -4790_00n },
      { reference: utr, paise: 12_00n },
    ].sort(byReference),
  )
  const rows = (await (await statement({})).text()).trim().split('\r\n')
  assert.match(rows[1]!, /^,,Opening balance,,100000000\.00$/)
  const sum = lines.reduce((total, { paise }) => total + paise, 10_00_00_000_00n)
  assert.equal(rows.at(-1), `,,Closing balance,,${rupees(sum)}`)
  const tomorrow = plusDays(on, 1)
  assert.match(
    await (await statement({ from: tomorrow, to: tomorrow })).text(),
    RegExp(`Opening balance,,${rupees(sum)}`),
  )
  assert.equal((await statement({ from: tomorrow })).status, 400, 'the period ends before it begins')
  const page = await (await fetch(bank.url)).text()
  assert.match(page, /<h2>Second Lender Limited<\/h2>.*account=SECOND&amp;from=/s)
  assert.deepEqual(
    await Promise.all(
      [{ account: 'X' }, { from: '2026-02-30' }, { to: '' }].map(async (each) => (await statement(each)).status),
    ),
    [404, 400, 400],
  )
})

test('D3 §6.4: a lender sees only results and receipts of its own account', async () => {
  const first = bank.bearer
  const next = async (path: string, bearer: string) => (await bank.ask('GET', path, undefined, bearer)).body.next
  const starts = await Promise.all(
    [first, second.bearer].map(async (bearer) => ({
      results: await next('/debit-results', bearer),
      receipts: await next('/receipts', bearer),
    })),
  )
  const paid = await bank.payIn({ method: 'UPI', amount: '10.00', payer_name: 'ASHA VERMA', account: 'SECOND' })
  const presented = debit()
  assert.equal((await bank.ask('POST', '/debits', presented, second.bearer)).status, 202)
  await waitUntilSettled(`/debits/${presented.reference}`, ({ results }) => results.length > 0)
  const listedFor = async (bearer: string, { results, receipts }: (typeof starts)[number]) => ({
    debits: (await bank.ask('GET', `/debit-results?after=${results}`, undefined, bearer)).body.items.map(
      ({ reference }: Json) => reference,
    ),
    receipts: (await bank.ask('GET', `/receipts?after=${receipts}`, undefined, bearer)).body.items.map(
      ({ receipt_id }: Json) => receipt_id,
    ),
  })
  assert.deepEqual(await listedFor(second.bearer, starts[1]!), {
    debits: [presented.reference],
    receipts: [paid.receipt_id],
  })
  assert.deepEqual(await listedFor(first, starts[0]!), { debits: [], receipts: [] })
  assert.equal((await bank.ask('GET', '/receipts', undefined, 'bearer-of-nobody-at-all')).status, 401)
})

test('each fault rule has unique digits of the account number or the PAN, and an ordinary account matches none', () => {
  assert.equal(new Set(rules.map(({ digits }) => digits)).size, rules.length)
  for (const { digits, scenario } of rules) {
    assert.equal(scenarioFor(`5010012345${digits}`), scenario)
    assert.equal(scenarioFor('50100123451234', `ABCPE${digits}F`), scenario)
    assert.ok(outcomesOf(scenario, 0).length > 0)
  }
  assert.equal(scenarioFor('50100123451234', 'ABCPE1234F'), null)
})
