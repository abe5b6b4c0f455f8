// The audit log records refused acts and each view of borrowers' data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLog } from '@lendloom/identity/audit'
import { deskPerson, pendingRequestPath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { deskLog } from '#partner/desk/audit/store.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { deskRoutes } from './routes.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'credit', 'operations', 'accounts', 'admin')
const ravi = await deskPerson(partner, 'Ravi', 'operations')
const loanCase = new TestCase(partner)
await loanCase.register()
const { caseRef } = loanCase
const page = `/desk/cases/${caseRef}`
await until('the case is under review', async () => /Approve with these terms/.test((await meera.view(page)).text))

interface EntryRow {
  staffId: string
  act: string
  caseRef: string | null
  subject: string | null
  detail: string
}
const newestEntries = (count: number) => db<EntryRow>`
  select person_id as staff_id, act, case_ref, subject, detail from audit_entry order by sequence desc limit ${count}`
const countEntries = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`select count(*)::int as count from audit_entry`
  return row!.count
}

test('a refused act is recorded with person, act, subject and reason', async () => {
  const terms = { annualRatePercent: '26', feePercent: '2', taxPercent: '18', otherCharges: '0', validDays: '3' }
  await meera.send(`${page}/offer`, { ...terms, amount: '300000', reason: 'A good shop.' })
  const request = await pendingRequestPath(partner, caseRef, 'OFFER')
  const requestId = request.split('/').at(-1)!
  const ownApproval = await meera.send(`${request}/approve`)
  assert.equal(ownApproval.status, 403)
  const [view, refused] = await newestEntries(2)
  assert.equal(view!.act, 'LIST_VIEWED', 'showing the list after the refusal is recorded as a view')
  assert.equal(view!.staffId, meera.staffId)
  assert.equal(refused!.act, 'ACT_REFUSED')
  assert.equal(refused!.staffId, meera.staffId)
  assert.equal(refused!.caseRef, caseRef)
  assert.equal(refused!.subject, requestId)
  assert.deepEqual(JSON.parse(refused!.detail), {
    what: 'REQUEST_APPROVED',
    because: 'you cannot decide your own proposal',
  })

  const refusedActs: [send: () => Promise<{ status: number }>, status: number, what: string, because: RegExp][] = [
    [() => ravi.send(`${request}/refuse`, { reason: 'No.' }), 403, 'REQUEST_REFUSED', /your roles cannot decide/],
    [() => ravi.send(`${request}/withdraw`), 403, 'REQUEST_WITHDRAWN', /only the person who proposed it/],
    [() => meera.send(`${page}/disburse`, { reason: 'Now.' }), 409, 'TRANSFER_ORDERED', /there is no offer yet/],
    [() => meera.send(`${page}/collect`), 409, 'DEBIT_REQUESTED', /no debit was requested/],
    [() => meera.send(`${page}/keeps`, { keeps: 'BOTH' }), 400, 'PART_PAYMENT_CHOICE', /^keeps is not readable$/],
    [() => meera.send('/desk/cases/nobody/release'), 404, 'HOLD_RELEASED', /this case does not exist/],
    [() => meera.send('/desk/me/password', { password: 'wrong' }), 400, 'PASSWORD_CHANGED', /not the current password/],
    [() => meera.send('/desk/people/meera@lender.example/roles'), 403, 'ROLES_CHANGED', /about yourself/],
  ]
  for (const [send, status, what, because] of refusedActs) {
    const before = await countEntries()
    assert.equal((await send()).status, status, what)
    const added = await newestEntries((await countEntries()) - before)
    const details = added.filter(({ act }) => act === 'ACT_REFUSED').map(({ detail }) => JSON.parse(detail))
    assert.deepEqual(
      details.map((each) => each.what),
      [what],
    )
    assert.match(details[0].because, because)
  }
})

test('the log does not contain the input of a refused form, and records that the case page is shown again', async () => {
  const account = { holder: 'Asha Kulkarni', number: '50200099 1234', ifsc: 'ICIC0000007', reason: 'Closed.' }
  const refusedAnswer = await meera.send(`${page}/account`, account)
  assert.match(refusedAnswer.text, /Number is not readable: "50200099 1234"/)
  const [view, refused] = await newestEntries(2)
  assert.equal(view!.act, 'CASE_VIEWED')
  assert.equal(view!.caseRef, caseRef)
  assert.deepEqual(JSON.parse(refused!.detail), { what: 'ACCOUNT_CHANGED', because: 'number is not readable' })
  const [leak] = await db`select 1 from audit_entry where detail like '%50200099%' or detail like '%Kulkarni%'`
  assert.equal(leak, undefined)
})

test('a request that the user’s role forbids is recorded once, with its path', async () => {
  const before = await countEntries()
  assert.equal((await ravi.send(`${page}/offer`)).status, 403)
  const added = await newestEntries((await countEntries()) - before)
  assert.deepEqual(
    added.map(({ act, subject, detail }) => ({ act, subject, detail })),
    [{ act: 'NOT_ALLOWED', subject: 'OFFERED', detail: JSON.stringify({ path: `${page}/offer` }) }],
  )
})

/** Inserts a receipt, and returns the test URLs of routes; a route without an entry is tested at its path. */
async function insertReceipt(): Promise<Record<string, string>> {
  await receiveReceipt(partner.ctx, {
    receipt_id: 'R-1',
    method: 'UPI',
    transaction_reference: 'UTR77',
    amount: '1200.00',
    currency: 'INR',
    at: '2026-11-20T06:00:00.000Z',
    value_date: '2026-11-20',
    payer_name: 'SOMEBODY',
    remark: null,
  })
  return {
    '/desk/cases/{caseRef}': page,
    '/desk/money/receipts/{provider}/{receiptId}': '/desk/money/receipts/SANDBOX_BANK/R-1?number=1',
    '/desk/money': '/desk/money',
    '/desk/password/{token}': `/desk/password/${'A'.repeat(43)}`,
  }
}

test('each page is declared free of borrowers’ data, or records each view once', async () => {
  const urlByRoute = await insertReceipt()
  const recordedViews: string[] = []
  for (const route of deskRoutes.filter(({ method }) => method === 'GET')) {
    const url = urlByRoute[route.path] ?? (route.path.includes('{') ? undefined : route.path)
    if (url === undefined) {
      assert.notEqual(route.viewAct, null, `${route.path}: a page with an id in its path must record views`)
      continue
    }
    const before = await countEntries()
    const { status } = await meera.view(url)
    const added = await newestEntries((await countEntries()) - before)
    if (status !== 200) assert.deepEqual(added, [], `${route.path} answered ${status} and must record no view`)
    else if (route.viewAct === null) assert.deepEqual(added, [], route.path)
    else {
      assert.equal(added.length, 1, route.path)
      assert.equal(added[0]!.staffId, meera.staffId)
      recordedViews.push(`${route.path} ${added[0]!.act}`)
    }
  }
  for (const each of [
    '/desk LIST_VIEWED',
    '/desk/cases LIST_VIEWED',
    '/desk/collections LIST_VIEWED',
    '/desk/duplicates LIST_VIEWED',
    '/desk/refunds LIST_VIEWED',
    '/desk/approvals LIST_VIEWED',
    '/desk/exchange LIST_VIEWED',
    '/desk/money RECEIPT_VIEWED',
    '/desk/cases/{caseRef} CASE_VIEWED',
    '/desk/acts LOG_READ',
  ])
    assert.ok(recordedViews.includes(each), `${each} of ${recordedViews.join(', ')}`)
})

test('pages declared free of borrowers’ data contain no borrower’s name', async () => {
  const { first_name: first, last_name: surname } = loanCase.lead.borrower
  for (const { path } of deskRoutes.filter(({ method, viewAct }) => method === 'GET' && viewAct === null)) {
    if (path.includes('{')) continue
    const { text } = await meera.view(path)
    assert.ok(!text.includes(surname) && !text.includes(`${first} `) && !text.includes(caseRef), path)
  }
  assert.ok((await meera.view('/desk')).text.includes(surname), 'control: the overview contains the name')
})

test('the view of a list is recorded with its filter and page, and its CSV export once', async () => {
  await meera.view('/desk/cases?status=UNDER_REVIEW')
  const [filterEntry] = await newestEntries(1)
  assert.equal(filterEntry!.act, 'LIST_VIEWED')
  assert.equal(filterEntry!.subject, '/desk/cases')
  assert.deepEqual(JSON.parse(filterEntry!.detail), { status: 'UNDER_REVIEW' })
  const key = ['2099-01-01T00:00:00.000000Z', 'case-7']
  const cursor = `n.${Buffer.from(JSON.stringify(key)).toString('base64url')}`
  assert.equal((await meera.view(`/desk/cases?at-cases=${cursor}`)).status, 200)
  const [pageEntry] = await newestEntries(1)
  assert.deepEqual(JSON.parse(pageEntry!.detail), { 'at-cases': 'after 2099-01-01T00:00:00.000000Z case-7' })
  const before = await countEntries()
  assert.equal((await meera.view('/desk/cases?status=UNDER_REVIEW&csv=cases')).status, 200)
  const [exportEntry] = await newestEntries(1)
  assert.equal((await countEntries()) - before, 1)
  assert.equal(exportEntry!.act, 'TABLE_EXPORTED')
  assert.deepEqual(JSON.parse(exportEntry!.detail), { status: 'UNDER_REVIEW', table: 'cases', rows: 1 })
  assert.equal((await verifyLog(db, deskLog)).fault, null)
})
