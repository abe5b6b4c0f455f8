// A worker is killed while it applies a message. Another worker applies it, and the messages that arrived since, once.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { inboundKind, readInbound, recordInternalEvent } from '#platform/lenders/network/inbound/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { inboundWorker, leaseSeconds } from './apply-message.ts'

const platform = await testSubscriber((await fakeNetwork()).url, { workers: false })
const { ctx } = platform

const dyingWorker = `
import { quietLog } from '@lendloom/foundation/log'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
import { inboundWorker } from './apps/platform/src/lenders/network/reactions/apply-message.ts'
const { DATABASE_URL, KEYS } = process.env
const ctx = { db: connect(DATABASE_URL), seal: sealWith(KEYS), clock: () => new Date(), log: quietLog }
inboundWorker(ctx, { nacked: async () => process.kill(process.pid, 'SIGKILL') })
`

const record = ({ tenantId, journeyId }: Journey, code: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockJourney(tx, tenantId, journeyId)
    const nacked = { type: 'nacked', action: 'search', error: { code } } as const
    const key = { conversationId: null, key: code }
    await recordInternalEvent({ ...ctx, tx, at: ctx.clock() }, { tenantId, journeyId }, nacked, key)
  })

test('FIS12 §3.3: messages that arrive after a worker was killed wait at most for its lease', async () => {
  const journey = await platform.newJourney()
  await record(journey, 'a')
  const child = spawn(process.execPath, ['--input-type=module', '--eval', dyingWorker], {
    env: { ...process.env, DATABASE_URL: ctx.config.DATABASE_URL, KEYS: ctx.config.LENDLOOM_KEYS },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
  await record(journey, 'b')
  const jobs = () => ctx.db<{ attempt: number }>`select attempt from job where kind = ${inboundKind}`
  assert.deepEqual(await jobs(), [{ attempt: 1 }])

  platform.advanceClock(leaseSeconds)
  const worker = inboundWorker(ctx)
  await waitFor(async () => (await jobs()).length === 0)
  await worker.stop()
  const rows = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
  assert.deepEqual(
    rows.map(({ key, state, attempt }) => ({ key, state, attempt })),
    [
      { key: 'a', state: 'APPLIED', attempt: 0 },
      { key: 'b', state: 'APPLIED', attempt: 0 },
    ],
  )
})
