// Complaints about loans between real programs: question, resolution, rating and escalation.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { main } from '@lendloom/cli/src/main.ts'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import type { ProductId } from '@lendloom/lending/product/products'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { faultText } from '@lendloom/wire/network/context'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import {
  type Borrower,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

/** A lender of IGM 2.0.0; the others speak 1.0.0. */
const sahyadri = 'Sahyadri Capital'

const programs = await startPrograms({
  env: { ...patientSettings, SANDBOX_GRIEVANCE_SECONDS: '1' },
  lenders: ['meridian', 'sahyadri'],
})
const directory = mkdtempSync(join(tmpdir(), 'lendloom-issue-'))
after(() => rmSync(directory, { recursive: true }))

/** Runs `lendloom network issue …` as an operator. */
async function lendloom(...argv: string[]) {
  const printed: string[] = []
  const env = {
    DATABASE_URL: programs.databaseUrls.platform,
    LENDLOOM_KEYS: programs.keys.platform,
    PUBLIC_URL: programs.platformUrl,
    LENDLOOM_DATA_DIR: directory,
    NETWORK_SIGNING_KEY: signingKeysFrom(Buffer.alloc(32, 7)).privateKey,
    NETWORK_ENCRYPTION_KEY: encryptionKeysFrom(Buffer.alloc(32, 7)).privateKey,
  }
  const collect = (text: string) => void printed.push(text)
  const code = await main(['network', 'issue', ...argv], { env, print: collect, complain: collect })
  return { code, text: printed.join('\n') }
}

/** A disbursed loan; the PAN digits select the lender's handling of complaints. */
async function disbursedLoan(digits: string, journeyType: ProductId, lender = 'Meridian Finance'): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, { ...newApplicant(), journeyType })
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), {
    choose(offers) {
      const offer = offers.find((each) => each.lenderName === lender)
      return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
    },
  })
  return borrower
}
const disbursedGoldLoan = (digits: string) => disbursedLoan(digits, 'GOLD_LOAN')

const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }

const latest = ({ view }: Borrower): EmbedGrievance => view.grievances!.items[0]!
const waitForComplaint = (borrower: Borrower, what: string, fits: (grievance: EmbedGrievance) => boolean) =>
  until(what, async () => {
    await readView(borrower)
    return fits(latest(borrower)) && latest(borrower)
  })

/** Asserts that all messages obey the network's rules, and returns the complaint actions in order. */
async function checkedActions({ journeyId }: Borrower): Promise<string[]> {
  const transcript = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
  assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
  return transcript.map(({ action }) => action).filter((action) => action.includes('issue'))
}

/** Moves the deadline of the lender's response, or both deadlines, to now. */
async function expireDeadline(due: 'RESPONSE' | 'RESOLUTION', grievanceId: string): Promise<void> {
  const now = new Date()
  await programs.db`update grievance set response_due_at = ${now} where grievance_id = ${grievanceId}`
  if (due === 'RESOLUTION')
    await programs.db`update grievance set resolution_due_at = ${now} where grievance_id = ${grievanceId}`
  const moved = await programs.db`
    update job set due_at = now() where kind = 'grievance-follow-up' and key like ${`${grievanceId}:${due}:%`}
    returning 1`
  assert.equal(moved.length, 1, `the follow-up of the ${due} was waiting`)
}

/** Waits until the lender has acknowledged this many messages of a kind. */
const waitForAcks = ({ journeyId }: Borrower, action: string, times: number) =>
  until(`the lender acknowledges ${action} ${times} times`, async () => {
    const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
    return messages.filter((each) => each.action === action && each.outcome === 'ACK').length === times
  })

/** Files a second complaint about the loan under "Help and complaints", beside the first one. */
async function complainThroughHelp(borrower: Borrower): Promise<void> {
  const waitForNewest = (count: number, status: string) =>
    until(`the complaint is ${status}`, async () => {
      const { items } = (await call(borrower, 'GET', '/complaints')).body.complaints
      return items.length === count && items[0].status === status && items[0]
    })
  const first = await waitForNewest(1, 'CLOSED')
  assert.equal(first.category, 'CHARGES')
  assert.notEqual(first.lender, null)
  const complaintInput = { category: 'CHARGES', text: 'Another charge of 200 rupees was taken today.', language: 'en' }
  assert.equal((await call(borrower, 'POST', '/complaints', complaintInput)).status, 200)
  const { id } = await waitForNewest(2, 'WAITING_FOR_BORROWER')
  assert.equal((await call(borrower, 'POST', `/complaints/${id}/words`, { text: 'Reference AXIS-00413.' })).status, 200)
  const resolved = await waitForNewest(2, 'RESOLVED')
  assert.deepEqual(
    resolved.entries.filter(({ by }: { by: string }) => by === 'LENDER').map(({ kind }: { kind: string }) => kind),
    ['QUESTION', 'RESOLUTION'],
  )
  assert.equal((await call(borrower, 'POST', `/complaints/${id}/judge`, { settled: true })).status, 200)
  await readView(borrower)
  assert.equal(latest(borrower).status, 'CLOSED')
  assert.equal(latest(borrower).rating, 'THUMBS-UP')
}

describe('FIS12 §20: complaints', { concurrency: 3 }, () => {
  test('a lender asks a question and resolves the complaint, and the borrower rates and closes it', async () => {
    const borrower = await disbursedGoldLoan('9062')
    assert.deepEqual(borrower.view.grievances, { possible: true, items: [] })
    assert.equal(
      (await call(borrower, 'POST', '/grievances', { ...complaint, text: 'short' })).body.error.details.field,
      'text',
    )
    assert.equal((await call(borrower, 'POST', '/grievances', complaint)).status, 200)
    const { id } = latest(borrower)
    const grievance = await waitForComplaint(borrower, 'the question', ({ status }) => status === 'NEEDS_INFO')
    assert.match(grievance.messages.at(-1)!.text, /reference of the payment/)
    const reply = { text: 'On 18 November, reference AXIS-00412.' }
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/reply`, reply)).status, 200)
    const resolved = await waitForComplaint(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    assert.equal(resolved.resolution!.action, 'NO-ACTION')
    assert.deepEqual(
      resolved.messages.map(({ by, text }) => ({ by, text })),
      [
        { by: 'LENDER', text: grievance.messages[0]!.text },
        { by: 'BORROWER', text: reply.text },
      ],
    )
    const installments = borrower.view.installments
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, {})).body.error.details.field, 'rating')
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, { rating: 'THUMBS-UP' })).status, 200)
    assert.equal(latest(borrower).status, 'CLOSED')
    assert.equal(latest(borrower).rating, 'THUMBS-UP')
    assert.deepEqual(borrower.view.installments, installments, 'a resolution does not change the schedule')
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/escalate`, {})).status, 409)
    // The lender acknowledges the close without a callback.
    await waitForAcks(borrower, 'issue', 3)
    const actions = await checkedActions(borrower)
    assert.deepEqual(actions, ['issue', 'on_issue', 'on_issue_status', 'issue', 'on_issue', 'on_issue_status', 'issue'])
    await complainThroughHelp(borrower)
    await waitForAcks(borrower, 'issue', 6)
    assert.equal((await checkedActions(borrower)).filter((action) => action === 'issue').length, 6)
  })

  test('the platform asks a silent lender for the status, and an escalation on the command line reaches its grievance officer', async () => {
    const borrower = await disbursedGoldLoan('9063')
    const raised = await lendloom(
      'raise',
      borrower.journeyId,
      '--about',
      'conduct',
      '--text',
      'Nobody ever calls me back.',
      '--json',
    )
    assert.equal(raised.code, 0, raised.text)
    const { grievanceId: id } = JSON.parse(raised.text)
    assert.match((await lendloom('escalate', id)).text, /has time until/)
    await waitForAcks(borrower, 'issue', 1)
    await expireDeadline('RESPONSE', id)
    await waitForComplaint(borrower, 'lateness', ({ late }) => late)
    await waitForAcks(borrower, 'issue_status', 1)
    await expireDeadline('RESOLUTION', id)
    await waitForComplaint(borrower, 'the offer to escalate', ({ mayEscalate }) => mayEscalate)
    await waitForAcks(borrower, 'issue_status', 2)
    assert.match((await lendloom('list')).text, new RegExp(`${id} +CONDUCT +OPEN, late,`))
    const ofJourney = (await lendloom('list', borrower.journeyId)).text
    assert.match(ofJourney, new RegExp(`${id} +CONDUCT +OPEN, late, not resolved in time`))
    assert.match(ofJourney, /\n1 complaint, 1 open\.$/)
    const { tenantId: otherTenantId } = programs.secondTenant
    assert.equal(
      (await lendloom('list', '--tenant', otherTenantId)).text,
      `There are no complaints of tenant ${otherTenantId}.`,
    )
    assert.match((await lendloom('escalate', id)).text, /ESCALATED, escalated/)
    const resolved = await waitForComplaint(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    assert.equal(resolved.resolution!.action, 'REFUND')
    assert.equal(resolved.resolution!.refund, '500.00')
    assert.equal(resolved.escalated, true)
    const shown = await lendloom('show', id)
    assert.match(
      shown.text,
      /Nobody ever calls me back[\s\S]*ESCALATE[\s\S]*The grievance officer is handling the complaint/,
    )
    assert.match((await lendloom('close', id)).text, /--rating up or down is required/)
    assert.match((await lendloom('close', id, '--rating', 'down')).text, /CLOSED/)
    assert.equal((await lendloom('reply', id, '--text', 'But I still have a question.')).code, 1)
    assert.equal((await lendloom('sing')).code, 2)
    await waitForAcks(borrower, 'issue', 3)
    const actions = await checkedActions(borrower)
    assert.deepEqual(actions, [
      'issue',
      'issue_status',
      'issue_status',
      'issue',
      'on_issue',
      'on_issue_status',
      'issue',
    ])
  })

  for (const journeyType of ['PERSONAL_LOAN', 'GOLD_LOAN'] as const)
    test(`FIS12 §20.1: a lender of IGM 2.0.0 asks, is refused, and resolves an escalated complaint about a ${journeyType}`, async () => {
      const borrower = await disbursedLoan('9062', journeyType, sahyadri)
      assert.equal((await call(borrower, 'POST', '/grievances', complaint)).status, 200)
      const { id } = latest(borrower)
      await waitForComplaint(borrower, 'the question', ({ status }) => status === 'NEEDS_INFO')
      const reply = { text: 'On 18 November, reference AXIS-00412.' }
      assert.equal((await call(borrower, 'POST', `/grievances/${id}/reply`, reply)).status, 200)
      const isResolved = ({ status }: EmbedGrievance) => status === 'RESOLVED'
      const first = await waitForComplaint(borrower, 'the first resolution', isResolved)
      assert.equal(first.resolution!.action, 'NO-ACTION')
      assert.equal(first.mayEscalate, true)
      assert.equal((await call(borrower, 'POST', `/grievances/${id}/escalate`, {})).status, 200)
      const second = await waitForComplaint(borrower, 'the second resolution', isResolved)
      assert.equal(second.resolution!.action, 'REFUND')
      assert.equal(second.resolution!.refund, '500.00')
      assert.equal(second.officer.name, 'Meera Joshi')
      assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, { rating: 'THUMBS-UP' })).status, 200)
      assert.equal(latest(borrower).status, 'CLOSED')
      assert.equal(latest(borrower).rating, 'THUMBS-UP')
      // Reply, escalation, acceptance and closure follow the complaint, which 2.0.0 repeats.
      await waitForAcks(borrower, 'issue', 5)
      const actions = await checkedActions(borrower)
      assert.ok(actions.filter((action) => action === 'issue').length <= 6, 'at most one rejection')
      assert.ok(!actions.includes('on_issue_status'))
      assert.match((await lendloom('show', id)).text, /IGM 2\.0\.0/)
    })

  test('an issue_status request finds a resolution that the lender does not push', async () => {
    const borrower = await disbursedGoldLoan('9065')
    await call(borrower, 'POST', '/grievances', complaint)
    const { id } = latest(borrower)
    await until('the lender has resolved the complaint', async () => {
      const [issue] = await programs.sandboxDb<{ actions: { action: string }[] }>`
        select actions from issue where issue_id = ${id}`
      return issue?.actions.some(({ action }) => action === 'RESOLVED')
    })
    await expireDeadline('RESOLUTION', id)
    await waitForComplaint(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    const actions = await checkedActions(borrower)
    assert.deepEqual(actions, ['issue', 'on_issue', 'issue_status', 'on_issue_status'], 'no unsolicited callback')
  })
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
