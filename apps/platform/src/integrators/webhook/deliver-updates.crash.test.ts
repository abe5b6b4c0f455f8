// A worker is killed before it records the receiver's response. The update is then sent again with the same id.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries, webhookFixture } from '@lendloom/tests/setup/webhooks'
import { webhookDeliveryWorker } from './deliver-updates.ts'
import { leaseSeconds } from './delivery.ts'

const ctx = await webhookFixture()
const receiver = await startReceiver()
after(() => receiver.stop())

/** A worker in its own process with only the database and the keys. */
const program = `
import { quietLog } from '@lendloom/foundation/log'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
import { webhookDeliveryWorker } from './apps/platform/src/integrators/webhook/deliver-updates.ts'
const { DATABASE_URL, KEYS, POLICY } = process.env
webhookDeliveryWorker({ db: connect(DATABASE_URL), seal: sealWith(KEYS), clock: () => new Date(), log: quietLog }, JSON.parse(POLICY))
`

test('D1 §6.4: if the worker dies before it records the response, the update is resent in order with the same webhook-id', async () => {
  await ctx.endpoint(receiver.url())
  const journeyId = uuidv4()
  const ids = [await ctx.update(journeyId, 1), await ctx.update(journeyId, 2)]

  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, DATABASE_URL: ctx.databaseUrl, KEYS: ctx.keys, POLICY: JSON.stringify(immediateRetries) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  // The receiver accepts the first update, and the worker dies before it records the answer.
  receiver.answer = async () => {
    child.kill('SIGKILL')
    await ended
    return 200
  }
  await receiver.waitForRequests(1)
  await ended
  const pending = await ctx.deliveries()
  assert.deepEqual(
    pending.map(({ state }) => state),
    ['PENDING', 'PENDING'],
  )

  receiver.answer = () => 200
  // Another process continues after the dead worker's lease has expired.
  const worker = webhookDeliveryWorker(
    { ...ctx, clock: () => new Date(Date.now() + leaseSeconds * 1000) },
    immediateRetries,
  )
  await ctx.waitUntilSettled()
  await worker.stop()
  assert.deepEqual(
    receiver.received.map(({ id }) => id),
    [ids[0], ids[0], ids[1]],
  )
})
