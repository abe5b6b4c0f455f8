// Retention of ended applications: what is deleted, what stays, and that no table is forgotten.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { lockBorrower } from '#partner/origination/case/exposure/store.ts'
import { deleteEndedCases, deleteRowsWithoutCase } from './sweep.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const sweep = () => deleteEndedCases(partner.ctx)

/** An application with a document, which the lender has rejected. */
async function rejectedCase(): Promise<TestCase> {
  const one = new TestCase(partner)
  const reference = uuidv4()
  one.lead.documents_expected = [{ document_reference_id: reference, document_type: 'BUREAU_REPORT' }]
  await one.register()
  await one.upload('BUREAU_REPORT', reference)
  await until('every event is applied', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  await db`update case_file set status = 'REJECTED' where case_ref = ${one.caseRef}`
  return one
}

const endedBefore = (one: TestCase, days: number) =>
  db`update case_file set updated_at = ${daysAgo(days)} where case_ref = ${one.caseRef}`

async function tablesOf(one: TestCase): Promise<string[]> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'case_ref' order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await db.pool.query(`select 1 from ${name} where case_ref = $1 limit 1`, [one.caseRef])
    if (rows.length > 0) found.push(name)
  }
  return found
}

const filesOf = () => globSync('object/*/*', { cwd: partner.ctx.config.PARTNER_FILES_DIR })

test('DPDP §8(7): an application that ended without a loan is deleted after a year, with its files', async () => {
  const old = await rejectedCase()
  const recent = await rejectedCase()
  const disputed = await rejectedCase()
  await endedBefore(old, 367)
  await endedBefore(recent, 365)
  await endedBefore(disputed, 800)
  await db.tx((tx) => lockBorrower(tx, old.caseRef))
  const staffId = '00000000-0000-0000-0000-000000000001'
  await db`
    insert into case_task (case_ref, task_id, text_sealed, assignee, due_on, made_by, made_at)
    values (${disputed.caseRef}, gen_random_uuid(), '', ${staffId}, '2030-01-01', ${staffId}, now())`
  assert.equal(filesOf().length, 3)
  assert.equal(await sweep(), 1)
  assert.deepEqual(await tablesOf(old), ['inbox_entity', 'inbox_outcome', 'outbox_entity'])
  assert.deepEqual(await db`select from borrower_lock`, [], 'the lock has a digest of the PAN')
  assert.ok((await tablesOf(recent)).includes('case_lead'))
  assert.ok((await tablesOf(disputed)).includes('case_lead'), 'an open task keeps the case')
  assert.equal(filesOf().length, 2)
  assert.equal((await partner.status(old.caseRef)).status, 404)
  assert.equal((await partner.status(recent.caseRef)).status, 200)
  assert.equal(await sweep(), 0)
})

test('a file that cannot be deleted keeps its application, but does not stop the deletion of others', async () => {
  const broken = await rejectedCase()
  const whole = await rejectedCase()
  await endedBefore(broken, 500)
  await endedBefore(whole, 400)
  const [file] = await db<{ objectName: string }>`
    select object_name from stored_document where case_ref = ${broken.caseRef}`
  const store = {
    ...partner.ctx.store,
    async remove(name: string) {
      if (name === file!.objectName) throw new Error('the object store does not answer')
      await partner.ctx.store.remove(name)
    },
  }
  assert.equal(await deleteEndedCases({ ...partner.ctx, store }), 1)
  assert.ok((await tablesOf(broken)).includes('stored_document'))
  assert.ok(!(await tablesOf(whole)).includes('case_file'))
  assert.equal(await sweep(), 1)
})

test('D3 §6: an event that is repeated after the deletion is not applied again', async () => {
  const one = new TestCase(partner)
  await one.dedupe()
  const event = one.event('LEAD_SUBMITTED', one.lead)
  assert.equal((await partner.post(event)).status, 202)
  await one.waitForEvent('LEAD_REGISTERED')
  await db`update case_file set status = 'EXPIRED' where case_ref = ${one.caseRef}`
  await endedBefore(one, 400)
  assert.equal(await sweep(), 1)
  await partner.post(event)
  await until('the repeated event is settled', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  assert.deepEqual(await db`select 1 from case_file where case_ref = ${one.caseRef}`, [])
  const bodies = await db<{ eventId: string; bodySealed: Buffer }>`
    select event_id, body_sealed from inbox where case_ref = ${one.caseRef}`
  assert.deepEqual(
    bodies.map((row) => partner.ctx.seal.open(row.bodySealed, `inbox/${event.sender}/${row.eventId}`).toString()),
    ['{}'],
    'a body that arrives after the deletion is not kept',
  )
})

test('an event that first arrives after the deletion leaves no row of the case, and is recognized again', async () => {
  const one = await rejectedCase()
  await endedBefore(one, 400)
  assert.equal(await sweep(), 1)
  const before = await tablesOf(one)
  const events = [2, 9].map((entity_version) => one.event('KYC_UPDATED', undefined, { entity_version }))
  for (const event of events) assert.equal((await partner.post(event)).status, 202)
  await until('the events are settled', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  assert.deepEqual(await tablesOf(one), [...before, 'inbox'].toSorted())
  const bodies = await db<{ eventId: string; bodySealed: Buffer }>`
    select event_id, body_sealed from inbox where case_ref = ${one.caseRef}`
  for (const { eventId, bodySealed } of bodies)
    assert.equal(partner.ctx.seal.open(bodySealed, `inbox/${events[0]!.sender}/${eventId}`).toString(), '{}')
  for (const event of events) assert.equal((await partner.post(event)).status, 200)
})

const daysAgo = (days: number): Date => daysAfter(partner.ctx.clock(), -days)

/** Makes all rows of a case reference without a case appear to be from `days` ago. */
async function makeOlder(one: TestCase, days: number): Promise<void> {
  const at = daysAgo(days)
  const { caseRef } = one
  await db`update dedupe_check set checked_at = ${at} where case_ref = ${caseRef}`
  await db`update dedupe_review set created_at = ${at} where case_ref = ${caseRef}`
  await db`update dedupe_review set decided_at = ${at} where case_ref = ${caseRef} and decided_at is not null`
  await db`update inbox_outcome set settled_at = ${at} where case_ref = ${caseRef}`
  await db`update inbox_waiting set received_at = ${at} where case_ref = ${caseRef}`
  await db`update outbox set created_at = ${at} where case_ref = ${caseRef}`
}

const decideReview = (one: TestCase) => db`
  update dedupe_review set decision = 'DIFFERENT', reason = 'another person', decided_by = 'officer', decided_at = now()
  where case_ref = ${one.caseRef}`

/** Sends an identity check that an officer must decide, because another borrower has this PAN and another birthday. */
async function doubtfulCheck(): Promise<TestCase> {
  const known = new TestCase(partner)
  await known.register()
  const one = new TestCase(partner)
  const { pan, mobile } = known.lead.borrower
  const { body } = await partner.dedupe(one.caseRef, { pan, mobile, date_of_birth: '1971-01-01' })
  assert.equal(body.decision, 'REVIEW_REQUIRED')
  return one
}

test('DPDP §8(7): an identity check that no lead followed is deleted after a year; an open review waits', async () => {
  const old = new TestCase(partner)
  const recent = new TestCase(partner)
  for (const one of [old, recent]) await one.dedupe()
  const decided = await doubtfulCheck()
  const open = await doubtfulCheck()
  const registered = new TestCase(partner)
  await registered.register()
  await decideReview(decided)
  for (const one of [old, decided, open, registered]) await makeOlder(one, 367)
  await makeOlder(recent, 365)
  assert.equal(await deleteRowsWithoutCase(partner.ctx), 2)
  for (const one of [old, decided]) assert.deepEqual(await tablesOf(one), [])
  assert.deepEqual(await tablesOf(recent), ['dedupe_check'])
  assert.deepEqual(await tablesOf(open), ['dedupe_check', 'dedupe_review'])
  assert.ok((await tablesOf(registered)).includes('dedupe_check'), 'a case keeps its check')
  await decideReview(open)
  await makeOlder(open, 367)
  assert.equal(await deleteRowsWithoutCase(partner.ctx), 1)
  assert.deepEqual(await tablesOf(open), [])
})

test('DPDP §8(7): events that no case followed are deleted after a year: a refused lead, and one that waits', async () => {
  const refused = new TestCase(partner)
  const waiting = new TestCase(partner)
  const lead = refused.event('LEAD_SUBMITTED', { ...refused.lead, dedupe_reference_id: uuidv4() })
  assert.equal((await partner.post(lead)).status, 202)
  await until('the lead is refused', async () => {
    const rows = await db`select from inbox_outcome where case_ref = ${refused.caseRef} and outcome = 'FAILED'`
    return rows.length === 1
  })
  const early = waiting.event(
    'LEAD_SUBMITTED',
    { ...waiting.lead, dedupe_reference_id: uuidv4() },
    { entity_version: 2 },
  )
  assert.equal((await partner.post(early)).status, 202)
  await makeOlder(refused, 365)
  assert.equal(await deleteRowsWithoutCase(partner.ctx), 0)
  for (const one of [refused, waiting]) await makeOlder(one, 367)
  assert.equal(await deleteRowsWithoutCase(partner.ctx), 2)
  assert.deepEqual(await tablesOf(refused), ['inbox_entity', 'inbox_outcome', 'outbox_entity'])
  assert.deepEqual(await tablesOf(waiting), [])
  assert.equal(await deleteRowsWithoutCase(partner.ctx), 0)
  assert.equal((await partner.post(lead)).status, 202)
  await until('the repeated lead is settled', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${refused.caseRef}`
    return rows.length === 0
  })
  assert.ok(!(await tablesOf(refused)).includes('case_file'))
})

/** Tables that the deletion of a case keeps, by reason, with all columns of text, bytes or JSON. */
const keptTables: Record<string, Record<string, string>> = {
  'books of a loan, for eight years (Companies Act 2013 §128(5)), with the dealings about it': {
    agent_notice: 'answer case_ref state',
    archive_key: 'case_ref key_sealed',
    archive_part: 'case_ref object_name',
    bank_receipt:
      'case_ref method provider receipt_id return_code return_of returned_case_ref transaction_reference words_sealed',
    bank_result: 'bank_reference outcome provider reference result_id return_code status',
    bank_statement: 'account closing_differences closing_reason content_mac digest file_name',
    bank_statement_closing: 'decision_reason maker_known_to reason shown state',
    bank_statement_line: 'reference words_sealed',
    bank_statement_pair: 'bank_reference book_reference reason',
    collection_agent: 'case_ref',
    collection_day: 'case_ref outcome',
    collection_hold: 'case_ref policy reason_code umrn',
    contact_note: 'breach case_ref outcome text_sealed way',
    debit_notice: 'case_ref reason_code state umrn',
    installment: 'case_ref status',
    ledger_entry: 'case_ref entry_id keeps kind reverses',
    ledger_posting: 'case_ref credit debit entry_id',
    loan: 'asset_class bank_reference case_ref exit_reference loan_account_id loan_id part_payment_keeps settlement_earlier_ids status terms',
    loan_class: 'asset_class case_ref decided_by reason remark',
    loan_month: 'case_ref state',
    payment:
      'bank_reference case_ref claim_reference claimed_reference installment_ids mandate_reference method provider_reference reason_code receipt_id status umrn',
    payment_promise: 'case_ref state',
    receipt_return: 'bank_reference payee_sealed provider reason_code receipt_id status',
    receipt_return_proposal:
      'account_sealed bank_reference decision_reason maker_known_to provider reason receipt_id state',
    refund: 'bank_reference case_ref payee_sealed reason_code status',
    reminder: 'answer case_ref kind state',
    schedule_history: 'case_ref reason rows',
    tax_document: 'case_ref entry_id kind supplier',
  },
  'ids and versions of events, so that none is applied again': {
    inbox_entity: 'case_ref entity_id entity_type sender',
    inbox_outcome: 'case_ref outcome reason sender',
    outbox_entity: 'case_ref entity_id entity_type',
  },
  'files of uploads that failed, for a day': {
    unrecorded_object: 'case_ref object_name',
  },
  'acts of staff, in a chain of digests': {
    audit_chain: 'digest',
    audit_entry: 'act case_ref detail digest subject',
  },
  'staff and their sessions, which have ages of their own': {
    guess_count: 'subject',
    passkey_challenge_used: 'challenge_digest',
    person_device: 'device_digest',
    person_open_id: 'issuer subject_digest',
    person_passkey: 'credential_id name public_key',
    person_recovery_code: 'code_digest',
    person_session: 'allowed_by client_sealed digest proof',
    person_totp: 'totp_pending_sealed totp_sealed',
    sign_in_failure: 'detail_sealed outcome',
    staff: 'email known_to name password_hash roles',
    staff_password_link: 'answer digest kind seen_by state',
  },
  'settings, counts and totals': {
    approval_limit: 'act role',
    autopilot_switch: 'switched_by',
    bank_holiday: 'name',
    bank_place: 'list place provider',
    bank_rule_set: 'rules',
    business_day: '',
    business_day_class: 'asset_class',
    collection_policy: 'remind_after remind_before weekdays',
    digest_key: 'fingerprint',
    migration: 'digest name',
    month_closing: 'balances decision_reason maker_known_to open_steps reason state',
    portfolio_month: '',
    portfolio_roll: 'from_state to_state',
    portfolio_vintage: '',
    provision_rate: 'asset_class',
    request_count: 'caller',
    setting_change: 'after before decision_reason form maker_known_to reason setting state subject',
  },
}

test('every table and column is deleted with its case, or says here why not; a loan is never deleted', async () => {
  assert.ok(existsSync(partner.ctx.config.PARTNER_FILES_DIR))
  const source = readFileSync(new URL('store.ts', import.meta.url), 'utf8')
  const deleted = new Set([...source.matchAll(/delete from (\w+)/g)].map(([, table]) => table))
  const tables = await db<{ name: string; columns: string[] }>`
    select t.table_name as name, coalesce(array_agg(c.column_name::text order by c.column_name::text)
      filter (where c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY')), '{}') as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1`
  const left = tables.filter(({ name }) => !deleted.has(name))
  assert.deepEqual(
    Object.fromEntries(left.map(({ name, columns }) => [name, columns.join(' ')])),
    Object.assign({}, ...Object.values(keptTables)),
  )
})
