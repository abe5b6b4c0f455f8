// Rules for people of the console: the tenant of a call, roles, email addresses and passwords.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { newPasswordHash } from '@lendloom/identity/person'
import { browserOf } from '@lendloom/identity/session'
import { emailFrom, platformTenant, roleFor, tenantOf, tenantOrPlatform } from './person.ts'

const ownTenant = '01930000-0000-7000-8000-00000000000a'
const otherTenant = '01930000-0000-7000-8000-00000000000b'
const isRefusal = (kind: string, field?: string) => (error: unknown) =>
  error instanceof Refusal && error.kind === kind && error.details.field === field

test('tenant staff can only use their own tenant, and platform staff must name a tenant', () => {
  const tenantPerson = { tenantId: ownTenant }
  const platformPerson = { tenantId: null }
  for (const find of [tenantOf, tenantOrPlatform]) {
    assert.equal(find(tenantPerson), ownTenant)
    assert.equal(find(tenantPerson, ownTenant), ownTenant)
    assert.equal(find(tenantPerson, ownTenant.toUpperCase()), ownTenant)
    for (const other of [otherTenant, platformTenant, ''])
      assert.throws(() => find(tenantPerson, other), isRefusal('absent'))
    assert.equal(find(platformPerson, otherTenant.toUpperCase()), otherTenant)
    assert.throws(() => find(platformPerson, platformTenant), isRefusal('absent'))
  }
  assert.throws(() => tenantOf(platformPerson), isRefusal('invalid', 'tenantId'))
  assert.equal(tenantOrPlatform(platformPerson), null)
})

test('platform staff and tenant staff accept only their own roles', () => {
  assert.equal(roleFor(null, 'operator'), 'operator')
  assert.equal(roleFor(ownTenant, 'developer'), 'developer')
  for (const [tenantId, role] of [
    [null, 'developer'],
    [ownTenant, 'operator'],
    [ownTenant, 'grievance-officer'],
    [null, ''],
  ] as const)
    assert.throws(() => roleFor(tenantId, role), isRefusal('invalid', 'role'))
})

test('normalises email addresses to lower case, and requires passwords of twelve characters', async () => {
  assert.equal(emailFrom('  Meera@Lend.EXAMPLE '), 'meera@lend.example')
  for (const invalidEmail of ['', 'meera', 'a b@c.example', '@x', `${'a'.repeat(250)}@x.example`])
    assert.throws(() => emailFrom(invalidEmail), isRefusal('invalid', 'email'))
  await assert.rejects(newPasswordHash('🐎'.repeat(11), 'x@y.example', 'next'), isRefusal('invalid', 'next'))
  assert.match(await newPasswordHash('🐎'.repeat(12), 'x@y.example', 'next'), /^\$argon2id\$/)
})

test('derives the names of browser and operating system from the user agent', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  for (const [agent, name] of [
    [`${mac} Version/18.0 Safari/605.1.15`, 'Safari, macOS'],
    [`${mac} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge, macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox, Linux'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/142.0 Mobile Safari/604.1', 'Chrome, iOS'],
    ['curl/8.9.1', 'curl'],
    ['<script>', 'Unknown browser'],
    [undefined, 'Unknown browser'],
  ] as const)
    assert.equal(browserOf(agent), name)
})
