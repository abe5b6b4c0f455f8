// The Node and Python server packages against a real platform: sessions, webhooks and secret rotation.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventVersion } from '@lendloom/wire/hosted/lifecycle'
import { newApplicant } from '#test/setup/borrower.ts'
import { until } from '#test/setup/programs.ts'
import { type Received, startReceiver } from '#test/setup/receiver.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { LendloomError, lendloom, verifyWebhook } from '../../../packages/server-node/src/index.ts'
import { findPython, runPython } from './python.ts'

const { platformUrl, tenant } = await sharedPrograms()
const client = lendloom({ baseUrl: platformUrl, apiKey: tenant.apiKey })
const receiver = await startReceiver()
after(() => receiver.stop())
const receivedRequests: Received[] = []
receiver.answer = (request) => {
  receivedRequests.push(request)
  return 204
}
const { id, secret } = await client.createWebhookEndpoint(receiver.url('/hook'), ['STARTED'])
const newSession = () => {
  const { borrowerProviderID, profile } = newApplicant()
  return { borrowerProviderID, profile: { contactNumber: profile.contactNumber } }
}
const webhookOf = async (borrowerProviderID: string) => {
  const isOfBorrower = ({ body }: Received) => body.includes(borrowerProviderID)
  await until('the webhook', () => receivedRequests.some(isOfBorrower))
  return receivedRequests.find(isOfBorrower)!
}

test('D1 §4: a repeated call with one idempotency key has one effect, and its update is verified', async () => {
  const session = newSession()
  const options = { idempotencyKey: session.borrowerProviderID }
  const first = await client.createSession(session, options)
  assert.equal(first.isNew, true)
  assert.deepEqual(await client.createSession(session, options), first)
  const { headers, body } = await webhookOf(session.borrowerProviderID)
  const { update, id: eventId, version, missing } = verifyWebhook(secret, headers, body)
  assert.equal(version, eventVersion)
  assert.deepEqual(missing, [])
  assert.equal(update.borrower.provider_id, session.borrowerProviderID)
  assert.equal(update.borrower.journey.status, 'STARTED')
  assert.equal(eventId, headers['webhook-id'])
})

test('D1 §7: the error of a refused session names the invalid field', async () => {
  const wrong = { ...newSession(), profile: { contactNumber: '12' } }
  await assert.rejects(client.createSession(wrong), (error) => {
    assert.ok(error instanceof LendloomError)
    assert.equal(error.status, 400)
    assert.equal(error.code, 'VALIDATION_FAILED')
    assert.equal(error.retryable, false)
    assert.match(JSON.stringify(error.details), /profile\.contactNumber/)
    return true
  })
})

test('D1 §6: during rotation both the old and the new secret verify an update', async () => {
  const rotated = await client.call<{ secret: string }>('POST', `/api/lab/webhook-endpoints/${id}/rotate-secret`)
  const session = newSession()
  await client.createSession(session)
  const { headers, body } = await webhookOf(session.borrowerProviderID)
  for (const usedSecret of [secret, rotated.secret, [rotated.secret, secret]]) verifyWebhook(usedSecret, headers, body)
})

const program = `
import json, os, sys
from lendloom import Client, LendloomError, verify_webhook
client = Client(os.environ["PLATFORM_URL"], os.environ["API_KEY"])
body = json.loads(sys.argv[1])
first = client.create_session(body, idempotency_key="python")
assert first.is_new and client.create_session(body, idempotency_key="python") == first
try:
    client.create_session({**body, "profile": {}})
except LendloomError as error:
    assert (error.status, error.code) == (400, "VALIDATION_FAILED"), error
print("done")
`
const verifying = `
import json, sys
from lendloom import verify_webhook
secret, headers, body = json.loads(sys.argv[1])
print(verify_webhook(secret, headers, body.encode()).update["borrower"]["provider_id"])
`

const { python, skip } = findPython()
test('D1 §4, §6: the Python package creates a session and verifies its webhook', { skip }, async () => {
  const session = newSession()
  const env = { PLATFORM_URL: platformUrl, API_KEY: tenant.apiKey, PYTHONPATH: 'src' }
  assert.equal((await runPython(python, ['-c', program, JSON.stringify(session)], env)).trim(), 'done')
  const { headers, body } = await webhookOf(session.borrowerProviderID)
  const input = JSON.stringify([secret, headers, body.toString()])
  assert.equal((await runPython(python, ['-c', verifying, input])).trim(), session.borrowerProviderID)
})

const asyncProgram = `
import asyncio, json, os, sys
from lendloom import AsyncClient
async def main():
    async with AsyncClient(os.environ["PLATFORM_URL"], os.environ["API_KEY"]) as client:
        body = json.loads(sys.argv[1])
        first, second = await asyncio.gather(*(client.create_session(body, idempotency_key="async") for _ in range(2)))
        assert first == second and first.is_new
        tokens = await client.create_headless_session(json.loads(sys.argv[2]))
        borrower = client.borrower({**tokens, "sessionExpiresAt": "2020-01-01T00:00:00.000Z"})
        journey = await borrower.create_journey({"type": "PERSONAL_LOAN"})
        states = await asyncio.gather(*(borrower.get_journey_state(journey["journeyID"]) for _ in range(5)))
        assert len({json.dumps(each) for each in states}) == 1
        print("done")
asyncio.run(main())
`
const asynchronous = findPython('aiohttp')
test(
  'D1 §4, D2 §5: the asyncio client of the Python package repeats a call and renews a session',
  asynchronous,
  async () => {
    const { borrowerProviderID, profile } = newSession()
    const env = { PLATFORM_URL: platformUrl, API_KEY: tenant.apiKey, PYTHONPATH: 'src' }
    const bodies = [newSession(), { borrowerExternalID: borrowerProviderID, profile }].map((body) =>
      JSON.stringify(body),
    )
    assert.equal((await runPython(asynchronous.python, ['-c', asyncProgram, ...bodies], env)).trim(), 'done')
  },
)
