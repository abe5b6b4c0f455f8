// Tenant isolation: calls every console route with the ids of another tenant.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fullJourney, personalTexts } from '@lendloom/tests/setup/console-journey'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { secretOf } from '@lendloom/wire/webhook/signature'
import { firstPartnerId } from '#platform/lenders/partner/directory/lending-partner.ts'
import { consoleApi } from './routes.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, RATE_LIMITS: 'off', REQUEST_LOG_DAYS: '30' })
const { ctx, tenant, secondTenant, url } = platform
const { tenantId, applicationId } = tenant
const receiver = await startReceiver()
after(() => receiver.stop())

// Data of the first tenant.
const admin = await consoleUser(platform, { role: 'admin', tenantId })
const { body: endpoint } = await ask(`${url}/api/lab/webhook-endpoints`, {
  method: 'POST',
  key: tenant.apiKey,
  body: { url: receiver.url('/hook') },
})
const testJourney = await fullJourney(platform, lender)
const borrower = await startHeadlessClient(platform).borrower()
const create = async (method: string, path: string, body: object) => {
  const reply = await admin.ask(method, path, body)
  assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
const invitation = await create('POST', '/people/invitations', { email: 'a@b.example', name: 'A', role: 'viewer' })
const key = await create('POST', '/developers/keys', { applicationId, label: 'checkout', scopes: ['sessions'] })
await create('POST', `/journeys/${testJourney.journeyId}/notes`, { text: 'a note' })
const view = await create('POST', '/views', {
  list: 'journeys',
  name: 'Stuck',
  filters: { status: 'OFFERED' },
  isShared: true,
})
const complaint = await create('POST', '/complaints', {
  journeyId: testJourney.journeyId,
  category: 'OTHER',
  text: 'Something is wrong with it.',
  language: 'en',
})
const replay = await create('POST', '/webhooks/replays', { filter: { states: ['PENDING', 'DELIVERED'] } })
await waitFor(async () => (await admin.ask('GET', '/developers/requests')).body.items.length > 0)
const firstItemOf = async (path: string) => (await admin.ask('GET', path)).body.items[0]
const [request, delivery, entry] = await Promise.all([
  firstItemOf('/developers/requests'),
  firstItemOf('/webhooks/deliveries'),
  firstItemOf(`/journeys/${testJourney.journeyId}/timeline`),
])

const [event] = await ctx.db<{
  eventId: string
}>`select event_id from outbox where case_ref = ${testJourney.ids.caseRef} limit 1`
const [file] = await ctx.db<{ documentReferenceId: string }>`
  select document_reference_id from partner_document where tenant_id = ${tenantId} limit 1`

const complaintId: string = complaint.complaintId ?? complaint.id
const {
  thread: [firstMessage],
  version: complaintVersion,
} = (await admin.ask('GET', `/complaints/${complaintId}`)).body

/** The first tenant's ids, by path parameter. */
const ids: Record<string, string> = {
  sessionId: admin.person.sessionId,
  personId: admin.person.personId,
  passkeyId: uuidv7(Date.now()),
  linkId: uuidv7(Date.now()),
  invitationId: invitation.invitationId,
  viewId: view.viewId,
  applicationId,
  keyId: key.keyId,
  requestId: request.requestId,
  file: 'journeys.csv',
  journeyId: testJourney.journeyId,
  entryId: entry.id,
  lenderId: uuidv7(Date.now()),
  partnerId: firstPartnerId,
  direction: 'sent',
  eventId: event!.eventId,
  documentReferenceId: file?.documentReferenceId ?? uuidv7(Date.now()),
  endpointId: endpoint.endpointId ?? endpoint.id,
  deliveryId: delivery.deliveryId,
  replayId: replay.replayId,
  complaintId,
  index: '0',
  mailId: uuidv7(Date.now()),
  erasureId: uuidv7(Date.now()),
  borrowerId: borrower.session.borrowerID,
}

/** Valid request bodies, so that a route can reject them only because of the tenant. */
const bodies: Record<string, object> = {
  'PATCH /people/{personId}': { role: 'viewer' },
  'PATCH /views/{viewId}': { version: 1, name: 'Theirs' },
  'POST /views': { list: 'journeys', name: 'Mine', filters: { status: 'OFFERED' } },
  'PUT /developers/applications/{applicationId}/origins': { origins: ['https://evil.example'] },
  'POST /developers/applications/{applicationId}/embed-check': { url: 'https://app.example/' },
  'PUT /developers/applications/{applicationId}/theme': {
    name: 'Mine',
    accent: '#ff0000',
    corner: 'soft',
    font: 'mono',
  },
  'POST /developers/applications/{applicationId}/theme/effect': { accent: '#ff0000', corner: 'soft', font: 'mono' },
  'POST /developers/keys': { applicationId, label: 'mine', scopes: ['sessions'] },
  'POST /developers/keys/{keyId}/roll': { overlapHours: 1 },
  'POST /developers/sandbox/journeys': { applicationId, product: 'PERSONAL_LOAN' },
  'POST /journeys/{journeyId}/reveal': { reason: 'to have a look at it', fields: ['mobile'] },
  'POST /journeys/{journeyId}/privacy/export': { reason: 'to have a look at it' },
  'POST /journeys/{journeyId}/privacy/erasure': { reason: 'to have it erased' },
  'POST /journeys/{journeyId}/privacy/hold': { reason: 'to have it held' },
  'POST /journeys/{journeyId}/privacy/release': { reason: 'to have it released' },
  'POST /journeys/{journeyId}/privacy/nominee': { name: 'N', relation: 'sister', contact: 'n@b.example' },
  'POST /borrowers/{borrowerId}/privacy/export': { reason: 'to have a look at it' },
  'POST /borrowers/{borrowerId}/privacy/erasure': { reason: 'to have it erased' },
  'POST /borrowers/{borrowerId}/privacy/hold': { reason: 'to have it held' },
  'POST /borrowers/{borrowerId}/privacy/release': { reason: 'to have it released' },
  'POST /borrowers/{borrowerId}/privacy/nominee': { name: 'N', relation: 'sister', contact: 'n@b.example' },
  'POST /privacy/erasures/{erasureId}/decision': { approve: true },
  'POST /journeys/{journeyId}/move-on': { to: 'DISBURSED' },
  'POST /journeys/{journeyId}/notes': { text: 'I was here' },
  'POST /lenders/{lenderId}/switch-off': { reason: 'because I can', searching: 0, offered: 0 },
  'POST /lending-partners': { sender: 'MINE', name: 'Mine', url: 'https://mine.example' },
  'PATCH /lending-partners/{partnerId}': { name: 'Mine' },
  'POST /lending-partners/{partnerId}/rotate': { direction: 'incoming', overlapHours: 0, withBearer: true },
  'POST /lending-partners/{partnerId}/switch-off': { reason: 'because I can' },
  'POST /webhooks/endpoints': { applicationId, url: receiver.url('/theirs') },
  'PATCH /webhooks/endpoints/{endpointId}': { url: receiver.url('/theirs') },
  'POST /webhooks/endpoints/{endpointId}/check-signature': { headers: 'webhook-id: x', body: '{}' },
  'POST /webhooks/listeners': { applicationId, forwardTo: 'http://localhost/', secret: secretOf(Buffer.alloc(32, 1)) },
  'POST /webhooks/listeners/{endpointId}/pull': { results: [] },
  'POST /developers/sandbox/journeys/{journeyId}/advance': { to: 'DISBURSED' },
  'POST /complaints': {
    journeyId: testJourney.journeyId,
    category: 'OTHER',
    text: 'It is not mine at all.',
    language: 'en',
  },
  'POST /complaints/{complaintId}/reveal': { reason: 'to have a look at it' },
  'POST /complaints/{complaintId}/answer': { version: 1, kind: 'WORDS', text: 'an answer to it' },
  'POST /complaints/{complaintId}/note': { text: 'I was here' },
  'POST /complaints/{complaintId}/assign': { version: 1, assigneeId: null },
  'POST /complaints/{complaintId}/category': { version: 1, category: 'APP' },
  'POST /complaints/{complaintId}/forward': { version: 1, text: 'to the lender' },
  'POST /complaints/{complaintId}/close': { version: 1, outcome: 'UPHELD' },
  'POST /complaints/{complaintId}/reopen': { version: 1 },
  'POST /complaints/{complaintId}/seen': { version: 1 },
  'POST /complaints/{complaintId}/export': { format: 'json', reason: 'to have a look at it' },
  'POST /complaints/{complaintId}/escalate': { version: 1 },
  'POST /complaints/{complaintId}/merge': { version: 1, into: 'GR-2611-22222' },
  'POST /complaints/{complaintId}/match': { version: 1, journeyId: testJourney.journeyId },
  'POST /complaints/{complaintId}/entries/{entryId}/settle': { version: 1, accept: true },
  'POST /mail/set-aside/{mailId}/handle-again': {},
  'POST /mail/set-aside/{mailId}/read': { reason: 'to have a look at it' },
  'PUT /complaint-officers': { party: 'PLATFORM', level: 'OFFICER', name: 'Me', email: 'a@b.in', phone: '080-400040' },
}
const queries: Record<string, string> = {
  'GET /developers/applications/{applicationId}/theme/preview': 'tone=light',
  'GET /privacy/borrowers': `q=${borrower.session.borrowerID}`,
  'GET /search': `q=${testJourney.journeyId}`,
  'GET /complaints/{complaintId}/template': 'template=ASK',
}
/** Routes that concern only the caller, or the sandbox clock of all tenants. */
const callerOnlyPattern =
  /^((GET|POST) \/command-line\/|POST \/(sign-in|sign-out|password|totp|passkeys|invitations\/(accept|view))|PUT \/totp|DELETE \/totp|GET \/(me|sessions|passkeys|sign-in\/ways|linked-accounts)$|POST \/developers\/sandbox\/clock|GET \/developers\/sandbox\/clock|POST \/people\/invitations$|POST \/views$|POST \/webhooks\/replays$|PUT \/webhooks\/alerts$)/

const firstTenantValues = [
  tenantId,
  applicationId,
  ...Object.values(ids).filter((id) => id.length > 30),
  testJourney.ids.caseRef,
  complaint.number,
  ...personalTexts,
]
function assertNoFirstTenantData(body: unknown, where: string): void {
  const text = JSON.stringify(body) ?? ''
  for (const value of firstTenantValues)
    assert.ok(!text.includes(value), `${where} contains ${value}: ${text.slice(0, 400)}`)
}

/** Whether the call was refused. An unknown id in the body is answered with 400. */
const isRefused = ({ status, body }: Reply): boolean =>
  status === 403 ||
  status === 404 ||
  (status === 400 && ['applicationId', 'journeyId', 'filter.endpointId'].includes(body.error.details.field))

for (const role of ['admin', 'developer', 'support', 'viewer'] as const)
  test(`no console route lets a tenant’s ${role} see or change data of another tenant`, async () => {
    const outsider = await consoleUser(platform, { role, tenantId: secondTenant.tenantId })
    for (const { method, path } of consoleApi.routes) {
      const name = `${method} ${path.slice(consoleApi.prefix.length)}`
      if (callerOnlyPattern.test(name)) continue
      const callPath = path
        .slice(consoleApi.prefix.length)
        .replace(/\{(\w+)\}/g, (_, id) =>
          encodeURIComponent((path.includes('/complaints/') && id === 'entryId' ? firstMessage.entryId : ids[id])!),
        )
      const query = queries[name] ?? ''
      const body = method === 'GET' || method === 'DELETE' ? undefined : (bodies[name] ?? {})
      const hasIds = /\{/.test(path) || body !== undefined
      const reply = await outsider.ask(method, query ? `${callPath}?${query}` : callPath, body)
      const where = `${name} (${reply.status})`
      if (hasIds && name !== 'GET /overview/{file}')
        assert.ok(isRefused(reply), `${where}: ${JSON.stringify(reply.body).slice(0, 300)}`)
      else assert.ok([200, 400, 403, 404].includes(reply.status), where)
      if (reply.status === 200) assertNoFirstTenantData(reply.body, where)
      const replyWithTenantId = await outsider.ask(
        method,
        `${callPath}?${query && `${query}&`}tenantId=${tenantId}`,
        body,
      )
      assert.ok(
        [400, 403, 404].includes(replyWithTenantId.status),
        `${name} with the tenant's id: ${replyWithTenantId.status}`,
      )
    }
  })

test('the first tenant’s data is unchanged after all calls', async () => {
  const [storedEndpoint] = (await admin.ask('GET', '/webhooks/endpoints')).body.items
  assert.equal(storedEndpoint.url, receiver.url('/hook'))
  const { items } = (await admin.ask('GET', '/developers/keys')).body
  assert.ok(items.every((each: { revokedAt: string | null }) => each.revokedAt === null))
  assert.equal((await admin.ask('GET', `/journeys/${testJourney.journeyId}/notes`)).body.items.length, 1)
  const { version } = (await admin.ask('GET', `/complaints/${ids.complaintId}`)).body
  assert.equal(version, complaintVersion)
  const rows = await ctx.db`select 1 from person where tenant_id = ${tenantId} and removed_at is not null`
  assert.equal(rows.length, 0)
})
