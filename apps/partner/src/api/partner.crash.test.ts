// Kills the worker repeatedly. Every acknowledged event must be applied exactly once.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeClockOffset } from '@lendloom/foundation/clock'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'

const partner = await startTestPartner({ PARTNER_MODE: 'api' })
const directory = mkdtempSync(join(tmpdir(), 'lendloom-crash-'))
const clockFile = join(directory, 'clock.json')
let clockAheadMs = 0
let child: ChildProcess | undefined
after(() => {
  child?.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

/**
 * Starts the worker as a separate process, while this process serves the APIs. Moves the worker's clock ahead by more
 * than the lease of 30 s, so that the leases of the previous worker have expired.
 */
function startWorker(): void {
  clockAheadMs += 31_000
  writeClockOffset(clockFile, clockAheadMs)
  child = spawn(process.execPath, ['apps/partner/src/main.ts'], {
    env: {
      ...process.env,
      ...partner.env,
      PARTNER_MODE: 'worker',
      PARTNER_PORT: String(partner.workerPort),
      CLOCK_FILE: clockFile,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function killWorker(): Promise<void> {
  const exit = once(child!, 'exit')
  child!.kill('SIGKILL')
  await exit
}

test('D3 §4.2: after kill -9 at any point every event is applied exactly once', async () => {
  startWorker()
  const cases = Array.from({ length: 12 }, () => new TestCase(partner))
  await Promise.all(cases.map((loanCase) => loanCase.dedupe()))
  const killing = (async () => {
    for (const ms of [900, 1100, 1300, 1500]) {
      // Each interval is different, so that the worker is killed at different steps.
      await new Promise((resolve) => setTimeout(resolve, ms))
      await killWorker()
      startWorker()
    }
  })()
  await Promise.all(
    cases.map(async (loanCase, i) => {
      // The cases start one after another, so that the worker is always busy when it is killed.
      await new Promise((resolve) => setTimeout(resolve, i * 350))
      await loanCase.send('LEAD_SUBMITTED', loanCase.lead)
      const { correlation } = await loanCase.waitForEvent('LEAD_REGISTERED')
      loanCase.leadId = correlation.celestium_lead_id
      loanCase.loanId = correlation.celestium_loan_id
      await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
      await loanCase.decide()
      await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
      await loanCase.send('KYC_UPDATED', { ...exampleData('KYC_UPDATED'), document_ids: [] })
      await loanCase.send('MANDATE_UPDATED')
    }),
  )
  await killing
  await until('every case waits for its signature', async () => {
    const all = await Promise.all(cases.map((loanCase) => loanCase.status()))
    return all.every(({ case_status }) => case_status === 'ESIGN_PENDING')
  })
  for (const loanCase of cases) {
    const ownEvents = partner.events.filter(loanCase.isMine)
    assert.deepEqual(
      ownEvents.map(({ event_type, entity_version }) => ({ event_type, entity_version })),
      [
        { event_type: 'LEAD_REGISTERED', entity_version: 1 },
        { event_type: 'MANUAL_REVIEW_DECIDED', entity_version: 2 },
        { event_type: 'OFFER_DECISION_CONFIRMED', entity_version: 3 },
      ],
    )
  }
  const [offers] = await partner.db<{ count: bigint }>`select count(*) from case_offer`
  assert.equal(offers!.count, 12n)
})
