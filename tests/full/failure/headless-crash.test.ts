// The platform is killed around the commit of a request: repeating the request with its key has no second effect.
import assert from 'node:assert/strict'
import { connect as dial } from 'node:net'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { completeProfile, headlessBase, startHeadlessClient } from '#test/setup/headless-api.ts'
import type { Reply } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms()
const api = startHeadlessClient({ url: programs.platformUrl, tenant: programs.tenant })

async function prepareSubmit() {
  const asha = await api.borrower()
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  await asha.put(`/journeys/${journeyID}/profile`, completeProfile)
  const idempotencyKey = uuidv4()
  const path = `/journeys/${journeyID}/profile/submit`
  return {
    journeyID,
    path,
    token: asha.token,
    idempotencyKey,
    submit: (): Promise<Reply> => asha.post(path, { bureauConsent: true }, { idempotencyKey }),
  }
}

async function effectsOn(journeyID: string) {
  const [row] = await programs.db<{ searches: number; operations: number; consents: number }>`
    select (select count(*)::int from network_message where journey_id = ${journeyID} and action = 'search') as searches,
      (select count(*)::int from operation where journey_id = ${journeyID}) as operations,
      (select count(*)::int from consent where journey_id = ${journeyID}) as consents`
  return row!
}
const effectsOfOneSubmit = { searches: 1, operations: 1, consents: 2 }

test('D2 §8: a platform killed around the commit of a submit searches once, and a repeated submit returns the stored response', async () => {
  for (const afterMs of [0, 4, 8, 12, 16, 24]) {
    const { journeyID, submit } = await prepareSubmit()
    const firstAttempt = submit().catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    await programs.kill('platform')
    const firstReply = await firstAttempt
    await programs.start('platform')
    const second = await submit()
    const third = await submit()
    assert.equal(second.status, 202, `killed after ${afterMs} ms`)
    assert.deepEqual(third.body, second.body)
    if (firstReply) assert.deepEqual(second.body, firstReply.body)
    assert.deepEqual(await effectsOn(journeyID), effectsOfOneSubmit)
  }
})

test('D2 §8: a repeated request replays the lost response', async () => {
  const { journeyID, path, token, idempotencyKey, submit } = await prepareSubmit()
  const body = JSON.stringify({ bureauConsent: true })
  const { hostname, port } = new URL(programs.platformUrl)
  const socket = dial(Number(port), hostname)
  socket.write(
    [
      `POST ${headlessBase}${path} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${token}`,
      `idempotency-key: ${idempotencyKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
    () => setTimeout(() => socket.destroy(), 1),
  )
  await until('the effect', async () => (await effectsOn(journeyID)).operations === 1)
  const again = await submit()
  assert.equal(again.status, 202)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await effectsOn(journeyID), effectsOfOneSubmit)
})
