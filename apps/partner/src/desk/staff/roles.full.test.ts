// Permissions over real HTTP for each role and act, and the tamper-evident audit log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOf } from '@lendloom/foundation/record'
import { readHtml } from '@lendloom/http/html'
import { verifyLog } from '@lendloom/identity/audit'
import type { Tx } from '@lendloom/postgres/sql'
import { choosePasswordByLink, deskPerson, pendingChangePath, withCurrentVersion } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { deskLog } from '#partner/desk/audit/store.ts'
import { type Role, roles } from '#partner/people/person.ts'
import { addStaff } from './staff.ts'
import { type Act, acts, noteAct, rolesFor } from './staff-acts.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const password = 'correct horse battery'

/** Adds a user with one role; returns the cookie of a new session. */
async function signInAs(role: Role) {
  const email = `${role}@lender.example`
  await db.tx((tx) => addStaff(tx, { email, name: role, password, roles: [role] }, new Date()))
  const body = new URLSearchParams({ email, password })
  const answer = await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return answer.headers.get('set-cookie')!.split(';')[0]!
}
const cookies = new Map<Role, string>()
for (const role of roles) cookies.set(role, await signInAs(role))

async function sendAs(role: Role, path: string, form?: Record<string, string>) {
  const answer = await fetch(`${partner.url}${form ? await withCurrentVersion(partner, path) : path}`, {
    redirect: 'manual',
    headers: { cookie: cookies.get(role)! },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  return { status: answer.status, text: readHtml(await answer.text()).text() }
}

const loanCase = new TestCase(partner)
await loanCase.register()
const page = `/desk/cases/${loanCase.caseRef}`
await until('the case is under review', async () => /Under review/.test((await sendAs('admin', page)).text))

const id = '018f0000-0000-7000-8000-000000000000'
const statementClosing = `/desk/books/bank/${id}/closings/${id}`

/** A request for each act. Its form is invalid, so that an allowed request changes nothing. */
const requests: Partial<Record<Act, [path: string, form?: Record<string, string>]>> = {
  SEARCHED: ['/desk/search', {}],
  CASE_VIEWED: [page],
  LIST_VIEWED: ['/desk/cases'],
  RECEIPT_VIEWED: ['/desk/money/receipts/x/y?number=1'],
  FILE_READ: [`${page}/documents/none`],
  PERSONAL_DATA_REVEALED: [`${page}/reveal`, {}],
  OFFERED: [`${page}/offer`, {}],
  REJECTED: [`${page}/reject`, {}],
  KYC_REVIEWED: [`${page}/kyc`, {}],
  TRANSFER_ORDERED: [`${page}/disburse`, {}],
  NOTE_ADDED: [`${page}/note`, {}],
  TASK_MADE: [`${page}/task`, {}],
  TASK_DONE: [`${page}/task-done`, {}],
  AGENT_ASSIGNED: [`${page}/agent`, { staffId: 'nobody' }],
  PROMISE_MADE: [`${page}/promise`, {}],
  CONTACT_NOTED: [`${page}/contact`, {}],
  DEBITS_HELD: [`${page}/hold`, {}],
  HOLD_RELEASED: [`${page}/release`, {}],
  COOLING_OFF_EXIT: [`${page}/exit`, { requestedOn: '2026-11-20' }],
  FORECLOSURE_QUOTED: [`${page}/payoff`],
  PART_PAYMENT_CHOICE: [`${page}/keeps`, {}],
  DEBIT_REQUESTED: [`${page}/collect`, {}],
  COLLECTION_BEGUN: ['/desk/money/collect', {}],
  RECEIPT_POSTED: ['/desk/money/receipts/x/y', {}],
  TRANSFER_RETURNED: ['/desk/money/receipts/x/y/transfer', {}],
  RETURN_PROPOSED: ['/desk/money/receipts/x/y/return', {}],
  RECEIPT_RETURNED: [`/desk/money/receipts/x/y/returns/${id}/confirm`, {}],
  TAKING_BACK_PROPOSED: ['/desk/money/receipts/x/y/taken-back', {}],
  RECEIPT_TAKEN_BACK: [`/desk/money/receipts/x/y/returns/${id}/confirm`, {}],
  RETURN_REFUSED: [`/desk/money/receipts/x/y/returns/${id}/refuse`, { reason: 'no' }],
  RETURN_WITHDRAWN: [`/desk/money/receipts/x/y/returns/${id}/withdraw`, {}],
  EVENT_LOOKED_AT: ['/desk/exchange/held/x/018f0000-0000-7000-8000-000000000000', {}],
  EVENT_SENT_AGAIN: ['/desk/exchange/replay/018f0000-0000-7000-8000-000000000000', {}],
  RULES_ON: ['/desk/autopilot', {}],
  RULES_OFF: ['/desk/autopilot', {}],
  REFUND_ORDERED: [`${page}/refund`, {}],
  ACCOUNT_CHANGED: [`${page}/account`, {}],
  WAIVED: [`${page}/waive`, {}],
  ROUNDED_OFF: [`${page}/round-off`, {}],
  WRITTEN_OFF: [`${page}/write-off`, {}],
  SETTLEMENT_AGREED: [`${page}/settle`, {}],
  LOSS_DECIDED: [`${page}/loss`, {}],
  RECEIPT_REVERSED: [`${page}/reverse`, {}],
  REQUEST_APPROVED: [`/desk/approvals/x/018f0000-0000-7000-8000-000000000000/approve`, {}],
  REQUEST_REFUSED: [`/desk/approvals/x/018f0000-0000-7000-8000-000000000000/refuse`, { reason: 'no' }],
  REQUEST_WITHDRAWN: [`/desk/approvals/x/018f0000-0000-7000-8000-000000000000/withdraw`, {}],
  CASE_STOPPED: [`${page}/stop`, {}],
  NAMES_COMPARED: [`${page}/name`, {}],
  PAPER_MADE: [`${page}/papers/statement`],
  IDENTITY_DECIDED: ['/desk/duplicates/018f0000-0000-7000-8000-000000000000', {}],
  LIMITS_CHANGED: ['/desk/limits', {}],
  POLICY_CHANGED: ['/desk/policy/changes/018f0000-0000-7000-8000-000000000000/confirm', {}],
  CHANGE_PROPOSED: ['/desk/policy/debits', {}],
  CHANGE_REFUSED: ['/desk/policy/changes/018f0000-0000-7000-8000-000000000000/refuse', { reason: 'no' }],
  CHANGE_WITHDRAWN: ['/desk/policy/changes/018f0000-0000-7000-8000-000000000000/withdraw', {}],
  STATEMENT_PAIRED: ['/desk/books/bank/018f0000-0000-7000-8000-000000000000/pair', {}],
  STATEMENT_UNPAIRED: ['/desk/books/bank/018f0000-0000-7000-8000-000000000000/unpair', {}],
  STATEMENT_CLOSED: ['/desk/books/bank/018f0000-0000-7000-8000-000000000000/close', {}],
  STATEMENT_CLOSING_PROPOSED: ['/desk/books/bank/018f0000-0000-7000-8000-000000000000/close', {}],
  STATEMENT_CLOSING_REFUSED: [`${statementClosing}/refuse`, { reason: 'no' }],
  STATEMENT_CLOSING_WITHDRAWN: [`${statementClosing}/withdraw`, {}],
  STATEMENT_UPLOADED: ['/desk/books/bank', {}],
  BOOKS_EXPORTED: ['/desk/books/journal.csv'],
  CLOSING_PROPOSED: ['/desk/books/month-end/propose', {}],
  MONTH_CLOSED: ['/desk/books/month-end/closings/018f0000-0000-7000-8000-000000000000/confirm', {}],
  CLOSING_REFUSED: ['/desk/books/month-end/closings/018f0000-0000-7000-8000-000000000000/refuse', { reason: 'no' }],
  CLOSING_WITHDRAWN: ['/desk/books/month-end/closings/018f0000-0000-7000-8000-000000000000/withdraw', {}],
  REPORT_MADE: ['/desk/reports/returns.csv'],
  TABLE_EXPORTED: ['/desk/cases?csv=cases'],
  LOG_READ: ['/desk/acts.csv'],
  STAFF_ADDED: ['/desk/people', {}],
  STAFF_REMOVED: ['/desk/people/nobody@x.example/remove', {}],
  STAFF_PASSWORD: ['/desk/people/nobody@x.example/password', {}],
  SECOND_FACTOR_RESET: ['/desk/people/nobody@x.example/second-factor', {}],
  ROLES_CHANGED: ['/desk/people/nobody@x.example/roles', {}],
}
/** Acts on a user's own account, which every role may perform. */
const ownAccountActs: Act[] = [
  'SIGNED_IN',
  'SIGNED_OUT',
  'SESSION_REVOKED',
  'SIGN_IN_FAILED',
  'NOT_ALLOWED',
  'ACT_REFUSED',
  'PASSWORD_CHANGED',
  'PASSWORD_CHOSEN',
  'CODE_REQUESTED',
  'SIGN_IN_PAUSED',
  'SECOND_FACTOR_ON',
  'SECOND_FACTOR_OFF',
  'OPENID_LINKED',
  'OPENID_UNLINKED',
  'REQUEST_MADE',
]
/** Acts without their own request: every role may read the page, but without the act it sees masked data. */
const maskedActs: Act[] = ['STATEMENT_VIEWED']

test('a role may perform only its acts, and each forbidden request is recorded', async () => {
  const untestedActs = [...ownAccountActs, ...maskedActs]
  const testedActs = keysOf(acts).filter((act) => !untestedActs.includes(act))
  for (const act of testedActs) {
    assert.ok(requests[act], `${act} has a test request`)
    const [path, form] = requests[act]
    for (const role of roles) {
      const { status } = await sendAs(role, path, form)
      assert.equal(status === 403, !rolesFor(act).includes(role), `${act} as ${role}: ${status}`)
    }
  }
  const [forbiddenEntries] = await db<{ count: number }>`
    select count(*)::int as count from audit_entry where act = 'NOT_ALLOWED' and person_id = (
      select staff_id from staff where name = 'viewer')`
  assert.equal(forbiddenEntries!.count, testedActs.filter((act) => !rolesFor(act).includes('viewer')).length)
})

test('pages show only the acts that the user’s roles allow', async () => {
  const textFor = async (role: Role, path: string) => (await sendAs(role, path)).text
  const viewer = await textFor('viewer', page)
  const credit = await textFor('credit', page)
  assert.ok(!viewer.includes('Approve with these terms') && credit.includes('Approve with these terms'))
  assert.ok(!viewer.includes('Reject the application') && credit.includes('Reject the application'))
  assert.ok(!(await textFor('credit', '/desk/money')).includes('Collect what is due today'))
  assert.ok((await textFor('collections', '/desk/money')).includes('Collect what is due today'))
  assert.ok(!(await textFor('operations', '/desk')).includes('Switch on automatic decisions'))
  assert.ok(!(await textFor('accounts', '/desk')).includes('Audit log'))
  assert.ok((await textFor('admin', '/desk')).includes('Audit log'))
  assert.equal((await sendAs('accounts', '/desk/people')).status, 403)
})

test('a new user is a viewer until a second admin confirms the role, and admins cannot change their own roles', async () => {
  const devi = await deskPerson(partner, 'Devi', 'admin')
  const added = await sendAs('admin', '/desk/people', { name: 'Ravi', email: 'Ravi@lender.example', role: 'credit' })
  const secret = await choosePasswordByLink(partner, added.text)
  const again = await sendAs('admin', '/desk/people', { name: 'Ravi', email: 'ravi@lender.example', role: 'credit' })
  assert.equal(added.status, 200)
  assert.equal(again.status, 409)
  assert.match(again.text, /already has an account/)
  assert.equal((await sendAs('admin', '/desk/people', { name: 'X', email: 'x@lender.example' })).status, 400)
  const rolesOf = async (email: string) => {
    const [row] = await db<{ roles: Role[] }>`select roles from staff where email = ${email}`
    return row?.roles.join(' ')
  }
  assert.equal(await rolesOf('ravi@lender.example'), 'viewer', 'the role waits for a second admin')
  assert.equal(await rolesOf('x@lender.example'), undefined)
  const people = (await devi.view('/desk/people')).text
  assert.match(
    people,
    /Ravi ?ravi@lender\.example ?Viewer ?reads, and changes nothing ?A change waits for a second admin ?Nothing ?Nothing/,
  )
  assert.match(
    people,
    /Devi you ?devi@lender\.example ?Admin ?does everything[\s\S]*?Up to ₹[\d,]+ ?offers ₹[\d,]+ alone ?1 approval/,
  )
  const confirm = async () => devi.send(`${await pendingChangePath(partner, 'ROLES')}/confirm`)
  assert.equal((await sendAs('admin', `${await pendingChangePath(partner, 'ROLES')}/confirm`, {})).status, 403)
  assert.equal((await confirm()).status, 303)
  assert.equal(await rolesOf('ravi@lender.example'), 'credit')

  const body = new URLSearchParams({ email: 'ravi@lender.example', password: secret })
  const signedIn = await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const status = async () => (await fetch(`${partner.url}/desk/people`, { headers: { cookie } })).status
  const rolesPath = '/desk/people/ravi@lender.example/roles'
  assert.equal(await status(), 403)
  assert.equal((await sendAs('admin', rolesPath, { role: 'admin' })).status, 400, 'a reason is required')
  assert.equal(
    (await sendAs('admin', rolesPath, { role: 'credit', reason: 'None.' })).status,
    409,
    'unchanged roles are refused',
  )
  assert.equal((await sendAs('admin', rolesPath, { role: 'admin', reason: 'Leads us.' })).status, 303)
  assert.equal(await status(), 403)
  assert.equal((await confirm()).status, 303)
  assert.equal(await status(), 200, 'the role applies to the next request')

  const ownChange = await sendAs('admin', '/desk/people/admin@lender.example/roles', {
    role: 'accounts',
    reason: 'Me.',
  })
  assert.equal(ownChange.status, 403)
  assert.match(ownChange.text, /You cannot decide about yourself/)
  const deviRoles = '/desk/people/devi@lender.example/roles'
  assert.equal((await sendAs('admin', deviRoles, { role: 'accounts', reason: 'Her.' })).status, 303)
  const ownConfirmation = await confirm()
  assert.equal(ownConfirmation.status, 403)
  assert.match(ownConfirmation.text, /You cannot decide about yourself/)
  assert.equal((await sendAs('admin', `${await pendingChangePath(partner, 'ROLES')}/withdraw`, {})).status, 303)
  const [entry] = await db<{ subject: string; detail: string }>`
    select subject, detail from audit_entry where act = 'ROLES_CHANGED' order by sequence desc limit 1`
  assert.deepEqual(entry, {
    subject: 'ravi@lender.example',
    detail: '{"Roles":"from Credit to Admin","proposedBy":"admin","setting":"ROLES"}',
  })
  for (const email of ['ravi@lender.example', 'devi@lender.example'])
    assert.equal((await sendAs('admin', `/desk/people/${email}/remove`, {})).status, 303)
  const lastRemoval = await sendAs('admin', '/desk/people/admin@lender.example/remove', {})
  assert.equal(lastRemoval.status, 409)
  assert.match(lastRemoval.text, /the only admin/)
  assert.match((await sendAs('admin', '/desk/people')).text, /You are the only admin/)
})

test('the log records views, filters by person, act and case, and exports a table', async () => {
  await sendAs('viewer', page)
  const [path, form] = requests.OFFERED!
  assert.equal((await sendAs('viewer', path, form)).status, 403)
  const [viewer] = await db<{ staffId: string }>`select staff_id from staff where name = 'viewer'`
  const filtered = await sendAs(
    'admin',
    `/desk/acts?person=${viewer!.staffId}&act=CASE_VIEWED&number=${loanCase.caseRef}`,
  )
  assert.match(filtered.text, /viewerViewed a case/)
  assert.doesNotMatch(filtered.text, /adminViewed a case/)
  const none = await sendAs('admin', `/desk/acts?person=${viewer!.staffId}&act=OFFERED`)
  assert.match(none.text, /No entries match/)
  const changes = await sendAs('admin', '/desk/acts.csv')
  assert.doesNotMatch(changes.text, /,(?:admin|viewer),(?:CASE_VIEWED|LIST_VIEWED|LOG_READ),/)
  assert.match(changes.text, /,viewer,SIGNED_IN,[\s\S]*,NOT_ALLOWED,|,NOT_ALLOWED,[\s\S]*,viewer,SIGNED_IN,/)
  assert.match((await sendAs('admin', '/desk/acts.csv?act=ALL')).text, /,viewer,CASE_VIEWED,/)
  const csv = await sendAs('admin', '/desk/acts.csv?act=NOT_ALLOWED')
  assert.match(csv.text, /number,at,person,act,case,loan,subject,detail/)
  assert.match(csv.text, /,viewer,NOT_ALLOWED,,,OFFERED,/)
})

/** Applies a change to the log, verifies the log, and rolls the change back; returns the number of the faulty entry. */
async function faultAfter(change: (tx: Tx) => Promise<unknown>) {
  let fault: Awaited<ReturnType<typeof verifyLog>>['fault'] | undefined
  await db
    .tx(async (tx) => {
      await change(tx)
      fault = (await verifyLog(tx, deskLog)).fault
      throw new Error('rolled back')
    })
    .catch((error: Error) => assert.equal(error.message, 'rolled back'))
  return fault?.sequence
}

test('the chain verifies after concurrent acts, and verification finds a changed, removed or inserted entry', async () => {
  const at = new Date()
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      db.tx((tx) => noteAct(tx, { staffId: null, act: 'FILE_READ', about: { subject: String(n) }, at })),
    ),
  )
  const { entries, fault } = await verifyLog(db, deskLog)
  assert.equal(fault, null)
  const changes: [number, (tx: Tx) => Promise<unknown>][] = [
    [7, (tx) => tx`update audit_entry set case_ref = 'another' where sequence = 7`],
    [8, (tx) => tx`delete from audit_entry where sequence = 8`],
    [entries, (tx) => tx`delete from audit_entry where sequence = ${entries}`],
    [
      entries + 1,
      (tx) => tx`
        insert into audit_entry (tenant_id, sequence, at, act, detail, digest)
        select tenant_id, ${entries + 1}::integer, now(), act, detail, digest from audit_entry where sequence = ${entries}`,
    ],
  ]
  for (const [sequence, change] of changes) assert.equal(await faultAfter(change), sequence, change.toString())
  assert.equal((await verifyLog(db, deskLog)).fault, null)
})

test('a failed sign-in is recorded', async () => {
  // Cutting the address at its maximum length would split the surrogate pair of the last character.
  const body = new URLSearchParams({ email: `${'a'.repeat(253)}😀`, password: 'wrong' })
  assert.equal((await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })).status, 401)
  const [entry] = await db<{ subject: string; detail: string }>`
    select subject, detail from audit_entry where act = 'SIGN_IN_FAILED' order by sequence desc limit 1`
  assert.match(entry!.subject, /^[0-9a-f-]{36}$/, 'the entered address is not recorded, because it may be a password')
  assert.equal((await verifyLog(db, deskLog)).fault, null)
  assert.match(entry!.detail, /"outcome":"WRONG"/)
})
