// Plays the network's official flows against the platform with a lender that shares no code with the sandbox.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { reasonTexts } from '@lendloom/lending/reason/reason'
import { findEvents } from '@lendloom/platform/src/lending/journey/store.ts'
import type { PaymentKind } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { exportableFlowIds } from '@lendloom/wire/network/flow-actions'
import { networkFlows } from '@lendloom/wire/network/flows'
import { type Plan, readView, showsScreen } from '#test/setup/borrower.ts'
import { commandLine } from '#test/setup/command-line.ts'
import { drawFrom } from '#test/setup/draw-from-line.ts'
import { mustCall, waitForStatus } from '#test/setup/headless.ts'
import {
  enterHostedPage,
  handOverToHostedPage,
  makePayment,
  makePaymentHeadless,
  preferBankDataOffer,
  proceedWithConsents,
  runHeadlessJourney,
  showsDisbursed,
} from '#test/setup/official-borrower.ts'
import {
  complainAndAnswer,
  complainAndAsk,
  complainAndClose,
  complainAndEscalate,
} from '#test/setup/official-complaint.ts'
import { flowsByConsent } from '#test/setup/official-lender/flows.ts'
import type { Talk } from '#test/setup/official-lender/talk.ts'
import { startOfficialPrograms } from '#test/setup/official-programs.ts'
import { until } from '#test/setup/programs.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await startOfficialPrograms({
  NETWORK_DEDUPE_LENDERS: 'official.sandbox.example',
  NETWORK_DOMAINS: 'ONDC:FIS12,ONDC:FIS12:SL',
})

const operator = commandLine(programs.operatorEnv)
const directory = mkdtempSync(join(tmpdir(), 'lendloom-evidence-'))
after(() => rmSync(directory, { recursive: true }))
const exported = new Set<string>()
/** The journey of each played flow. */
const played = new Map<string, string>()

/** The official ids of a played flow; of a pair with and without account aggregator, the played one. */
function officialIdsOf(id: string): string[] {
  const { official } = networkFlows.find((flow) => [flow.id, `${flow.id}-consent`].includes(id))!
  const hasConsent = /-consent(-2|$)/.test(id)
  return official.filter((each) => official.length === 1 || each.includes('_With_Account') === hasConsent)
}

/** Exports the journey as evidence for each official id, which checks it; returns the deviations of the lender. */
async function exportAndCheck(journeyId: string, id: string): Promise<string[]> {
  const officialIds = officialIdsOf(id)
  const fileOf = (officialId: string) => join(directory, `${journeyId} ${officialId}`)
  const commands = officialIds.map((each) => ['export', '--flow', each, '--out', fileOf(each)])
  const deviations: string[] = []
  for (const [name, ...options] of commands.length > 0 ? commands : [['transcript', '--check']]) {
    const { code, text, errorOutput } = await operator.run('network', name!, journeyId, ...options)
    assert.equal(code, 0, errorOutput)
    deviations.push(...text.split('\n').filter((line) => line.includes("the lender's message deviates")))
  }
  for (const each of officialIds) {
    const evidence: { transaction_id: string }[] = JSON.parse(readFileSync(fileOf(each), 'utf8'))
    assert.equal(new Set(evidence.map((message) => message.transaction_id)).size, 1, 'one transaction')
    exported.add(each)
  }
  return deviations
}

/** Asserts that the flow completed, without faults found by the strict lender or by the checks of the command line. */
async function assertCompleted(journeyId: string): Promise<void> {
  const talk = await programs.talkOf(journeyId)
  const drawdowns = [...programs.lender.talks.values()].filter(({ line }) => line === talk)
  for (const each of [talk, ...drawdowns]) await assertTalkCompleted(journeyId, each)
}

async function assertTalkCompleted(journeyId: string, talk: Talk): Promise<void> {
  await until('the end of the flow', () => talk.isOver).catch((error: Error) => {
    const actions = talk.messages.map(({ direction, action }) => `${direction === 'sent' ? '<' : '>'}${action}`)
    throw new Error(
      `${error.message} at step ${talk.position} of ${talk.flow.steps.length}: ${actions.join(' ')} ${talk.faults}`,
    )
  })
  assert.deepEqual(talk.faults, [], 'violations found by the lender')
  const deviations = await exportAndCheck(journeyId, talk.flow.id)
  const unexpected = deviations.filter((text) => !(talk.flow.deviates && deviation.test(text)))
  assert.deepEqual(unexpected, [], 'deviations of the lender that are not published')
  assert.equal(deviations.length > 0, talk.flow.deviates === true, 'published deviations are shown')
}

/** What the command line says about a lender that deviates as published lenders do. */
const deviation =
  /on_\w+ \$\.message\.order\S* (names a provider \S+_ORDERS that was never issued|the quote states OTHER_UPFRONT_CHARGES twice|is \S+ but the item's price is \S+) /

interface FlowRun {
  /** The section of the flow in FIS12. */
  section: string
  play: (id: string) => Promise<{ journeyId: string }>
}

const runHosted = async (id: string, plan: Plan = {}) => {
  const borrower = await enterHostedPage(programs, id, id.startsWith('gold') ? 'GOLD_LOAN' : 'PERSONAL_LOAN')
  await proceedWithConsents(borrower, 'the money', showsDisbursed, plan)
  return borrower
}
const runHeadless = async (id: string) => {
  const borrower = await runHeadlessJourney(programs, id, id.startsWith('gold') ? 'GOLD_LOAN' : 'PERSONAL_LOAN')
  await waitForStatus(borrower, 'DISBURSED')
  return borrower
}
const runHandedOver = async (
  id: string,
  product: 'gold-loan' | 'lamf',
  done: (view: EmbedView) => boolean = showsDisbursed,
) => {
  const borrower = await handOverToHostedPage(programs, id, product)
  await proceedWithConsents(borrower, 'the end', done)
  return borrower
}
type Hosted = Awaited<ReturnType<typeof runHosted>>
const pay = async (borrower: Hosted, kind: PaymentKind, amount?: string) => {
  await makePayment(borrower, kind, amount)
  return borrower
}
const payPartHeadless = async (borrower: Awaited<ReturnType<typeof runHeadless>>) => {
  await makePaymentHeadless(borrower, 'pre-part-payment', { amount: '50000' })
  return borrower
}
const foreclose = async (borrower: Hosted) => {
  await pay(borrower, 'FORECLOSURE')
  await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
  return borrower
}

async function complainAboutLoan(id: string) {
  const borrower = await runHosted(id)
  await complainAndClose(borrower)
  return borrower
}

/** As the newest flows publish it: the platform asks for the status before the lender resolves the complaint. */
async function complainAndAskAboutLoan(id: string, run: (id: string) => ReturnType<typeof runHosted>) {
  const borrower = await run(id)
  await complainAndAsk(borrower, programs)
  return borrower
}

/** The lender with stops reports all instalments right after the payout. */
async function runToClosing(id: string) {
  const borrower = await enterHostedPage(programs, id, id.startsWith('gold') ? 'GOLD_LOAN' : 'PERSONAL_LOAN')
  await proceedWithConsents(borrower, 'the last instalment', showsScreen('CLOSED'))
  return borrower
}

/** The borrower's app reads the end of the loan, and receives its last event. */
const runCancelled = async (id: string) => {
  const borrower = await runHeadlessJourney(programs, id, 'PERSONAL_LOAN')
  await waitForStatus(borrower, 'REJECTED')
  const [journey] = await programs.db`select end_reason, active from journey where journey_id = ${borrower.journeyId}`
  assert.deepEqual({ ...journey }, { endReason: 'LOAN_CANCELLED', active: false })
  const events = await findEvents(programs.db, programs.tenant.tenantId, borrower.journeyId, 0)
  assert.equal(events.at(-1)!.status, 'REJECTED')
  return borrower
}

const flows: Record<string, FlowRun> = {
  'personal-loan-consent-monitoring': { section: '§8.1', play: (id) => runHosted(id) },
  'personal-loan-bureau-monitoring': { section: '§8.1', play: runHeadless },
  'personal-loan-consent': { section: '§8.1', play: runHeadless },
  'personal-loan-bureau': {
    section: '§7.4, §8.1, §18.1',
    async play(id) {
      const borrower = await runHosted(id)
      const { loan } = await programs.talkOf(borrower.journeyId)
      // The lender writes PT30D and PT15D, and repeats the row of the other charges.
      const [stored] = await programs.db`
        select terms->>'coolOffPeriod' as cool_off, terms->>'quoteTtl' as ttl, terms->>'otherUpfront' as other
        from offer where journey_id = ${borrower.journeyId}`
      assert.deepEqual({ ...stored }, { coolOff: 'P30D', ttl: 'P15D', other: String(loan.fees.other) })
      return borrower
    },
  },
  'personal-loan-foreclosure': {
    section: '§11.1, §18.3',
    play: async (id) => foreclose(await runHosted(id)),
  },
  'personal-loan-part-payment': {
    section: '§11.1, §18.3',
    play: async (id) => payPartHeadless(await runHeadless(id)),
  },
  'personal-loan-missed-instalment': {
    section: '§18.5',
    async play(id) {
      const borrower = await runHeadless(id)
      await mustCall(borrower, 'POST', `/journeys/${borrower.journeyId}/post-disbursal/status`)
      await makePaymentHeadless(borrower, 'missed-emi-payment')
      return borrower
    },
  },
  'personal-loan-several-offers': { section: '§19.1', play: (id) => runHosted(id, preferBankDataOffer) },
  'personal-loan-offline': { section: '§19.3', play: runHeadless },
  'personal-loan-offline-online': { section: '§19.3', play: (id) => runHosted(id) },
  'personal-loan-one-page': { section: '§26.2', play: runToClosing },
  'personal-loan-one-page-foreclosure': { section: '§26.5', play: async (id) => foreclose(await runHosted(id)) },
  'personal-loan-one-page-part-payment': {
    section: '§26.5',
    play: async (id) => payPartHeadless(await runHeadless(id)),
  },
  'personal-loan-one-page-missed-instalment': {
    section: '§26.5',
    play: async (id) => pay(await runHosted(id), 'MISSED_EMI_PAYMENT'),
  },
  'personal-loan-one-page-grievance': {
    section: '§20, §26.2',
    play: (id) => complainAndAskAboutLoan(id, runToClosing),
  },
  'personal-loan-offline-page': { section: '§26.2', play: runToClosing },
  'personal-loan-offline-page-foreclosure': { section: '§26.5', play: async (id) => foreclose(await runHosted(id)) },
  'personal-loan-offline-page-part-payment': {
    section: '§26.5',
    play: async (id) => pay(await runHosted(id), 'PRE_PART_PAYMENT', '2000'),
  },
  'personal-loan-offline-page-missed-instalment': {
    section: '§26.5',
    play: async (id) => pay(await runHosted(id), 'MISSED_EMI_PAYMENT'),
  },
  'personal-loan-offline-page-grievance': {
    section: '§20, §26.2',
    play: (id) => complainAndAskAboutLoan(id, runToClosing),
  },
  'personal-loan-dedupe': { section: '§26.3', play: (id) => runHosted(id) },
  'gold-loan-offline-page': { section: '§26.4', play: runToClosing },
  'gold-loan-offline-page-grievance': {
    section: '§20, §26.4',
    play: (id) => complainAndAskAboutLoan(id, runToClosing),
  },
  'personal-loan-cancelled': {
    section: '§11.3',
    async play(id) {
      const borrower = await enterHostedPage(programs, id, 'PERSONAL_LOAN')
      await proceedWithConsents(borrower, 'the cancellation', showsScreen('REJECTED'))
      assert.equal(inEnglish(borrower.view.endReason), reasonTexts.en.LOAN_CANCELLED)
      return borrower
    },
  },
  'personal-loan-cancelled-by-state': { section: '§11.3', play: runCancelled },
  'personal-loan-cancelled-by-status': { section: '§11.3', play: runCancelled },
  'gold-loan-bureau': { section: '§9.1', play: (id) => runHandedOver(id, 'gold-loan') },
  'gold-loan-consent': { section: '§9.1', play: (id) => runHosted(id) },
  'gold-loan-foreclosure': {
    section: '§18.1',
    play: async (id) => foreclose(await runHosted(id)),
  },
  'gold-loan-part-payment': {
    section: '§18.1',
    play: async (id) => pay(await runHosted(id), 'PRE_PART_PAYMENT', '2000'),
  },
  'gold-loan-missed-instalment': {
    section: '§18.1, §18.5',
    play: async (id) => pay(await runHosted(id), 'MISSED_EMI_PAYMENT'),
  },
  'gold-loan-several-offers': {
    section: '§19.2',
    play: (id) => runHosted(id, preferBankDataOffer),
  },
  'gold-loan-grievance': { section: '§20', play: (id) => complainAboutLoan(id) },
  'gold-loan-grievance-question': {
    section: '§20',
    async play(id) {
      const borrower = await runHosted(id)
      await complainAndAnswer(borrower)
      return borrower
    },
  },
  'gold-loan-grievance-escalation': {
    section: '§20',
    async play(id) {
      const borrower = await runHosted(id)
      await complainAndEscalate(borrower, programs)
      return borrower
    },
  },
  'mutual-funds-statement': {
    section: '§10.2',
    play: (id) => runHandedOver(id, 'lamf'),
  },
  'mutual-funds-registrar': {
    section: '§10.2',
    play: (id) => runHandedOver(id, 'lamf'),
  },
  'credit-line-consent': {
    section: '§17.3',
    play: (id) => runHandedOver(id, 'lamf', showsScreen('LINE_OPEN')),
  },
  'credit-line-offline': {
    section: '§17.4',
    play: (id) => runHandedOver(id, 'lamf', showsScreen('LINE_OPEN')),
  },
  'credit-line-one-page': {
    section: '§27.2',
    play: (id) => runHandedOver(id, 'lamf', showsScreen('LINE_OPEN')),
  },
  'credit-line-one-page-grievance': {
    section: '§20, §27.2',
    play: (id) => complainAndAskAboutLoan(id, (each) => runHandedOver(each, 'lamf', showsScreen('LINE_OPEN'))),
  },
  'credit-line-one-page-part-payment': {
    section: '§27.4',
    play: async (id) => pay(await runHandedOver(id, 'lamf', showsScreen('LINE_OPEN')), 'PRE_PART_PAYMENT', '10000'),
  },
  'credit-line-one-page-foreclosure': {
    section: '§27.4',
    play: async (id) => foreclose(await runHandedOver(id, 'lamf', showsScreen('LINE_OPEN'))),
  },
  'credit-line-drawdown': {
    section: '§27.5',
    async play(id) {
      const borrower = await runHandedOver(id, 'lamf', showsScreen('LINE_OPEN'))
      await drawFrom(borrower, '25000')
      await until('the drawn amount', async () => (await readView(borrower)).creditLine?.used === '25000.00')
      return borrower
    },
  },
  'mutual-funds-one-page': {
    section: '§27.2',
    play: (id) => runHandedOver(id, 'lamf'),
  },
  'mutual-funds-one-page-foreclosure': {
    section: '§27.4',
    play: async (id) => foreclose(await runHandedOver(id, 'lamf')),
  },
  'mutual-funds-one-page-part-payment': {
    section: '§27.4',
    play: async (id) => pay(await runHandedOver(id, 'lamf'), 'PRE_PART_PAYMENT', '2000'),
  },
  'mutual-funds-one-page-missed-instalment': {
    section: '§27.4',
    play: async (id) => pay(await runHandedOver(id, 'lamf'), 'MISSED_EMI_PAYMENT'),
  },
}

/** The flows of older versions, which the borrower of the flow in 2.0.3 plays. */
const olderFlows = networkFlows.filter(({ twin, spoken }) => twin !== undefined && spoken === 'yes')

test('FIS12 §8–§20: every flow that the platform supports is tested', () => {
  const supportedFlows = networkFlows.filter((flow) => flow.spoken === 'yes').map(({ id }) => id)
  assert.deepEqual([...Object.keys(flows), ...olderFlows.map(({ id }) => id)].sort(), supportedFlows.sort())
})

describe('FIS12 §8–§24: the official flows and their evidence, one story', () => {
  describe('official flows', { concurrency: 6 }, () => {
    for (const [id, { section, play }] of Object.entries(flows))
      test(`FIS12 ${section}: ${id}`, async () => {
        const { journeyId } = await play(id)
        await assertCompleted(journeyId)
        played.set(id, journeyId)
      })
    for (const { id } of flowsByConsent) {
      const { section, play } = flows[id.replace(/-consent$/, '')]!
      test(`FIS12 ${section}: ${id}`, async () => assertCompleted((await play(id)).journeyId))
    }
    for (const { id, twin } of olderFlows)
      test(`FIS12 §24: ${id}`, async () => {
        const { journeyId } = await flows[twin!]!.play(id)
        await assertCompleted(journeyId)
        const talk = await programs.talkOf(journeyId)
        const versions = new Set(talk.messages.map(({ context }) => context.version))
        assert.deepEqual([...versions], [talk.flow.version], 'every message is in the version of the lender')
      })
  })

  test('FIS12 §26.3: a lender that does not take the borrower gets no application', async () => {
    const borrower = await enterHostedPage(programs, 'personal-loan-dedupe-rejected', 'PERSONAL_LOAN')
    await proceedWithConsents(borrower, 'the end', showsScreen('NOT_OFFERED'))
    const talk = await programs.talkOf(borrower.journeyId)
    assert.deepEqual(
      talk.messages.map(({ action }) => action),
      ['search', 'on_search', 'select', 'on_select'],
    )
    assert.deepEqual(talk.faults, [])
  })

  const otherKinds = [
    { id: 'credit-line-one-page', as: 'credit-line-drawdown', fault: /action 1 of 6 is missing: init/ },
    { id: 'mutual-funds-one-page', as: 'credit-line-one-page', fault: /is of a credit line, the messages are not/ },
    { id: 'credit-line-one-page', as: 'mutual-funds-one-page', fault: /is of a term loan, the messages are not/ },
    { id: 'personal-loan-one-page', as: 'personal-loan-dedupe', fault: /no select asks whether the lender takes/ },
    {
      id: 'personal-loan-one-page-grievance',
      as: 'personal-loan-one-page',
      fault: /the flow has no complaint, the messages have one/,
    },
  ]
  for (const { id, as, fault } of otherKinds)
    test(`FIS12 §26, §27: a journey of ${id} is no evidence of ${as}`, async () => {
      const file = join(directory, `${id} as ${as}`)
      const [flow] = officialIdsOf(as)
      const operands = ['export', played.get(id)!, '--flow', flow!, '--out', file]
      const { code, errorOutput } = await operator.run('network', ...operands)
      assert.equal(code, 1)
      assert.match(errorOutput, fault)
      assert.ok(!existsSync(file))
    })

  test('FIS12 §8–§24: the evidence of every official flow was exported', () =>
    assert.deepEqual([...exported].sort(), exportableFlowIds))
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
