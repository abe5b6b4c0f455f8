// The console's sandbox over real HTTP: starting journeys and advancing the clock.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readClockRequest, writeProgress } from '@lendloom/foundation/clock'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'

const folder = mkdtempSync(join(tmpdir(), 'clock-'))
after(() => rmSync(folder, { recursive: true }))
const clockFile = join(folder, 'clock.json')
const platform = await testPlatform({ CLOCK_FILE: clockFile })
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const viewer = await consoleUser(platform, { role: 'viewer', tenantId })
const path = '/developers/sandbox'

test('D1 §4: starts a sandbox journey with the chosen PAN, only for applications of the tenant', async () => {
  for (const product of ['PERSONAL_LOAN', 'GOLD_LOAN']) {
    const reply = await developer.ask('POST', `${path}/journeys`, { applicationId, product, digits: '9002' })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    assert.ok(reply.body.embedUrl.startsWith(`${platform.url}/lab/embed?`))
    const { journeyId } = reply.body
    const profile = await ctx.db.tx((tx) => readProfile(tx, ctx, { tenantId, journeyId }))
    assert.equal(profile.person.personal.pan, 'ABCPE9002F')
    const { borrower } = (await developer.ask('GET', `/journeys/${journeyId}`)).body
    assert.match(borrower.providerId, /^customer-[0-9a-f]{8}$/, 'nothing of the name, which is masked')
  }
  const body = { applicationId, product: 'PERSONAL_LOAN' }
  assert.equal((await viewer.ask('POST', `${path}/journeys`, body)).status, 403)
  const foreignApplication = { ...body, applicationId: secondTenant.applicationId }
  assert.equal((await developer.ask('POST', `${path}/journeys`, foreignApplication)).status, 404)
  const invalidDigits = await developer.ask('POST', `${path}/journeys`, { ...body, digits: '12' })
  assert.equal(invalidDigits.status, 400)
  assert.equal(invalidDigits.body.error.details.fields[0].path, 'digits')
})

test('refuses to advance the clock while an earlier request is in progress', async () => {
  const { status, body } = await developer.ask('GET', `${path}/clock`)
  assert.equal(status, 200)
  assert.equal(body.aheadMs, 0)
  assert.equal(body.moving, null)
  assert.equal((await viewer.ask('POST', `${path}/clock`, { hours: 1 })).status, 403)
  assert.equal((await developer.ask('POST', `${path}/clock`, { hours: 24 })).status, 202)
  const order = readClockRequest(clockFile)!
  assert.equal(order.spanMs, 24 * 3_600_000)
  const at = '2026-11-21T10:00:00.000Z'
  const progress = { orderId: order.orderId, beganAt: at, endsAt: at, isAt: at, problem: null }
  writeProgress(clockFile, { ...progress, isDone: false })
  assert.equal((await developer.ask('POST', `${path}/clock`, { hours: 1 })).status, 409)
  writeProgress(clockFile, { ...progress, isDone: true })
  assert.equal((await developer.ask('GET', `${path}/clock`)).body.moving.isDone, true)
  assert.equal((await developer.ask('POST', `${path}/clock`, { hours: 1 })).status, 202)
})

test('D1 §6.4: fetches a page and reports what prevents embedding it', async () => {
  const page = await startReceiver()
  after(() => page.stop())
  const url = page.url('/loans')
  const checkPath = `/developers/applications/${applicationId}/embed-check`
  const findings = async () =>
    Object.fromEntries(
      (await developer.ask('POST', checkPath, { url })).body.findings.map((each: { code: string; isFine: boolean }) => [
        each.code,
        each.isFine,
      ]),
    )
  const found = await findings()
  assert.equal(found.reachable, true)
  assert.equal(found.secure, true)
  page.answer = () => 500
  assert.equal((await findings()).reachable, false)
  const refused = await developer.ask('POST', checkPath, { url: 'not a page' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.field, 'url')
  const privateAddress = await developer.ask('POST', checkPath, { url: 'http://10.0.0.7/' })
  assert.equal(privateAddress.body.findings.find((each: { code: string }) => each.code === 'reachable').isFine, false)
})
