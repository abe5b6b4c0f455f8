// Messages and actions of a case are kept: no statement of a program deletes them (D3 §8).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Tables of pending work and current state, whose deletions lose no history. Schedule rows that a new version omits were never
 * due and are kept with the previous version (schedule_history). A removed bank holiday is in the future, and the change records
 * it. Removed sign-in factors and failed sign-in attempts remain in the audit log.
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
