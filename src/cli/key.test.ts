// The tenant and key commands on a real database: what they make, what they show of it, and mistakes explained.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { newSealKey } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
import { borrowerBucket, newBorrowers } from '#platform/borrower/store.ts'
import { testDatabase } from '#test/setup/database.ts'
import { main } from './main.ts'

const env = { DATABASE_URL: await testDatabase('platform'), LENDLOOM_KEYS: newSealKey('k1') }

/** One command line, with `--json`: its exit code, and what it printed or complained of. */
async function run(...argv: string[]) {
  const lines: string[] = []
  const say = (text: string) => void lines.push(text)
  const code = await main([...argv, '--json'], { env, print: say, complain: say })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { code, output: JSON.parse(lines.join('\n')) as any }
}
const made = await run('tenant', 'create', 'Asha Pay', '--origin', 'https://asha.example')
const { tenantId, applicationId } = made.output

test('D1 §5: a tenant gets a key that is shown once, listed without its text, and revoked', async () => {
  assert.equal(made.code, 0)
  const created = await run('key', 'create', tenantId, '--application', applicationId, '--live', '--scope', 'sessions')
  const { keyId, apiKey } = created.output
  assert.match(apiKey, /^sk_live_/)
  const { output } = await run('key', 'list', tenantId)
  assert.deepEqual([output.keys.length, output.keys[0].keyId, output.keys[0].scopes], [1, keyId, ['sessions']])
  assert.doesNotMatch(JSON.stringify(output), /sk_live_/)
  assert.deepEqual(await run('key', 'revoke', keyId, '--tenant', tenantId), { code: 0, output: { tenantId, keyId } })
  assert.ok((await run('key', 'list', tenantId)).output.keys[0].revokedAt)
})

test('a key may end on a day, which is one and is still to come', async () => {
  const ending = (day: string) => run('key', 'create', tenantId, '--application', applicationId, '--expires', day)
  assert.equal((await ending('2999-02-28')).code, 0)
  const { output } = await run('key', 'list', tenantId)
  assert.equal(output.keys.at(-1).expiresAt, '2999-02-27T18:30:00.000Z', 'days begin in India')
  for (const day of ['2999-02-29', '2999-2-3', '2020-01-01', 'soon', '']) {
    const refused = await ending(day)
    assert.deepEqual([refused.code, refused.output.error.code], [2, 'usage'], day)
    assert.match(refused.output.error.message, /^--expires must be a day/)
  }
})

test('D1 §1: journeys are found by the borrower, as the integrator names them', async () => {
  const db = connect(env.DATABASE_URL, { connections: 1 })
  const at = new Date()
  const bucket = borrowerBucket(tenantId, 'user-42')
  const [borrowerId, journeyId] = [uuidv7(at.getTime(), bucket), uuidv7(at.getTime(), bucket)]
  await db`${newBorrowers([{ tenantId, borrowerId, externalId: 'user-42', mobileDigest: Buffer.alloc(32), createdAt: at }], null)}`
  await db`insert into journey ${db({
    ...{ bucket, tenantId, journeyId, applicationId, borrowerId, type: 'GOLD_LOAN', status: 'OFFERED', active: true },
    ...{ networkTransactionId: uuidv4(bucket), lastBorrowerActAt: at, createdAt: at, updatedAt: at },
  })}`
  await db.close()
  const { code, output } = await run('journey', 'find', 'user-42')
  assert.equal(code, 0)
  const createdAt = at.toISOString()
  assert.deepEqual(output, [{ tenantId, journeyId, type: 'GOLD_LOAN', status: 'OFFERED', active: true, createdAt }])
  assert.deepEqual((await run('journey', 'find', 'user-42', '--tenant', uuidv4())).output, [])
  assert.deepEqual((await run('journey', 'find', 'user-43')).output, [])
})

test('an id that is none, and one of nobody, is answered in words', async () => {
  const nobody = uuidv4()
  const cases: [argv: string[], code: number, message: RegExp][] = [
    [['tenant', 'create', ' '], 2, /^the name of the tenant is missing$/],
    [['key', 'list', 'asha'], 2, /^"asha" is not an id$/],
    [['key', 'list', nobody], 1, /^there is no such tenant: see lendloom tenant list$/],
    [['key', 'revoke', 'K1', '--tenant', 'asha'], 2, /^"asha" is not an id$/],
    [['key', 'revoke', 'K1', '--tenant', tenantId], 1, /^there is no such key of this tenant/],
    [['key', 'create', tenantId, '--application', 'shop'], 2, /^"shop" is not an id$/],
    [['key', 'create', nobody, '--application', applicationId], 1, /^there is no such application of this tenant/],
    [['key', 'create', tenantId, '--application', applicationId, '--scope', 'all'], 2, /^--scope must be one of/],
    [['tenant', 'add-application', 'Shop', '--tenant', nobody], 1, /^there is no such tenant/],
    [['tenant', 'add-application', 'Shop', '--tenant', 'asha'], 1, /^there is no such tenant/],
    [
      ['tenant', 'origins', 'https://a.example', '--tenant', tenantId, '--application', nobody],
      1,
      /no such application/,
    ],
    [['tenant', 'origins', 'asha.example', '--tenant', tenantId, '--application', applicationId], 1, /such as https:/],
    [
      ['tenant', 'products', 'CAR_LOAN', '--tenant', tenantId, '--application', applicationId],
      1,
      /must be of PERSONAL_LOAN, GOLD_LOAN, LAMF_LOAN, not CAR_LOAN/,
    ],
    [['tenant', 'products', 'GOLD_LOAN', '--tenant', tenantId, '--application', nobody], 1, /no such application/],
    [['journey', 'find', 'user-42', '--tenant', 'asha'], 2, /^"asha" is not an id$/],
    [['exchange', 'replay', 'e1'], 2, /^"e1" is not an id$/],
    [['tenant', 'list', 'asha'], 2, /^unexpected argument "asha"; see lendloom help tenant list$/],
  ]
  for (const [argv, code, message] of cases) {
    const refused = await run(...argv)
    assert.equal(refused.code, code, argv.join(' '))
    assert.match(refused.output.error.message, message, argv.join(' '))
  }
})
