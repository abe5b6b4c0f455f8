// The platform passes every check with one application, in an interrupted and resumed run, and each planted fault is found by its check only.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type ConformingPlatform, newConformingPlatform, runConformance } from '#test/setup/conforming.ts'
import { sendingFaults, startFaultySender } from '#test/setup/faulty-sender.ts'
import { completeSteps, mustCall, offerPath, waitForStatus } from '#test/setup/headless.ts'
import { type PartnerLoan, proceedWithPartner, requestPartPayment, submitClaim } from '#test/setup/partner-loan.ts'
import { type Programs, startPrograms, until } from '#test/setup/programs.ts'
import { allChecks } from './checks/all.ts'
import type { Outcome } from './outcome.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-conform-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** A platform whose lending partner is at that address; quick, as its schedule is not what is tried. */
const platformOf = ({ credentials }: ConformingPlatform, partnerUrl: string) =>
  startPrograms({
    env: {
      PARTNER_URL: partnerUrl,
      PARTNER_CREDENTIALS: JSON.stringify(credentials),
      PARTNER_STATUS_SECONDS: '2',
    },
  })

/** A run against a platform, by its webhook; one with the same name goes on with its state. */
interface Trial {
  url: string
  known: ConformingPlatform
  retryAfterSeconds: number
  name: string
}
const stateOf = (name: string) => join(directory, `${name}.json`)
const runOf = ({ url, known, retryAfterSeconds, name }: Trial, only?: string[]) =>
  runConformance(url, known, { tried: 'platform', retryAfterSeconds, state: stateOf(name), ...(only && { only }) })

const ids = allChecks.platform.map(({ id }) => id)
/** Until then the borrower decides nothing: two offers and an edited one come before. */
const untilOffered = ids.slice(0, ids.indexOf('offer.decided'))
/** Of a borrower who rejects the offer, which another one has to do. */
const ofOne = ids.filter((id) => id !== 'offer.rejected')
const ofOther = 'offer.rejected'

const borrower = { pan: 'ABCPE1234F', accountNumber: '123456789013' }
const otherBorrower = { pan: 'ABCPE4321F', accountNumber: '123456789014' }

/** The first run, cut when the borrower has an offer to decide on, and the run that goes on to the claim of a payment. */
async function cutAndGoneOn(trial: Trial, programs: Programs) {
  const [begun, loan] = await Promise.all([runOf(trial, untilOffered), proceedWithPartner(programs, borrower)])
  const { caseRef } = JSON.parse(readFileSync(stateOf(trial.name), 'utf8'))
  assert.equal(caseRef, loan.caseRef)
  const [all, status] = await Promise.all([runOf(trial, ofOne), lentAndClaimed(loan)])
  return { begun, all, status }
}

async function lentAndClaimed({ borrower: who, offerId }: PartnerLoan) {
  assert.equal(await completeSteps(who, offerId), 'DISBURSED')
  const { link, status } = await requestPartPayment(who)
  assert.equal((await submitClaim(link, 'UPI-4711-0815')).status, 200)
  return status
}

/** Another run of its own, and another borrower. */
async function rejected(trial: Trial, programs: Programs): Promise<Outcome[]> {
  const reject = async () => {
    const { borrower: who, offerId } = await proceedWithPartner(programs, otherBorrower)
    await waitForStatus(who, 'KYC_PENDING')
    await mustCall(who, 'POST', `${offerPath(who, offerId)}/reject`, {
      rejectedStage: 'FINAL_OFFER',
      rejectionReason: 'Too dear',
    })
  }
  const [outcomes] = await Promise.all([runOf(trial, [ofOther]), reject()])
  return outcomes
}

const notPassed = (outcomes: Outcome[]) =>
  outcomes.flatMap(({ id, result, because }) => (result === 'passed' ? [] : [[id, because]]))
const failedOf = (outcomes: Outcome[]) => outcomes.filter(({ result }) => result === 'failed')

// Both mostly wait, each for its own programs.
describe('with one application', { concurrency: true }, () => {
  test('D3 §7: the platform passes every check, also in a resumed run with the same application', async () => {
    const known = await newConformingPlatform('LENDLOOM')
    known.credentials.webhook.keys.push({ keyId: 'partner-2', secret: randomUUID() })
    const programs = await platformOf(known, `http://127.0.0.1:${known.port}`)
    const trial = { url: `${programs.platformUrl}/api/partner/webhook`, known, retryAfterSeconds: 2, name: 'one' }
    const { begun, all, status } = await cutAndGoneOn(trial, programs)
    assert.deepEqual(notPassed(all), [])
    assert.deepEqual(
      all.map(({ id }) => id),
      ofOne,
    )
    assert.deepEqual(all.slice(0, begun.length), begun, 'what passed is not tried again')
    await until('the claim is over', async () => (await status()) === 'FAILED')
    assert.deepEqual(notPassed(await rejected({ ...trial, name: 'other' }, programs)), [])
  })

  test('D3: a faulty platform fails exactly the checks for its faults', async () => {
    const known = await newConformingPlatform('LENDLOOM')
    const proxy = await startFaultySender(known.credentials, `http://127.0.0.1:${known.port}`)
    const programs = await platformOf(known, proxy.url)
    proxy.setPlatform(programs.platformUrl)
    // Long enough that no slow machine waits for it by chance: the platform is not told of it.
    const trial = { url: proxy.webhookUrl, known, retryAfterSeconds: 600, name: 'faulty' }
    const { all } = await cutAndGoneOn(trial, programs)
    const failed = [...failedOf(all), ...failedOf(await rejected({ ...trial, name: 'faulty other' }, programs))]
    assert.deepEqual(
      failed.map(({ id }) => id).toSorted(),
      Object.keys(sendingFaults).toSorted(),
      JSON.stringify(failed, null, 2),
    )
  })
})
