// Lending partners in the console over real HTTP: permissions, changes and one-time secrets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleUser } from '@lendloom/tests/setup/console'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { listNewest } from '#platform/people/audit/store.ts'
import { platformTenant } from '#platform/people/person.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
const { ctx, tenant } = platform
const admin = await consoleUser(platform, { role: 'admin' })
const operator = await consoleUser(platform, { role: 'operator' })
const viewer = await consoleUser(platform, { role: 'viewer' })
const tenantAdmin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
const path = '/lending-partners'
const list = async () => (await viewer.ask('GET', path)).body.items
const [partner] = await list()
const partnerPath = `${path}/${partner.partnerId}`

test('platform staff see partners and their traffic without secrets; tenant staff see no partners', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = lender.event('LOAN_STATUS_UPDATED', ids, 1, {
    loan_status: 'ACTIVE',
    snapshot_version: 1,
    updated_at: '2026-11-20T10:00:00.000Z',
    reason_code: 'PAYMENT_POSTED',
  })
  assert.equal(partner.lastEventAt, null)
  assert.equal((await lender.post(platform.url, event)).status, 202)
  const [{ sender, isOff, outgoing, incoming, lastEventAt, waitingEvents }] = await list()
  assert.equal(sender, 'CELESTIUM')
  assert.equal(isOff, false)
  assert.equal(outgoing.length, 1)
  assert.equal(incoming.length, 2)
  assert.equal(waitingEvents, 0)
  assert.ok(lastEventAt)
  const { bearer, secret, webhook } = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  const secrets = [bearer, secret, webhook.bearer, ...webhook.keys.map((key: { secret: string }) => key.secret)]
  const { body } = await viewer.ask('GET', path)
  for (const each of secrets) assert.ok(!JSON.stringify(body).includes(each))
  assert.equal((await tenantAdmin.ask('GET', path)).status, 404)
})

test('only platform admins add and change partners; an error names the invalid fields', async () => {
  const newPartner = { sender: 'SECOND', name: 'Second Capital', url: 'http://127.0.0.1:9' }
  for (const [who, status] of [
    [viewer, 403],
    [operator, 403],
    [tenantAdmin, 404],
  ] as const) {
    assert.equal((await who.ask('POST', path, newPartner)).status, status)
    assert.equal((await who.ask('PATCH', partnerPath, { name: 'X' })).status, status)
  }
  const { status, body } = await admin.ask('POST', path, newPartner)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.partner.isOff, true)
  assert.equal(typeof body.outgoing.secret, 'string')
  assert.equal(typeof body.incoming.bearer, 'string')
  const duplicate = await admin.ask('POST', path, newPartner)
  assert.equal(duplicate.status, 400)
  assert.equal(duplicate.body.error.details.fields[0].path, 'sender')
  const invalidChange = await admin.ask('PATCH', partnerPath, {
    rules: { leastRupees: 0, ratePercent: 'x' },
    contact: { unknown: 'X' },
  })
  assert.deepEqual(invalidChange.body.error.details.fields.map((field: { path: string }) => field.path).sort(), [
    'contact.unknown',
    'rules.leastRupees',
    'rules.ratePercent',
  ])
  const changed = await admin.ask('PATCH', partnerPath, { rules: { mostRupees: 250_000 } })
  assert.equal(changed.body.rules.mostRupees, 250_000)
  assert.equal(changed.body.rules.leastRupees, 10_000)
  assert.equal((await admin.ask('PATCH', `${path}/00000000-0000-4000-8000-00000000000f`, { name: 'X' })).status, 404)
  const [entry] = await listNewest(ctx.db, platformTenant, null, 1)
  assert.equal(entry!.act, 'PARTNER_CHANGED')
  assert.deepEqual(JSON.parse(entry!.detail), { sender: 'CELESTIUM', fields: 'mostRupees' })
})

test('D3 §5: a new credential is shown only once and replaces the old credential at once', async () => {
  const request = { direction: 'incoming', overlapHours: 0, withBearer: true }
  assert.equal((await operator.ask('POST', `${partnerPath}/rotate`, request)).status, 403)
  const { body } = await admin.ask('POST', `${partnerPath}/rotate`, request)
  assert.equal(body.outgoing, null)
  assert.equal(body.partner.incoming.length, 1)
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = lender.event('LOAN_STATUS_UPDATED', ids, 1, {
    loan_status: 'ACTIVE',
    snapshot_version: 1,
    updated_at: '2026-11-20T10:00:00.000Z',
    reason_code: 'PAYMENT_POSTED',
  })
  assert.equal((await lender.post(platform.url, event)).status, 401, 'the replaced credential is rejected')
  assert.ok(!JSON.stringify(await list()).includes(body.incoming.secret))
})

test('operators switch a partner off and on for all tenants', async () => {
  const reason = 'It has no funds left.'
  const { status, body: effect } = await operator.ask('GET', `${partnerPath}/effect`)
  assert.equal(status, 200)
  assert.deepEqual(effect, { searching: 0, offered: 0, chosen: 0, loans: 0 })
  assert.equal((await viewer.ask('GET', `${partnerPath}/effect`)).status, 403)
  const { searching, offered } = effect
  const outdated = await operator.ask('POST', `${partnerPath}/switch-off`, { reason, searching: 1, offered })
  assert.equal(outdated.status, 409)
  assert.deepEqual(outdated.body.error.details.effect, effect)
  assert.equal((await viewer.ask('POST', `${partnerPath}/switch-off`, { reason, searching, offered })).status, 403)
  assert.equal(
    (await operator.ask('POST', `${partnerPath}/switch-off`, { reason: 'no', searching, offered })).status,
    400,
  )
  const switchedOff = await operator.ask('POST', `${partnerPath}/switch-off`, { reason, searching, offered })
  assert.equal(switchedOff.body.isOff, true)
  assert.equal(switchedOff.body.offReason, reason)
  assert.equal((await operator.ask('POST', `${partnerPath}/switch-off`, { reason, searching, offered })).status, 409)
  assert.equal((await operator.ask('POST', `${partnerPath}/switch-on`)).body.isOff, false)
})
