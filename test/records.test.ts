// Messages and acts of a case are kept: no statement of a program takes it away (D3 §8).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Rows that say what is to be done or who is here now; nothing of what has happened is lost with them. Rows of a schedule that
 * a new version leaves out were never due, and are kept with the version before (schedule_history); a bank holiday that is taken
 * away is a day to come, and the change says what it was. Factors that a person gave up and tries to sign in that failed are
 * entries of the audit log, which stays.
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
]

const textOf = (pattern: string): string =>
  globSync(pattern)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

test('D3 §8: records of events, requests, files and money outlive the loan: nothing deletes them', () => {
  const tables = [
    ...textOf('src/partner/migrations/*.sql').matchAll(/create table (\w+)/g),
    ...textOf('src/platform/migrations/*.sql').matchAll(/create table ((?:inbox|outbox|partner)\w*)/g),
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
  const statements = textOf('src/{kit,partner,platform,cli}/**/*.{ts,sql}')
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
