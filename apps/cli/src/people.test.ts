// The commands about console users and the audit log, on a real database.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { insertLink } from '@lendloom/identity/open-id/store'
import type { PersonKey } from '@lendloom/identity/sign-in-program'
import { emailDigest } from '@lendloom/platform/src/people/person.ts'
import { uuidv7 } from '@lendloom/seal/id'
import { keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { audit } from './audit.ts'
import { UsageError } from './command.ts'
import { main } from './main.ts'
import { people } from './people.ts'

/** A platform with its own audit log, and the commands on it. */
async function startPlatform() {
  const { url, ctx, tenant } = await testPlatform()
  const env = { ...keysAndAddressOf(ctx), DATABASE_URL: ctx.config.DATABASE_URL }
  return {
    ctx,
    tenant,
    env,
    async run(name: string, args: string[] = [], options: Record<string, string> = {}) {
      const found = [...people.commands, ...audit.commands].find((each) => each.name === name)
      if (!found || !('run' in found)) throw new Error(`unknown command ${name}`)
      const printed = await found.run({ args, options, json: false, env })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
      return printed as { text: string; data: any }
    },
    async signIn(email: string, password: string) {
      const answer = await ask(`${url}/api/console/sign-in`, { method: 'POST', body: { email, password } })
      return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    },
    me: async (cookie: string) => (await ask(`${url}/api/console/me`, { headers: { cookie } })).status,
    accept: (link: string) =>
      ask(`${url}/api/console/invitations/accept`, {
        method: 'POST',
        body: { token: link.split('#')[1], name: 'Ravi', password: 'correct horse battery' },
      }),
  }
}

/** Adds five entries to the audit log of the platform, and two to that of its tenant. */
async function addEntries({ run, accept, tenant }: Awaited<ReturnType<typeof startPlatform>>): Promise<void> {
  for (const name of ['boss', 'meera', 'nita'])
    await run('people add', [`${name}@lendloom.example`], { name, role: 'admin' })
  await run('people role', ['meera@lendloom.example'], { role: 'viewer' })
  await run('people remove', ['meera@lendloom.example'])
  const invitation = { name: 'Ravi', role: 'developer', tenant: tenant.tenantId }
  const { data } = await run('people invite', ['ravi@pay.example'], invitation)
  assert.equal((await accept(data.link)).status, 200)
}

test('a user is added with a generated password; `password` and `remove` end the user’s sessions', async () => {
  const { ctx, run, signIn, me } = await startPlatform()
  await run('people add', ['boss@lendloom.example'], { name: 'Boss', role: 'admin' })
  const { text, data } = await run('people add', ['Meera@lendloom.example'], { name: 'Meera', role: 'operator' })
  assert.match(text, /^[\w-]{20}\n\nSave it now/)
  const first = await signIn('meera@lendloom.example', data.password)
  assert.equal(first.status, 200)
  const people = await run('people list')
  assert.match(people.text, /meera@lendloom\.example +Meera +operator +no +0 +no +\d{4}-\d\d-\d\d \d/)
  assert.ok(!JSON.stringify(people.data).includes(data.password))
  await assert.rejects(run('people add', ['meera@lendloom.example'], { name: 'X', role: 'viewer' }), Refusal)

  await run('people role', ['meera@lendloom.example'], { role: 'viewer' })
  const { data: reset } = await run('people password', ['meera@lendloom.example'])
  assert.equal(await me(first.cookie), 401)
  assert.equal((await signIn('meera@lendloom.example', data.password)).status, 401)
  const second = await signIn('meera@lendloom.example', reset.password)
  assert.equal(second.status, 200)
  const third = await signIn('meera@lendloom.example', reset.password)
  const sessions = (await run('people sessions', ['meera@lendloom.example'])).data.items
  assert.equal(sessions.length, 2)
  await run('people end-session', ['meera@lendloom.example', sessions[0].sessionId])
  assert.equal(await me(second.cookie), 200)
  assert.equal(await me(third.cookie), 401, 'the newest session is listed first')
  const [row] = await ctx.db<PersonKey>`
    select tenant_id, person_id from person where email_digest = ${emailDigest(ctx.seal, 'meera@lendloom.example')}`
  const link = { linkId: uuidv7(), issuer: 'https://id.example', createdAt: ctx.clock(), usedAt: ctx.clock() }
  await ctx.db.tx((tx) => insertLink(tx, row!, { ...link, subjectDigest: ctx.seal.digest('meera', 'test') }))
  assert.match((await run('people list')).text, /meera@lendloom\.example +Meera +viewer +no +0 +yes/)
  const unlink = () => run('people unlink', ['meera@lendloom.example'])
  assert.equal((await unlink()).text, 'unlinked the account at https://id.example')
  assert.equal((await unlink()).text, 'No account is linked.')
  assert.equal(await me(second.cookie), 401, 'the session may have begun with the account')
  const [newest] = (await run('audit list')).data.items
  assert.equal(newest.act, 'OPENID_UNLINKED')
  assert.equal(newest.subject, link.linkId)
  await assert.rejects(run('people end-session', ['meera@lendloom.example', 'x']), /<sessionId> must be an id/)
  assert.equal((await run('people remove', ['meera@lendloom.example'])).text, 'The user is removed.')
  assert.equal(await me(second.cookie), 401)
  await assert.rejects(run('people remove', ['meera@lendloom.example']), /user meera@lendloom\.example does not exist/)
  await assert.rejects(run('people remove', ['boss@lendloom.example']), /the last admin must stay/)
  const { data: log } = await run('audit list')
  assert.deepEqual(log.items.map(({ act }: { act: string }) => act).reverse(), [
    'PERSON_ADDED',
    'PERSON_ADDED',
    'SIGNED_IN',
    'PERSON_ROLE',
    'PASSWORD_GIVEN',
    'SIGNED_IN',
    'SIGNED_IN',
    'SESSION_ENDED',
    'OPENID_UNLINKED',
    'PERSON_REMOVED',
  ])
})

test('a tenant’s user accepts an invitation by its link; unknown roles and tenants are refused', async () => {
  const { tenant, run, accept } = await startPlatform()
  const invitation = { name: 'Ravi', role: 'developer', tenant: tenant.tenantId.toUpperCase() }
  const { data } = await run('people invite', ['ravi@pay.example'], invitation)
  const accepted = await accept(data.link)
  assert.equal(accepted.status, 200)
  assert.equal(accepted.body.person.tenantId, tenant.tenantId)
  const listed = (await run('people list', [], { tenant: tenant.tenantId })).data.items
  assert.deepEqual(
    listed.map(({ email }: { email: string }) => email),
    ['ravi@pay.example'],
  )
  const name = 'X'
  await assert.rejects(run('people add', ['x@x.example'], { name, role: 'developer' }), /role must be one of viewer/)
  await assert.rejects(run('people add', ['no address'], { name, role: 'viewer' }), /email must be an e-mail address/)
  await assert.rejects(run('people add', ['x@x.example'], { name }), UsageError)
  await assert.rejects(
    run('people add', ['x@x.example'], { name, role: 'viewer', tenant: 'x' }),
    /the tenant does not exist/,
  )
  const unknownTenant = '01930000-0000-7000-8000-00000000dead'
  await assert.rejects(
    run('people add', ['x@x.example'], { name, role: 'viewer', tenant: unknownTenant }),
    /the tenant does not exist/,
  )
})

test('the audit log of the platform or a tenant is listed; an invalid limit or tenant is refused', async () => {
  const platform = await startPlatform()
  const { tenant, run } = platform
  await addEntries(platform)
  assert.match(
    (await run('audit list', [], { limit: '1' })).text,
    /NUMBER +AT +PERSON.*\n5 +\S+ \S+ +command line +PERSON_REMOVED/,
  )
  assert.match(
    (await run('audit list', [], { tenant: tenant.tenantId })).text,
    /INVITATION_ACCEPTED[\s\S]*PERSON_INVITED/,
  )
  await assert.rejects(run('audit list', [], { limit: '0' }), /limit must be 1 to 200/)
  await assert.rejects(run('audit list', [], { tenant: 'foo' }), /there is no tenant "foo"/)
  await assert.rejects(run('audit verify', [], { tenant: 'foo' }), /the tenant does not exist/)
})

test('`audit verify` exits with 1 and names the first invalid entry', async () => {
  const platform = await startPlatform()
  const { ctx, tenant, env } = platform
  await addEntries(platform)
  const printed: string[] = []
  const terminal = {
    env,
    print: (text: string) => void printed.push(text),
    complain: (text: string) => void printed.push(text),
  }
  assert.equal(await main(['audit', 'verify', '--json'], terminal), 0)
  const chains = JSON.parse(printed[0]!).chains
  assert.deepEqual(
    chains.map(({ tenantId, entries, fault }: Record<string, unknown>) => ({ tenantId, entries, fault })),
    [
      { tenantId: null, entries: 5, fault: null },
      { tenantId: tenant.tenantId, entries: 2, fault: null },
    ],
  )
  await ctx.db`update audit_entry set act = 'SIGNED_OUT' where sequence = 5`
  assert.equal(await main(['audit', 'verify', '--json'], terminal), 1)
  const { error } = JSON.parse(printed[1]!)
  assert.equal(error.code, 'damaged')
  assert.equal(error.details.tenantId, null)
  assert.equal(error.details.sequence, 5)
  assert.equal(await main(['audit', 'verify'], terminal), 1)
  assert.match(printed[2]!, /^lendloom: entry 5 of the platform is invalid: .*; the 4 entries before it are valid$/)
  assert.equal(await main(['audit', 'verify', '--tenant', tenant.tenantId], terminal), 0)
  assert.match(
    printed[3]!,
    /^tenant \S+: all 2 entries are valid; the last digest is [0-9a-f]{64}\nno head was sent out: .*; set AUDIT_EMAIL and SMTP_URL$/,
  )
  const mailSettings = { AUDIT_EMAIL: 'auditor@firm.example', SMTP_URL: 'smtp://127.0.0.1:9' }
  await main(['audit', 'verify', '--tenant', tenant.tenantId], { ...terminal, env: { ...env, ...mailSettings } })
  assert.match(printed[4]!, /^tenant \S+: all 2 entries are valid; the last digest is [0-9a-f]{64}$/)
})
