// The tenant and key commands on a real database: results, output and error messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { main } from './main.ts'

const { ctx, tenant } = await testPlatform()
const env = { ...keysAndAddressOf(ctx), DATABASE_URL: ctx.config.DATABASE_URL }

/** Runs a command line with `--json`. Returns its exit code, and the JSON that it printed or reported as an error. */
async function run(...argv: string[]) {
  const lines: string[] = []
  const collect = (text: string) => void lines.push(text)
  const code = await main([...argv, '--json'], { env, print: collect, complain: collect })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { code, output: JSON.parse(lines.join('\n')) as any }
}
const createdTenant = await run('tenant', 'create', 'Asha Pay', '--origin', 'https://asha.example')
const { tenantId, applicationId } = createdTenant.output

test('D1 §5: only the creation of a key shows it; it is listed without its text and can be revoked', async () => {
  assert.equal(createdTenant.code, 0)
  const created = await run(
    'key',
    'create',
    '--tenant',
    tenantId,
    '--application',
    applicationId,
    '--live',
    '--scope',
    'sessions',
  )
  const { keyId, apiKey } = created.output
  assert.match(apiKey, /^sk_live_/)
  const { output } = await run('key', 'list', '--tenant', tenantId)
  assert.equal(output.items.length, 1)
  assert.deepEqual(output.items[0].keyId, keyId)
  assert.deepEqual(output.items[0].scopes, ['sessions'])
  assert.doesNotMatch(JSON.stringify(output), /sk_live_/)
  assert.deepEqual(await run('key', 'revoke', keyId, '--tenant', tenantId), { code: 0, output: { keyId } })
  assert.ok((await run('key', 'list', '--tenant', tenantId)).output.items[0].revokedAt)
})

test('the expiry of a key must be a valid day in the future', async () => {
  const createExpiring = (day: string) =>
    run('key', 'create', '--tenant', tenantId, '--application', applicationId, '--expires', day)
  assert.equal((await createExpiring('2999-02-28')).code, 0)
  const { output } = await run('key', 'list', '--tenant', tenantId)
  assert.equal(output.items[0].expiresAt, '2999-02-27T18:30:00.000Z', 'the day begins at midnight in India')
  for (const day of ['2999-02-29', '2999-2-3', 'soon', '']) {
    const refused = await createExpiring(day)
    assert.equal(refused.code, 1, day)
    assert.equal(refused.output.error.code, 'invalid', day)
    assert.match(refused.output.error.message, /^--expires must be a day/)
  }
  const pastDay = (await createExpiring('2020-01-01')).output.error
  assert.equal(pastDay.code, 'invalid')
  assert.equal(pastDay.message, '--expires must be a day in the future')
  const both = ['--expires', '2999-02-28', '--expires-in-days', '5']
  const { code, output: refusedBoth } = await run(
    'key',
    'create',
    '--tenant',
    tenantId,
    '--application',
    applicationId,
    ...both,
  )
  assert.equal(code, 1)
  assert.match(refusedBoth.error.message, /^--expires cannot be combined/)
})

test('D1 §1: journeys are found by the integrator’s id of the borrower', async () => {
  const applicant = { ...newApplicant(), borrowerProviderID: 'user-42' }
  const { body } = await openSession(ctx.config.PUBLIC_URL, tenant, applicant)
  const { journeyId } = await enter(ctx.config.PUBLIC_URL, body.embedUrl)
  const { code, output } = await run('journey', 'search', 'user-42')
  assert.equal(code, 0)
  const [found] = output.items
  assert.equal(output.items.length, 1)
  assert.equal(found.journeyId, journeyId)
  assert.equal(found.tenantId, tenant.tenantId)
  assert.equal(found.product, 'PERSONAL_LOAN')
  assert.equal(found.status, 'STARTED')
  assert.equal(found.active, true)
  assert.deepEqual((await run('journey', 'search', 'user-42', '--tenant', tenantId)).output.items, [])
  assert.deepEqual((await run('journey', 'search', 'user-43')).output.items, [])
})

test('an invalid or unknown id gets an error that names it', async () => {
  const unknownId = uuidv4()
  const cases: [argv: string[], code: number, message: RegExp][] = [
    [['tenant', 'create', ' '], 2, /^the name of the tenant is missing$/],
    [['key', 'list', '--tenant', 'asha'], 2, /^there is no tenant "asha"/],
    [['key', 'list', '--tenant', unknownId], 1, /^there is no such tenant$/],
    [['key', 'revoke', 'K1', '--tenant', 'asha'], 2, /^there is no tenant "asha"/],
    [['key', 'revoke', 'K1', '--tenant', tenantId], 1, /^there is no such key$/],
    [
      ['key', 'create', '--tenant', tenantId, '--application', 'shop'],
      2,
      /^there is no application "shop"; there are: /,
    ],
    [['key', 'create', '--tenant', unknownId, '--application', applicationId], 1, /^there is no such application$/],
    [
      ['key', 'create', '--tenant', tenantId, '--application', applicationId, '--scope', 'all'],
      2,
      /^--scope must be one of/,
    ],
    [['tenant', 'add-application', 'Shop', '--tenant', unknownId], 1, /^the tenant does not exist/],
    [['tenant', 'add-application', 'Shop', '--tenant', 'asha'], 1, /^the tenant does not exist/],
    [
      ['tenant', 'origins', 'https://a.example', '--tenant', tenantId, '--application', unknownId],
      1,
      /no such application/,
    ],
    [
      ['tenant', 'origins', '--tenant', tenantId, '--application', applicationId],
      2,
      /^<origins> is missing; give - for none$/,
    ],
    [['tenant', 'origins', 'asha.example', '--tenant', tenantId, '--application', applicationId], 1, /such as https:/],
    [
      ['tenant', 'products', 'CAR_LOAN', '--tenant', tenantId, '--application', applicationId],
      1,
      /must be one of PERSONAL_LOAN, GOLD_LOAN, LAMF_LOAN, not CAR_LOAN/,
    ],
    [['tenant', 'products', 'GOLD_LOAN', '--tenant', tenantId, '--application', unknownId], 1, /no such application/],
    [['journey', 'search', 'user-42', '--tenant', 'asha'], 2, /^there is no tenant "asha"/],
    [['exchange', 'replay', 'e1'], 2, /^the event must be an id, not "e1"$/],
    [['tenant', 'list', 'asha'], 2, /^unexpected argument "asha"; see lendloom help tenant list$/],
  ]
  for (const [argv, code, message] of cases) {
    const refused = await run(...argv)
    assert.equal(refused.code, code, argv.join(' '))
    assert.match(refused.output.error.message, message, argv.join(' '))
  }
})

test('all origins of an application are removed only by a word of their own', async () => {
  const ofApplication = ['--tenant', tenantId, '--application', applicationId]
  assert.equal((await run('tenant', 'origins', 'https://two.example', ...ofApplication)).code, 0)
  assert.equal((await run('tenant', 'origins', '-', ...ofApplication)).code, 0)
  const { tenants } = (await run('tenant', 'list')).output
  const found = tenants.find((each: { tenantId: string }) => each.tenantId === tenantId)
  assert.deepEqual(found.applications[0].origins, [])
})
