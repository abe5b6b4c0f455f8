// Tests the autopilot with the sandbox bank, from the lead to the weekly debits. Digits of the PAN select the outcomes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { startBank } from '@lendloom/tests/setup/bank'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { freshPan, TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { inconsistencies } from '@lendloom/wire/exchange/snapshot'
import { isAutopilotOn, switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { startPartner } from '#partner/program.ts'
import { settings } from '#partner/settings.ts'

let clockAheadMs = 0
const clock = () => new Date(Date.now() + clockAheadMs)
const bank = await startBank({}, clock)
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' }, clock)

async function advanceWeek(): Promise<void> {
  clockAheadMs += 7 * 86_400_000
  bank.db.wakeAll()
  await partner.wakeWorkers()
}

async function reviewedCase(digits?: string) {
  const loanCase = new TestCase(partner, freshPan(digits))
  await loanCase.register()
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  return { loanCase, data }
}

test('D3 §1.1: the autopilot disburses a loan, and reports its events in the required order', async () => {
  const { loanCase } = await reviewedCase()
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  await loanCase.verify()
  const { data } = await loanCase.waitForEvent('DISBURSEMENT_UPDATED', 2)
  assert.equal(data.status, 'DISBURSED')
  assert.match(data.bank_reference!, /\S/)
  const status = await loanCase.waitForStatus('DISBURSED')
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.loan_status, 'ACTIVE')
  assert.equal(status.amortization_schedule!.installments.length, 22)
  assert.equal(status.soa!.disbursed_amount, '97640.00')
  assert.match(status.loan_account_id!, /\S/)
  const eventTypes = partner.events.filter(loanCase.isMine).map(({ event_type }) => event_type)
  assert.deepEqual(eventTypes.slice(0, 4), [
    'LEAD_REGISTERED',
    'MANUAL_REVIEW_DECIDED',
    'OFFER_DECISION_CONFIRMED',
    'DISBURSEMENT_UPDATED',
  ])
})

test('D3 §6: events of one entity are numbered without gaps', async () => {
  const { loanCase } = await reviewedCase()
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  const versions = partner.events
    .filter((event) => loanCase.isMine(event) && event.entity_type === 'CASE')
    .map(({ entity_version }) => entity_version)
  assert.deepEqual(versions, [1, 2, 3])
})

test('D3 §1.1: the digits of the PAN select a rejection, a lower offer or a short validity', async () => {
  const rejected = await reviewedCase('9203')
  assert.equal(rejected.data.decision, 'REJECTED')
  assert.equal(rejected.data.offer, null)
  const lower = await reviewedCase('9204')
  assert.equal(lower.data.offer!.loan_amount, '80000.00')
  const short = await reviewedCase('9205')
  const seconds = (Date.parse(short.data.offer!.valid_until) - Date.parse(short.data.reviewed_at)) / 1000
  assert.equal(seconds, 20)
})

test('D3 §6 rule 2: the autopilot reviews a video KYC that is ready, and the PAN selects the decision', async () => {
  for (const [digits, decision] of [
    ['1234', 'APPROVED'],
    ['9206', 'REJECTED'],
  ] as const) {
    const { loanCase } = await reviewedCase(digits)
    await loanCase.decide()
    await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
    await loanCase.send('KYC_UPDATED', {
      ...exampleData('KYC_UPDATED'),
      mode: 'VIDEO_AND_MANUAL_REVIEW',
      status: 'REVIEW_READY',
      verified: false,
      document_ids: [],
    })
    const { data } = await loanCase.waitForEvent('KYC_REVIEW_DECIDED')
    assert.equal(data.decision, decision)
    assert.equal((await loanCase.status()).case_status, 'KYC_PENDING')
  }
})

test('D3 §6: the autopilot reports the reason of a failed transfer, and does not repeat the transfer', async () => {
  const loanCase = new TestCase(partner)
  // The bank fails transfers to accounts that end in 9301.
  loanCase.lead.banking.account!.account_number = '501001239301'
  await loanCase.register()
  await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  await loanCase.verify()
  const { data } = await loanCase.waitForEvent('DISBURSEMENT_UPDATED', 2)
  assert.equal(data.status, 'FAILED')
  assert.notEqual(data.reason_code, null)
  const status = await loanCase.waitForStatus('READY_TO_DISBURSE')
  assert.deepEqual(inconsistencies(status), [])
  assert.equal(status.disbursement!.status, 'FAILED')
})

/**
 * Polls Status until it is stopped. Asserts that each snapshot is consistent, that versions never decrease, and that
 * two snapshots of one version are equal.
 */
function pollStatus(loanCase: TestCase): { stop(): Promise<{ polls: number; versions: number }> } {
  const contentByVersion = new Map<number, string>()
  let polls = 0
  let isStopped = false
  const pollers = Array.from({ length: 3 }, async () => {
    for (let last = 0; !isStopped; polls++) {
      const status = await loanCase.status()
      assert.deepEqual(inconsistencies(status), [])
      assert.ok(status.snapshot_version >= last, `${status.snapshot_version} after ${last}`)
      last = status.snapshot_version
      const { request_id, snapshot_at, ...parts } = status
      const before = contentByVersion.get(last) ?? JSON.stringify(parts)
      assert.equal(JSON.stringify(parts), before, `version ${last}`)
      contentByVersion.set(last, before)
    }
  })
  return {
    async stop() {
      isStopped = true
      await Promise.all(pollers)
      return { polls, versions: contentByVersion.size }
    },
  }
}

test('D3 §4.4, §6 rule 7: Status is consistent at every moment from the offer to the second weekly debit', async () => {
  const { loanCase } = await reviewedCase()
  const statusPolls = pollStatus(loanCase)
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  await loanCase.verify()
  await loanCase.waitForStatus('DISBURSED')
  for (let paid = 1; paid <= 2; paid++) {
    await advanceWeek()
    const status = await until(`instalment ${paid} is paid`, async () => {
      const current = await loanCase.status()
      return current.payments.filter((payment) => payment.status === 'POSTED').length === paid && current
    })
    assert.equal(status.amortization_schedule!.installments[paid - 1]!.status, 'PAID')
    assert.equal(status.amortization_schedule!.installments[paid]!.status, 'DUE')
  }
  const { polls, versions } = await statusPolls.stop()
  assert.ok(polls > 30 && versions > 10, `${polls} polls of ${versions} versions`)
})

test('a case that arrived while the autopilot was off is decided after the autopilot is switched on', async () => {
  const apiProgram = await startTestPartner({ PARTNER_MODE: 'api' })
  const workerEnv = { ...apiProgram.env, PARTNER_MODE: 'worker', PARTNER_PORT: String(apiProgram.workerPort) }
  const startWorker = (PARTNER_AUTOPILOT: string) =>
    startPartner(configFrom(settings, { ...workerEnv, PARTNER_AUTOPILOT }))
  // The two workers run one after the other, because concurrent workers would compete for the job.
  const manualWorker = await startWorker('off')
  const loanCase = new TestCase(apiProgram)
  await loanCase.register()
  assert.equal((await loanCase.status()).case_status, 'UNDER_REVIEW')
  await manualWorker.stop()
  const autopilotWorker = await startWorker('on')
  await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  await autopilotWorker.stop()
})

test('switching the autopilot on at the desk decides the cases that waited for it', async () => {
  const { db } = partner
  const isOn = () => isAutopilotOn(db, partner.ctx.config)
  assert.ok(await isOn(), 'the setting switches it on')
  await db.tx((tx) => switchAutopilot(tx, false, 'staff-1', new Date()))
  assert.ok(!(await isOn()))
  const loanCase = new TestCase(partner, freshPan('9203'))
  await loanCase.register()
  const jobs = () => db<{ count: number }>`
    select count(*)::int as count from job where kind = 'case-changed' and payload->>'caseRef' = ${loanCase.caseRef}`
  await until('the autopilot has checked the case', async () => (await jobs())[0]!.count === 0)
  assert.equal((await loanCase.status()).case_status, 'UNDER_REVIEW')
  const unaffected = new TestCase(partner, freshPan('9201'))
  assert.equal((await unaffected.dedupe()).decision, 'PROCEED', 'sandbox rules are off with the autopilot')
  await db.tx((tx) => switchAutopilot(tx, true, 'staff-2', new Date()))
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  assert.equal(data.decision, 'REJECTED')
  const switches = await db`select is_on, switched_by from autopilot_switch order by switched_at`
  assert.deepEqual(switches, [
    { isOn: false, switchedBy: 'staff-1' },
    { isOn: true, switchedBy: 'staff-2' },
  ])
})

test('D3 §6 rule 7: weekly debits are planned only while the autopilot is on', async () => {
  const { loanCase } = await reviewedCase()
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  await loanCase.verify()
  await loanCase.waitForStatus('DISBURSED')
  await partner.db.tx((tx) => switchAutopilot(tx, false, 'staff-1', clock()))
  await advanceWeek()
  const scanCount = async () => {
    const [job] = await partner.db<{ attempt: number }>`select attempt from job where kind = 'collect-due'`
    return job!.attempt
  }
  const before = await scanCount()
  await until('two scans are finished', async () => (await scanCount()) >= before + 2)
  assert.deepEqual((await loanCase.status()).payments, [])
  await partner.db.tx((tx) => switchAutopilot(tx, true, 'staff-1', clock()))
  await until('the instalment is paid', async () =>
    (await loanCase.status()).payments.some((payment) => payment.status === 'POSTED'),
  )
})
