// Checks that need an application: the platform passes them, and each injected fault fails only its check.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type ConformingPlatform, newConformingPlatform, runConformance } from '@lendloom/tests/setup/conforming'
import { sendingFaults, startFaultySender } from '@lendloom/tests/setup/faulty-sender'
import { completeSteps, mustCall, offerPath, waitForStatus } from '@lendloom/tests/setup/headless'
import {
  type PartnerLoan,
  proceedWithPartner,
  requestPartPayment,
  submitClaim,
} from '@lendloom/tests/setup/partner-loan'
import { type Programs, startPrograms, until } from '@lendloom/tests/setup/programs'
import type { Outcome } from './check-result.ts'
import { allChecks } from './checks/all.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-conform-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** Starts a platform whose lending partner is at `partnerUrl`; it reads Status every 2 s, to keep the test short. */
const platformOf = ({ credentials }: ConformingPlatform, partnerUrl: string) =>
  startPrograms({
    env: {
      PARTNER_URL: partnerUrl,
      PARTNER_CREDENTIALS: JSON.stringify(credentials),
      PARTNER_STATUS_SECONDS: '2',
    },
  })

/** A run against the webhook of a platform; a run with the same name resumes its state. */
interface ConformanceRun {
  url: string
  platform: ConformingPlatform
  retryAfterSeconds: number
  name: string
}
const stateOf = (name: string) => join(directory, `${name}.json`)
const startRun = ({ url, platform, retryAfterSeconds, name }: ConformanceRun, only?: string[]) =>
  runConformance(url, platform, {
    testedSide: 'platform',
    retryAfterSeconds,
    state: stateOf(name),
    ...(only && { only }),
  })

const ids = allChecks.platform.map(({ id }) => id)
/** The checks before the borrower decides, which send an offer, a replacement and an edited offer. */
const idsUntilOffer = ids.slice(0, ids.indexOf('offer.decided'))
/** The checks for a borrower who accepts the offer; the other check needs a borrower who rejects it. */
const acceptanceIds = ids.filter((id) => id !== 'offer.rejected')
const rejectionId = 'offer.rejected'

const borrower = { pan: 'ABCPE1234F', accountNumber: '123456789013' }
const otherBorrower = { pan: 'ABCPE4321F', accountNumber: '123456789014' }

/** Runs the checks up to the offer, then resumes up to the claim of a payment. */
async function interruptAndResume(conformanceRun: ConformanceRun, programs: Programs) {
  const [interrupted, loan] = await Promise.all([
    startRun(conformanceRun, idsUntilOffer),
    proceedWithPartner(programs, borrower),
  ])
  const { caseRef } = JSON.parse(readFileSync(stateOf(conformanceRun.name), 'utf8'))
  assert.equal(caseRef, loan.caseRef)
  const [all, status] = await Promise.all([startRun(conformanceRun, acceptanceIds), completeLoanAndClaim(loan)])
  return { interrupted, all, status }
}

async function completeLoanAndClaim({ borrower: who, offerId }: PartnerLoan) {
  assert.equal(await completeSteps(who, offerId), 'DISBURSED')
  const { link, status } = await requestPartPayment(who)
  assert.equal((await submitClaim(link, 'UPI-4711-0815')).status, 200)
  return status
}

/** Runs the check of a rejected offer, with another borrower. */
async function rejectOffer(conformanceRun: ConformanceRun, programs: Programs): Promise<Outcome[]> {
  const reject = async () => {
    const { borrower: who, offerId } = await proceedWithPartner(programs, otherBorrower)
    await waitForStatus(who, 'KYC_PENDING')
    await mustCall(who, 'POST', `${offerPath(who, offerId)}/reject`, {
      rejectedStage: 'FINAL_OFFER',
      rejectionReason: 'Too dear',
    })
  }
  const [outcomes] = await Promise.all([startRun(conformanceRun, [rejectionId]), reject()])
  return outcomes
}

const notPassed = (outcomes: Outcome[]) =>
  outcomes.flatMap(({ id, result, because }) => (result === 'passed' ? [] : [[id, because]]))
const failuresIn = (outcomes: Outcome[]) => outcomes.filter(({ result }) => result === 'failed')

// Concurrent, because each test mostly waits for its own programs.
describe('with one application', { concurrency: true }, () => {
  test('D3 §7: the platform passes every check, also in a resumed run with the same application', async () => {
    const platform = await newConformingPlatform('LENDLOOM')
    platform.credentials.webhook.keys.push({ keyId: 'partner-2', secret: randomUUID() })
    const programs = await platformOf(platform, `http://127.0.0.1:${platform.port}`)
    const conformanceRun = {
      url: `${programs.platformUrl}/api/partner/webhook`,
      platform,
      retryAfterSeconds: 2,
      name: 'one',
    }
    const { interrupted, all, status } = await interruptAndResume(conformanceRun, programs)
    assert.deepEqual(notPassed(all), [])
    assert.deepEqual(
      all.map(({ id }) => id),
      acceptanceIds,
    )
    assert.deepEqual(all.slice(0, interrupted.length), interrupted, 'passed checks are not repeated')
    await until('the claim has failed', async () => (await status()) === 'FAILED')
    assert.deepEqual(notPassed(await rejectOffer({ ...conformanceRun, name: 'other' }, programs)), [])
  })

  test('D3: a faulty platform fails exactly the checks for its faults', async () => {
    const platform = await newConformingPlatform('LENDLOOM')
    const proxy = await startFaultySender(platform.credentials, `http://127.0.0.1:${platform.port}`)
    const programs = await platformOf(platform, proxy.url)
    proxy.setPlatform(programs.platformUrl)
    // 600 s: the platform, from which the proxy hides Retry-After, never waits that long by chance.
    const conformanceRun = { url: proxy.webhookUrl, platform, retryAfterSeconds: 600, name: 'faulty' }
    const { all } = await interruptAndResume(conformanceRun, programs)
    const failed = [
      ...failuresIn(all),
      ...failuresIn(await rejectOffer({ ...conformanceRun, name: 'faulty other' }, programs)),
    ]
    assert.deepEqual(
      failed.map(({ id }) => id).toSorted(),
      Object.keys(sendingFaults).toSorted(),
      JSON.stringify(failed, null, 2),
    )
  })
})
