// Messages and actions of a case are kept: no statement of a program deletes them (D3 §8).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Tables of pending work and current state, whose deletions lose no history. Schedule rows that a new version omits were never
 * due and are kept with the previous version (schedule_history). A removed bank holiday is in the future, and the change records
 * it. Removed sign-in factors and failed sign-in attempts remain in the audit log. A note on a file goes when its row is stored.
 */
const passing = [
  'job',
  'inbox_waiting',
  'collection_hold',
  'collection_agent',
  'person_session',
  'person_device',
  'person_recovery_code',
  'person_passkey',
  'passkey_challenge_used',
  'person_open_id',
  'sign_in_failure',
  'guess_count',
  'installment',
  'bank_holiday',
  'borrower_lock',
  'unrecorded_object',
]

/** Delete what is kept, when its period after the closing is over (D3 §8); their own tests say when. */
const erasers = [
  'apps/platform/src/records/privacy/erase/store.ts',
  'apps/platform/src/records/archive/store.ts',
  'apps/partner/src/records/retention/store.ts',
]

const textOf = (pattern: string): string =>
  globSync(pattern)
    .filter((path) => !path.endsWith('.test.ts') && !(pattern.includes('*') && erasers.includes(path)))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

test('D3 §8: records of events, requests, files and money outlive the loan: only the end of their period deletes them', () => {
  const tables = [
    ...textOf('{apps/partner,packages/*}/src/migrations/*.sql').matchAll(/create table (\w+)/g),
    ...textOf('apps/platform/src/migrations/*.sql').matchAll(/create table (partner\w*)/g),
  ].map(([, table]) => table!)
  const kept = new Set(tables.filter((table) => !passing.includes(table)))
  for (const table of [
    'inbox',
    'inbox_outcome',
    'outbox',
    'dedupe_check',
    'document_request',
    'ledger_posting',
    'partner_document',
  ])
    assert.ok(kept.has(table), table)
  const statements = textOf('{apps/{partner,platform,cli},packages/*}/src/**/*.{ts,sql}')
  const taken = [...statements.matchAll(/\b(?:delete from|truncate(?: table)?|drop table)\s+(?:only\s+)?(\w+)/g)]
  assert.ok(
    taken.some(([, table]) => table === 'inbox_waiting'),
    'statements are found',
  )
  assert.deepEqual(
    taken.flatMap(([statement, table]) => (kept.has(table!) ? [statement] : [])),
    [],
  )
})

test('D3 §8: not even the end of a period deletes money and the audit log', () => {
  const deleted = erasers.flatMap((path) =>
    [...textOf(path).matchAll(/\bdelete from\s+(\w+)/g)].map(([, table]) => table),
  )
  assert.ok(deleted.includes('inbox') && deleted.includes('case_file'))
  const money =
    /^(ledger|loan|installment|schedule|payment|refund|bank|business_day|portfolio_|provision|audit_entry|audit_chain)/
  assert.deepEqual(
    deleted.filter((table) => money.test(table ?? '')),
    [],
  )
})
