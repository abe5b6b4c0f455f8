// The platform's network modules with the sandbox's registry, gateway and lenders: a whole loan over signed HTTP, and failures.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CannotRun } from '@lendloom/cli/src/command.ts'
import { transcript } from '@lendloom/cli/src/network/transcript.ts'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import type { Terms } from '@lendloom/lending/terms'
import { type Conversation, formUrlOf } from '@lendloom/platform/src/lenders/network/conversation.ts'
import { readInbound } from '@lendloom/platform/src/lenders/network/inbound/store.ts'
import {
  requestLoanStatus,
  sendConfirm,
  sendInit,
  sendSelect,
} from '@lendloom/platform/src/lenders/network/lender-requests.ts'
import { openConversations } from '@lendloom/platform/src/lenders/network/open-conversation.ts'
import { findParticipants } from '@lendloom/platform/src/lenders/network/registry.ts'
import { searchNetwork } from '@lendloom/platform/src/lenders/network/search.ts'
import type { ConversationStage } from '@lendloom/platform/src/lenders/network/stage.ts'
import { submitForm } from '@lendloom/platform/src/lenders/network/submit-form.ts'
import { signingPublicKey, subscribe } from '@lendloom/platform/src/lenders/network/subscribe.ts'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { fillForm, readForm } from '@lendloom/wire/network/html-form'
import { claimedKeyOf } from '@lendloom/wire/network/signing'
import type { Json } from '#test/network-messages/personal-loan.ts'
import { commandLine } from '#test/setup/command-line.ts'
import { testDatabase } from '#test/setup/database.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { openSandbox } from '#test/setup/sandbox/open-sandbox.ts'
import { type ApplierHook, testSubscriber } from '#test/setup/subscriber.ts'

const sandbox = await openSandbox(() => testDatabase('sandbox'))
const platform = await testSubscriber(sandbox.url)
const { ctx: programs } = platform
const { db } = programs
await subscribe(programs)

const page = 'docs/how-to/join-the-network.md'
const chosen = 'meridian.sandbox.example'
const pans = new Map<string, string>()
const terms = new Map<string, Terms>()

/** A simple borrower who accepts Meridian's offer unchanged and provides everything the lenders request. */
const drive: ApplierHook = async (tx, _, journey, conversation, inbound, at) => {
  const final = () => ({ terms: terms.get(journey.journeyId)!, pledges: [], account: null })
  if (inbound.type === 'on_search' && inbound.found?.dialect === '2.0.3') {
    const opened = await openConversations({ ...programs, tx, at }, journey, inbound.sender, inbound.found.items)
    for (const each of opened)
      await submitForm({ ...programs, tx, at }, each, 'PROFILE', profileOf(pans.get(journey.journeyId)!))
  } else if (inbound.type === 'form_accepted') {
    if (inbound.purpose === 'BANK') await sendInit({ ...programs, tx, at }, conversation!, final())
    else await sendSelect({ ...programs, tx, at }, conversation!)
  } else if (inbound.type === 'on_select' && inbound.order) {
    terms.set(journey.journeyId, inbound.order.terms!)
    if (inbound.move === 'offered' && conversation!.bppId === chosen) {
      const { principal, termMonths } = inbound.order.terms!
      const amount = { requestAmount: String(principal / 100n), requestTerm: String(termMonths) }
      await submitForm({ ...programs, tx, at }, conversation!, 'AMOUNT', amount)
    }
  } else if (inbound.type === 'on_init' && inbound.move === 'bankRequested') {
    await submitForm({ ...programs, tx, at }, conversation!, 'BANK', bankAccount)
  } else if (inbound.type === 'on_status' && inbound.move === 'pageDone') {
    if (conversation!.stage === 'AGREEMENT_DONE') await sendConfirm({ ...programs, tx, at }, conversation!, final())
    else await sendInit({ ...programs, tx, at }, conversation!, final())
  }
}
platform.onApply.run = drive

const profileOf = (pan: string) => ({
  panName: 'Ravi Patil',
  personalemail: 'ravi@mail.example',
  dob: '1994-03-21',
  gender: 'male',
  pan,
  contactNumber: '9876500001',
  employmentType: 'salaried',
  income: '60000',
  companyName: 'Deccan Tools',
  addressL1: '4 Karve Road',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411004',
  endUse: 'travel',
  bureauConsent: 'true',
})
const bankAccount = { accHolderName: 'Ravi Patil', acctype: 'saving', accNo: '123456789012', ifscCode: 'HDFC0000001' }

async function begin(pan: string): Promise<Journey> {
  const journey = await platform.newJourney()
  pans.set(journey.journeyId, pan)
  await db.tx((tx) => searchNetwork({ ...programs, tx, at: programs.clock() }, journey))
  return journey
}

async function reached(journey: Journey, ...stages: ConversationStage[]): Promise<Conversation> {
  const own = async () => (await platform.conversations(journey)).find(({ bppId }) => bppId === chosen)
  for (const end = Date.now() + deadlineMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 30))) {
    const conversation = await own()
    if (conversation && stages.includes(conversation.stage)) return conversation
  }
  const happened = await readInbound(db, journey.tenantId, journey.journeyId)
  const story = happened.map(({ type, state, note }) => `${type} ${state} ${note ?? ''}`).join('\n')
  throw new Error(`${stages.join(', ')} was not reached but ${(await own())?.stage}:\n${story}`)
}

/** Opens the lender's page as a borrower's browser does, and submits its form. */
async function finishPage(conversation: Conversation, outcome: 'approve' | 'decline'): Promise<void> {
  const page = await fetch(formUrlOf(programs.seal, conversation)!)
  const form = readForm(await page.text(), page.url)
  const entries = fillForm(form, {}).entries.filter(([name]) => name !== 'outcome')
  const body = new URLSearchParams([...entries, ['outcome', outcome]])
  const answer = await fetch(form.action, { method: 'POST', body })
  assert.ok(answer.status < 400, `${answer.status} ${await answer.text()}`)
}

async function sanctioned(pan: string): Promise<Journey> {
  const journey = await begin(pan)
  for (const stage of ['FINAL_TERMS', 'MANDATE_REQUESTED', 'AGREEMENT_REQUESTED'] as const)
    await finishPage(await reached(journey, stage), 'approve')
  await reached(journey, 'CONFIRMED', 'DISBURSED')
  return journey
}

/** Checks all messages of a journey against the network's rules and invariants. */
async function judged(journey: Journey) {
  const transcript = await transcriptOf(programs, journey.tenantId, journey.journeyId)
  const keys = new Map<string, string>([
    [`${programs.config.NETWORK_SUBSCRIBER_ID}`, signingPublicKey(programs.config)],
  ])
  for (const { headers } of transcript) {
    const claimed = claimedKeyOf(headers.authorization)
    if (!claimed || keys.has(claimed.subscriberId)) continue
    const [found] = await findParticipants(programs, claimed)
    keys.set(claimed.subscriberId, found!.signing_public_key)
  }
  return { transcript, faults: invariantsOf(transcript, ({ subscriberId }) => keys.get(subscriberId) ?? null) }
}

const paidOut = await sanctioned('ABCPE1234F')
await reached(paidOut, 'DISBURSED')

test('FIS12 §8.1, §12: from search to disbursal, every message follows the rules and every invariant holds', async () => {
  const { transcript, faults } = await judged(paidOut)
  assert.deepEqual(faults, [])
  const actions = transcript.filter(({ party }) => party === chosen).map(({ action }) => action)
  const offer = ['on_search', 'select', 'on_select', 'select', 'on_select', 'on_status']
  const pages = ['init', 'on_init', 'init', 'on_init', 'on_status', 'init', 'on_init', 'on_status']
  assert.deepEqual(actions, [...offer, ...pages, 'confirm', 'on_confirm', 'on_status'])
  assert.equal((await platform.conversations(paidOut)).length, 5)
})

const names = ['REGISTRY_URL', 'GATEWAY_URL', 'SUBSCRIBER_ID', 'KEY_ID', 'SIGNING_KEY', 'ENCRYPTION_KEY'] as const
const env = {
  ...Object.fromEntries(names.map((name) => [`NETWORK_${name}`, programs.config[`NETWORK_${name}`]])),
  DATABASE_URL: programs.config.DATABASE_URL,
  LENDLOOM_KEYS: programs.config.LENDLOOM_KEYS,
  PUBLIC_URL: programs.config.PUBLIC_URL,
  LENDLOOM_DATA_DIR: '/nowhere',
}
const command = commandLine(env)
const directory = mkdtempSync(join(tmpdir(), 'lendloom-export-'))
after(() => rmSync(directory, { recursive: true }))
let exports = 0
const exported = async ({ journeyId }: Journey, flow: string, ...more: string[]) => {
  const file = join(directory, `${++exports}.json`)
  const result = await command.run('network', 'export', journeyId, '--flow', flow, '--out', file, ...more)
  return { ...result, file, messages: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null }
}
const bureauFlow = 'Personal_Loan_Without_AA_And_Monitoring_Consent'

test(`${page}: an export has the messages of one lender in order with their answers, and is in the audit log`, async () => {
  const { code, text, errorOutput, file, messages } = await exported(paidOut, bureauFlow)
  assert.equal(code, 0)
  assert.equal(text, `${file}: ${messages.length} messages with ${chosen}; faults: 0`)
  assert.match(errorOutput, /personal data of the borrower, unmasked/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const actions = messages.map(({ action }: Json) => action).join(' ')
  assert.match(actions, /^search on_search select on_select .*confirm on_confirm on_status$/)
  const ofLender = (await judged(paidOut)).transcript.filter(
    ({ party, action }) => party === chosen || action === 'search',
  )
  assert.deepEqual(
    messages.map(({ request, created_at }: Json) => ({ request, created_at })),
    ofLender.map(({ body, at }) => ({ request: JSON.parse(body), created_at: at.toISOString() })),
  )
  for (const { request, response, action, transaction_id, message_id, updated_at } of messages) {
    assert.equal(response.message.ack.status, 'ACK', action)
    const { context } = request
    assert.deepEqual(action, context.action)
    assert.deepEqual(transaction_id, context.transaction_id)
    assert.deepEqual(message_id, context.message_id)
    assert.ok(!Number.isNaN(Date.parse(updated_at)))
  }
  const [entry] = await db`select act, subject, detail from audit_entry where act = 'NETWORK_MESSAGES_EXPORTED'`
  const { flow, lender, faults } = JSON.parse(String(entry!.detail))
  assert.equal(entry!.subject, paidOut.journeyId)
  assert.equal(flow, bureauFlow)
  assert.equal(lender, chosen)
  assert.equal(faults, 0)
  const again = await command.runFailing('network', 'export', paidOut.journeyId, '--flow', bureauFlow, '--out', file)
  assert.equal(again.code, 1)
  assert.match(again.errorOutput, /--out: the file cannot be created/)
})

test(`${page}: an unknown flow, another product and an incomplete journey are refused, but written with --force`, async () => {
  const unknown = await exported(paidOut, 'Personal_Loan')
  assert.equal(unknown.code, 1)
  assert.match(
    unknown.errorOutput,
    /does not support a flow "Personal_Loan"; it supports:\nGold_Loan_Foreclosure_With_Account_Aggregator\n/,
  )
  const gold = await exported(paidOut, 'Gold_Loan_Without_Account_Aggregator')
  assert.match(
    gold.errorOutput,
    /the flow is of a gold loan, the journey of a personal loan\naction 8 of .* is missing: status;/,
  )
  const consent = await exported(paidOut, 'Personal_Loan_Without_Account_Monitoring')
  assert.match(consent.errorOutput, /action \d+ of \d+ is missing: select; the flow is search on_search select/)
  assert.equal(unknown.messages, null)
  assert.equal(gold.messages, null)
  assert.equal(consent.messages, null)
  const forced = await exported(paidOut, 'Personal_Loan_Without_Account_Monitoring', '--force')
  assert.equal(forced.code, 1)
  assert.match(forced.text, /faults: 1\naction \d+ of \d+ is missing: select/)
  assert.equal(forced.messages.length, (await exported(paidOut, bureauFlow)).messages.length)
  const foreclosed = await exported(paidOut, 'Personal_Loan_Foreclosure_Without_Account_Aggregator')
  assert.match(foreclosed.errorOutput, /no update requests the payment FORECLOSURE/)
  const answerConfirm = (outcome: string) =>
    db`update network_message set outcome = ${outcome} where journey_id = ${paidOut.journeyId} and action = 'confirm'`
  await answerConfirm('NACK 30000')
  assert.match((await exported(paidOut, bureauFlow)).errorOutput, /is missing: confirm/, 'the lender refused it')
  await answerConfirm('ACK')
  const other = await exported(paidOut, bureauFlow, '--lender', 'unknown.sandbox.example')
  assert.match(other.errorOutput, /no messages of unknown.sandbox.example/)
  const absent = await command.runFailing('network', 'export', 'x', '--flow', bureauFlow, '--out', '/nowhere/x')
  assert.equal(absent.code, 1)
  assert.equal(absent.errorOutput, 'lendloom: journey x does not exist')
})

test(`${page}: an export with --force needs no registry, and says that it checked no signature`, async () => {
  const file = join(directory, 'alone.json')
  const away = commandLine({ ...env, NETWORK_REGISTRY_URL: 'http://127.0.0.1:1/registry' })
  const args = ['network', 'export', paidOut.journeyId, '--flow', bureauFlow, '--out', file]
  const { errorOutput: refused } = await away.runFailing(...args)
  assert.match(refused, /not evidence of this flow:\nthe signatures were not checked: the registry did not answer/)
  assert.equal(existsSync(file), false)
  const { code, text } = await away.run(...args, '--force')
  assert.equal(code, 1)
  assert.equal(existsSync(file), true)
  assert.match(text, /faults: 1\nthe signatures were not checked/)
})

test('FIS12 §12: the command shows the messages, checks them, and names violations', async () => {
  const { journeyId } = paidOut
  const options = { check: true, bodies: false, reveal: false, refused: false }
  const checked = () => transcript.run({ args: [journeyId], options, json: true, env })
  const { text, data } = (await checked()) as { text: string; data: Record<string, unknown>[] }
  assert.match(text, /every rule and invariant kept/)
  for (const each of data) {
    for (const name of ['at', 'direction', 'party', 'action', 'body']) assert.ok(each[name], name)
    assert.equal('headers' in each, false)
  }
  const revealed = { ...options, check: false, bodies: true, reveal: true }
  const whole = await transcript.run({ args: [journeyId], options: revealed, json: true, env })
  for (const each of whole!.data as Record<string, unknown>[]) assert.ok(each.headers)
  await db`delete from network_message where journey_id = ${journeyId} and action = 'on_status'`
  await assert.rejects(checked, (error) => {
    assert.ok(error instanceof CannotRun)
    assert.match(error.message, /init .*answers KYC before the lender reported its success \(FIS12 §12\.4\.4\)/)
    return true
  })
  const { code, messages, errorOutput } = await exported(paidOut, bureauFlow)
  assert.equal(code, 1)
  assert.equal(messages, null)
  assert.match(errorOutput, /init .*answers KYC before/)
})

test('FIS12 §11.2: a disbursal that the lender does not report is found by a status request', async () => {
  const journey = await sanctioned('ABCPE9014F')
  const conversation = await reached(journey, 'CONFIRMED')
  await db.tx((tx) => requestLoanStatus({ ...programs, tx, at: programs.clock() }, conversation))
  await reached(journey, 'DISBURSED')
  const { transcript: messages, faults } = await judged(journey)
  assert.deepEqual(faults, [])
  const actions = messages.filter(({ party }) => party === chosen).map(({ action }) => action)
  assert.deepEqual(actions.slice(actions.indexOf('on_confirm')), ['on_confirm', 'status', 'on_status'])
})

test('FIS12 §3.1: a NACK to select, §3.2: an error instead of an offer', async () => {
  const turned = await begin('ABCPE9004F')
  assert.equal((await platform.waitForInbound(turned, 'nacked')).error.code, '30000')
  const failed = await begin('ABCPE9005F')
  for (;;) {
    const { sender, error } = await platform.waitForInbound(failed, 'on_select')
    if (sender.bppId !== chosen) continue
    assert.equal(error!.code, '80203')
    break
  }
})

test('FIS12 §3.3: an offer after its ttl is late, and the loan continues nevertheless', async (t) => {
  const { NETWORK_CALL_TTL } = programs.config
  t.after(() => Object.assign(programs.config, { NETWORK_CALL_TTL }))
  // The lender answers two seconds after the ttl. Any other answer that takes longer on a busy machine is asked for again.
  Object.assign(programs.config, { NETWORK_CALL_TTL: 'PT4S' })
  const journey = await begin('ABCPE9003F')
  await reached(journey, 'FINAL_TERMS')
  const { transcript } = await judged(journey)
  const selects = transcript.filter(({ action, party }) => action === 'select' && party === chosen)
  assert.ok(selects.length >= 3, 'the silent lender was asked again')
})

test('FIS12 §7.7: a declined page is handled as declined', async () => {
  const journey = await begin('ABCPE1234F')
  await finishPage(await reached(journey, 'FINAL_TERMS'), 'decline')
  const { move, order } = await platform.waitForInbound(journey, 'on_status')
  assert.equal(move, 'pageFailed')
  assert.equal(order!.formResponse!.outcome, 'failure')
})
