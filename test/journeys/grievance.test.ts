// Complaints about loans over real HTTP between real programs: a question, a rated close, a lender that keeps silent.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { main } from '#cli/main.ts'
import { invariantsOf } from '#conformance/network/v203/invariants.ts'
import type { EmbedGrievance } from '#contract/hosted/embed-grievance.ts'
import { encryptionKeysFrom } from '#contract/network/challenge.ts'
import { faultText } from '#contract/network/context.ts'
import { signingKeysFrom } from '#contract/network/signing.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
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

const programs = await startPrograms({ env: { ...patientSettings, SANDBOX_GRIEVANCE_SECONDS: '1' } })
const directory = mkdtempSync(join(tmpdir(), 'lendloom-issue-'))
after(() => rmSync(directory, { recursive: true }))

/** `lendloom network issue …` as an operator of the sandbox runs it. */
async function lendloom(...argv: string[]) {
  const printed: string[] = []
  const env = {
    ...{
      DATABASE_URL: programs.databaseUrls.platform,
      LENDLOOM_KEYS: programs.keys.platform,
      PUBLIC_URL: programs.platformUrl,
    },
    LENDLOOM_DATA_DIR: directory,
    NETWORK_SIGNING_KEY: signingKeysFrom(Buffer.alloc(32, 7)).privateKey,
    NETWORK_ENCRYPTION_KEY: encryptionKeysFrom(Buffer.alloc(32, 7)).privateKey,
  }
  const put = (text: string) => void printed.push(text)
  const code = await main(['network', 'issue', ...argv], { env, print: put, complain: put })
  return { code, text: printed.join('\n') }
}

/** A loan on gold that was paid out; the digits of the PAN choose how its lender treats complaints. */
async function borrowing(digits: string): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, {
    ...newApplicant(),
    journeyType: 'GOLD_LOAN',
  })
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), {}, 90_000)
  return borrower
}

const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }

const newest = ({ view }: Borrower): EmbedGrievance => view.grievances!.items[0]!
const reaching = (borrower: Borrower, what: string, fits: (grievance: EmbedGrievance) => boolean) =>
  until(what, async () => {
    await readView(borrower)
    return fits(newest(borrower)) && newest(borrower)
  })

/** Every message obeys the rules of the network; gives the actions about complaints, in order. */
async function checkedActions({ journeyId }: Borrower): Promise<string[]> {
  const transcript = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
  assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
  return transcript.map(({ action }) => action).filter((action) => action.includes('issue'))
}

/** Ends the hours that the lender has for its first answer, or for a resolution, so that no test waits for them. */
async function letPass(due: 'RESPONSE' | 'RESOLUTION', grievanceId: string): Promise<void> {
  const now = new Date()
  await programs.db`update grievance set response_due_at = ${now} where grievance_id = ${grievanceId}`
  if (due === 'RESOLUTION')
    await programs.db`update grievance set resolution_due_at = ${now} where grievance_id = ${grievanceId}`
  const moved = await programs.db`
    update job set due_at = now() where kind = 'grievance-follow-up' and key like ${`${grievanceId}:${due}:%`}
    returning 1`
  assert.equal(moved.length, 1, `the follow-up of the ${due} was waiting`)
}

/** The lender has acknowledged this many of our messages of a kind. */
const taken = ({ journeyId }: Borrower, action: string, times: number) =>
  until(`the lender takes ${action} for the ${times}. time`, async () => {
    const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
    return messages.filter((each) => each.action === action && each.outcome === 'ACK').length === times
  })

/** A second complaint about the loan, under "Help and complaints": it goes the same way, and the first one stands beside it. */
async function throughHelp(borrower: Borrower): Promise<void> {
  const reaches = (number: number, status: string) =>
    until(`the complaint is ${status}`, async () => {
      const { items } = (await call(borrower, 'GET', '/complaints')).body.complaints
      return items.length === number && items[0].status === status && items[0]
    })
  const first = await reaches(1, 'CLOSED')
  assert.deepEqual([first.category, first.lender !== null], ['CHARGES', true])
  const given = { category: 'CHARGES', text: 'Another charge of 200 rupees was taken today.', language: 'en' }
  assert.equal((await call(borrower, 'POST', '/complaints', given)).status, 200)
  const { id } = await reaches(2, 'WAITING_FOR_BORROWER')
  assert.equal((await call(borrower, 'POST', `/complaints/${id}/words`, { text: 'Reference AXIS-00413.' })).status, 200)
  const resolved = await reaches(2, 'RESOLVED')
  assert.deepEqual(
    resolved.entries.filter(({ by }: { by: string }) => by === 'LENDER').map(({ kind }: { kind: string }) => kind),
    ['QUESTION', 'RESOLUTION'],
  )
  assert.equal((await call(borrower, 'POST', `/complaints/${id}/judge`, { settled: true })).status, 200)
  await readView(borrower)
  assert.deepEqual([newest(borrower).status, newest(borrower).rating], ['CLOSED', 'THUMBS-UP'])
}

describe('FIS12 §20: complaints', { concurrency: 3 }, () => {
  test('a lender asks for more, is told, resolves it, and the borrower rates and closes', async () => {
    const borrower = await borrowing('9062')
    assert.deepEqual(borrower.view.grievances, { possible: true, items: [] })
    assert.equal(
      (await call(borrower, 'POST', '/grievances', { ...complaint, text: 'short' })).body.error.details.field,
      'text',
    )
    assert.equal((await call(borrower, 'POST', '/grievances', complaint)).status, 200)
    const { id } = newest(borrower)
    const grievance = await reaching(borrower, 'the question', ({ status }) => status === 'NEEDS_INFO')
    assert.match(grievance.question!, /reference of the payment/)
    const reply = { text: 'On 18 November, reference AXIS-00412.' }
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/reply`, reply)).status, 200)
    const resolved = await reaching(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    assert.deepEqual([resolved.resolution!.action, resolved.question], ['NO-ACTION', null])
    const installments = borrower.view.installments
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, {})).body.error.details.field, 'rating')
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/close`, { rating: 'THUMBS-UP' })).status, 200)
    assert.deepEqual([newest(borrower).status, newest(borrower).rating], ['CLOSED', 'THUMBS-UP'])
    assert.deepEqual(borrower.view.installments, installments, 'a resolution books nothing')
    assert.equal((await call(borrower, 'POST', `/grievances/${id}/escalate`, {})).status, 409)
    // The close is on its way to the lender, which does not answer it.
    await taken(borrower, 'issue', 3)
    const actions = await checkedActions(borrower)
    assert.deepEqual(actions, ['issue', 'on_issue', 'on_issue_status', 'issue', 'on_issue', 'on_issue_status', 'issue'])
    await throughHelp(borrower)
    await taken(borrower, 'issue', 6)
    assert.equal((await checkedActions(borrower)).filter((action) => action === 'issue').length, 6)
  })

  test('a lender that keeps silent is asked, then its grievance officer has to answer; at the command line', async () => {
    const borrower = await borrowing('9063')
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
    await taken(borrower, 'issue', 1)
    await letPass('RESPONSE', id)
    await reaching(borrower, 'lateness', ({ late }) => late)
    await taken(borrower, 'issue_status', 1)
    await letPass('RESOLUTION', id)
    await reaching(borrower, 'the offer to escalate', ({ mayEscalate }) => mayEscalate)
    await taken(borrower, 'issue_status', 2)
    assert.match((await lendloom('list')).text, new RegExp(`${id} +CONDUCT +OPEN, late, not resolved in time`))
    assert.match((await lendloom('list', borrower.journeyId)).text, /\n1 complaint, 1 open\.$/)
    const { tenantId: other } = programs.secondTenant
    assert.equal((await lendloom('list', '--tenant', other)).text, `There are no complaints of tenant ${other}.`)
    assert.match((await lendloom('escalate', id)).text, /ESCALATED, escalated/)
    const resolved = await reaching(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    assert.deepEqual(
      [resolved.resolution!.action, resolved.resolution!.refund, resolved.escalated],
      ['REFUND', '500.00', true],
    )
    const shown = await lendloom('show', id)
    assert.match(
      shown.text,
      /Nobody ever calls me back[\s\S]*ESCALATE[\s\S]*The grievance officer is handling the complaint/,
    )
    assert.match((await lendloom('close', id)).text, /--rating up or down is required/)
    assert.match((await lendloom('close', id, '--rating', 'down')).text, /CLOSED/)
    assert.equal((await lendloom('reply', id, '--text', 'But I still have a question.')).code, 1)
    assert.equal((await lendloom('sing')).code, 2)
    await taken(borrower, 'issue', 3)
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

  test('a resolution that the lender did not announce is found by asking', async () => {
    const borrower = await borrowing('9065')
    await call(borrower, 'POST', '/grievances', complaint)
    const { id } = newest(borrower)
    await until('the lender has resolved it', async () => {
      const [issue] = await programs.sandboxDb<{ actions: { action: string }[] }>`
        select actions from issue where issue_id = ${id}`
      return issue?.actions.some(({ action }) => action === 'RESOLVED')
    })
    await letPass('RESOLUTION', id)
    await reaching(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
    const actions = await checkedActions(borrower)
    assert.deepEqual(actions, ['issue', 'on_issue', 'issue_status', 'on_issue_status'], 'nothing was told unasked')
  })
})

test('no program complained', () => assert.deepEqual(programs.errorLines, []))
