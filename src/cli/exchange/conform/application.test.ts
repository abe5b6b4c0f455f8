// Our platform passes every check with one application of a borrower, and each fault of what a platform sends is found by its check alone.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type ConformingPlatform, platformNamed } from '#test/setup/conforming.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { sendingFaults, startFaultySender } from '#test/setup/faulty-sender.ts'
import { lentByPartner } from '#test/setup/partner-loan.ts'
import { startPrograms } from '#test/setup/programs.ts'
import { allChecks } from './checks/all.ts'
import { conform } from './conform.ts'

/** A platform whose lending partner is at that address; quick, as its schedule is not what is tried. */
const platformOf = ({ credentials }: ConformingPlatform, partnerUrl: string) =>
  startPrograms({
    env: {
      PARTNER_URL: partnerUrl,
      PARTNER_CREDENTIALS: JSON.stringify(credentials),
      PARTNER_STATUS_SECONDS: '2',
    },
  })

const tryPlatform = (url: string, { credentials, port }: ConformingPlatform, retryAfterSeconds: number) =>
  conform({
    ...{ tried: 'platform', url, credentials, listenAt: { host: '127.0.0.1', port } },
    ...{ waitSeconds: deadlineMs / 1000, retryAfterSeconds, say: () => {} },
  })

const borrower = { pan: 'ABCPE1234F', accountNumber: '123456789013' }

test('D3: our platform passes every check, with one application of a borrower', async () => {
  const known = await platformNamed('LENDLOOM')
  known.credentials.webhook.keys.push({ keyId: 'partner-2', secret: randomUUID() })
  const programs = await platformOf(known, `http://127.0.0.1:${known.port}`)
  const [outcomes] = await Promise.all([
    tryPlatform(`${programs.platformUrl}/api/partner/webhook`, known, 2),
    lentByPartner(programs, borrower),
  ])
  assert.deepEqual(
    outcomes.flatMap(({ id, result, because }) => (result === 'passed' ? [] : [[id, because]])),
    [],
  )
  assert.equal(outcomes.length, allChecks.platform.length)
})

test('D3: a platform that sends wrongly is found by the checks that are named for it, and by no other', async () => {
  const known = await platformNamed('LENDLOOM')
  const proxy = await startFaultySender(known.credentials, `http://127.0.0.1:${known.port}`)
  const programs = await platformOf(known, proxy.url)
  proxy.standBefore(programs.platformUrl)
  // Long enough that no slow machine waits for it by chance: the platform is not told of it.
  const [outcomes] = await Promise.all([tryPlatform(proxy.webhookUrl, known, 600), lentByPartner(programs, borrower)])
  const failed = outcomes.filter(({ result }) => result === 'failed')
  assert.deepEqual(
    failed.map(({ id }) => id).toSorted(),
    Object.keys(sendingFaults).toSorted(),
    JSON.stringify(failed, null, 2),
  )
})
