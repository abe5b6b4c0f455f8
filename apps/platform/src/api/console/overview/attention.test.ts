// What needs attention: endpoints, updates, files and complaints, by tenant and role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { firstPartnerId } from '#platform/lenders/partner/directory/lending-partner.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { ctx, tenant, secondTenant } = platform

const kindsOf = async (user: Awaited<ReturnType<typeof consoleUser>>, query = '') =>
  (await user.ask('GET', `/attention${query}`)).body.items.map(({ kind, count }: { kind: string; count: number }) => ({
    kind,
    count,
  }))

test('lists failing endpoints and overdue complaints, only of the own tenant and only for roles that read them', async () => {
  const [operator, developer, support, outsider] = await Promise.all([
    consoleUser(platform, { role: 'operator' }),
    consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId }),
    consoleUser(platform, { role: 'support', tenantId: tenant.tenantId }),
    consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId }),
  ])
  assert.deepEqual(await kindsOf(operator), [])
  const { applicationId, tenantId } = tenant
  const created = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: 'http://127.0.0.1:9/hook' })
  const endpointId = created.body.endpoint.endpointId
  await ctx.db`
    insert into webhook_outage (tenant_id, outage_id, endpoint_id, why, failures, began_at)
    values (${tenantId}, ${uuidv7()}, ${endpointId}, 'FAILURES', 10, ${new Date(now)})`
  const request = { category: 'OTHER', text: 'The fee was charged twice.', language: 'en', email: 'a@mail.example' }
  assert.equal((await operator.ask('POST', '/complaints', request)).status, 201)
  const officer = await consoleUser(platform, { role: 'grievance-officer' })
  assert.deepEqual((await kindsOf(officer)).at(-1), { kind: 'NEW_COMPLAINTS', count: 1 })
  now += 40 * 86_400_000
  const [again, tenantDeveloper, tenantSupport, other, officerAgain] = await Promise.all(
    [operator, developer, support, outsider, officer].map(({ person }) =>
      consoleUser(platform, { role: person.role, tenantId: person.tenantId ?? undefined }),
    ),
  )
  assert.deepEqual(await kindsOf(again!), [
    { kind: 'FAILING_ENDPOINTS', count: 1 },
    { kind: 'OVERDUE_COMPLAINTS', count: 1 },
  ])
  assert.deepEqual(await kindsOf(officerAgain!), await kindsOf(again!), 'an overdue complaint counts once')
  const { items } = (await tenantDeveloper!.ask('GET', '/attention')).body
  assert.equal(items[0].endpoint.endpointId, endpointId)
  assert.deepEqual(await kindsOf(tenantDeveloper!), [{ kind: 'FAILING_ENDPOINTS', count: 1 }])
  assert.deepEqual(
    await kindsOf(tenantSupport!),
    [{ kind: 'FAILING_ENDPOINTS', count: 1 }],
    'the complaint belongs to no tenant',
  )
  assert.deepEqual(await kindsOf(other!), [])
  assert.ok([403, 404].includes((await other!.ask('GET', `/attention?tenantId=${tenantId}`)).status))
})

test('D1 §6, D3 §5: lists endpoints with failed tries, given-up updates of a month and files unstored for a day', async () => {
  const { tenantId, applicationId } = secondTenant
  const user = await consoleUser(platform, { role: 'viewer', tenantId })
  const other = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const before = await kindsOf(other)
  const created = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: 'http://127.0.0.1:9/hook' })
  const destinationId = created.body.endpoint.endpointId
  const addDelivery = async (state: string, daysAgo: number) => {
    const at = secondsAfter(new Date(now), -daysAgo * 86_400)
    const journeyId = uuidv7(at.getTime())
    const row = {
      tenantId,
      applicationId,
      deliveryId: uuidv7(at.getTime()),
      destinationId,
      journeyId,
      bucket: bucketOf(journeyId),
      sequence: 1,
      status: 'STARTED',
      eventId: uuidv7(at.getTime()),
      bodySealed: Buffer.from('{}'),
      state,
      attempt: 1,
      lastAnswer: 'ECONNREFUSED',
      dueAt: state === 'PENDING' ? secondsAfter(at, 60) : null,
      lastAttemptAt: at,
      createdAt: at,
    }
    await ctx.db`insert into webhook_delivery ${ctx.db(row)}`
  }
  await addDelivery('EXHAUSTED', 6)
  await addDelivery('EXHAUSTED', 31)
  await addDelivery('STOPPED', 1)
  assert.deepEqual(await kindsOf(user), [{ kind: 'GIVEN_UP_UPDATES', count: 1 }])
  await addDelivery('PENDING', 0)
  const addFile = async (state: string, hoursAgo: number, stage = 'REGISTERED', leadId: string | null = 'lead-1') => {
    const caseRef = uuidv7()
    const bucket = bucketOf(caseRef)
    const at = new Date(now)
    const ids = { tenantId, caseRef, bucket, journeyId: uuidv7(now, bucket), dedupeRequestId: uuidv4(bucket) }
    const application = { ...ids, partnerId: firstPartnerId, stage, leadId, createdAt: at, updatedAt: at }
    await ctx.db`insert into partner_case ${ctx.db(application)}`
    const row = {
      tenantId,
      caseRef,
      bucket,
      documentReferenceId: uuidv7(),
      requestId: uuidv7(),
      state,
      documentType: 'KYC',
      fileName: 'kyc.pdf',
      contentType: 'application/pdf',
      createdAt: secondsAfter(new Date(now), -hoursAgo * 3600),
    }
    await ctx.db`insert into partner_document ${ctx.db(row)}`
  }
  await addFile('WAITING', 23)
  await addFile('STORED', 48)
  const [failing] = (await user.ask('GET', '/attention')).body.items
  assert.equal(failing.since, new Date(now).toISOString())
  assert.equal(failing.endpoint.lastAnswer, 'ECONNREFUSED')
  const { endpointId } = failing.endpoint
  await ctx.db`
    insert into webhook_outage (tenant_id, outage_id, endpoint_id, why, failures, began_at)
    values (${tenantId}, ${uuidv4()}, ${endpointId}, 'FAILURES', 10, ${new Date(now)})`
  const restartAt = (at: Date) =>
    ctx.db`update webhook_endpoint set restarted_at = ${at} where endpoint_id = ${endpointId}`
  await restartAt(secondsAfter(new Date(now), 60))
  assert.deepEqual(
    await kindsOf(user),
    [{ kind: 'GIVEN_UP_UPDATES', count: 1 }],
    'not tried since it was enabled again',
  )
  await restartAt(secondsAfter(new Date(now), -60))
  await addFile('WAITING', 25)
  await addFile('REFUSED', 1)
  await addFile('WAITING', 25, 'ENDED')
  await addFile('REFUSED', 1, 'ENDED')
  // Until the borrower has given a bank account there is no lead, and so nothing to which a file could belong.
  await addFile('WAITING', 25, 'CHOSEN', null)
  assert.deepEqual(await kindsOf(user), [
    { kind: 'FAILING_ENDPOINTS', count: 1 },
    { kind: 'GIVEN_UP_UPDATES', count: 1 },
    { kind: 'UNSTORED_FILES', count: 2 },
  ])
  assert.deepEqual(await kindsOf(other), before, 'another tenant sees none of them')
  await developer.ask('DELETE', `/webhooks/endpoints/${endpointId}`)
  assert.deepEqual(
    (await kindsOf(user)).filter(({ kind }: { kind: string }) => kind === 'GIVEN_UP_UPDATES'),
    [],
    'updates of a removed endpoint cannot be replayed',
  )
})
