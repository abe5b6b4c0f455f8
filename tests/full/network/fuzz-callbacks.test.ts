// Malformed, repeated, late and out-of-order callbacks: the platform refuses or allows each, and no journey gets stuck.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Borrower, call, type Plan, readView } from '#test/setup/borrower.ts'
import { agreeToTerms } from '#test/setup/draw-from-line.ts'
import { actionsWithoutFlow, FaultCoverage, kindsOf, kindsOfFlow } from '#test/setup/message-kinds.ts'
import { enterHostedPage, handOverToHostedPage, preferBankDataOffer } from '#test/setup/official-borrower.ts'
import type { Talk } from '#test/setup/official-lender/talk.ts'
import { startOfficialPrograms } from '#test/setup/official-programs.ts'
import { until } from '#test/setup/programs.ts'
import { fileComplaint, repayLoan, runToEnd } from '#test/setup/standstill.ts'
import { faultsOfAnswers, WrongCallbacks } from '#test/setup/wrong-callbacks.ts'

/** FUZZ_ROUNDS makes the test longer, FUZZ_SEED selects other faults. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 1)
const seed = Number(process.env.FUZZ_SEED ?? 8)
const isLong = rounds > 1
const patience = { isPatient: isLong }
const callSeconds = isLong ? 5 : 8
/** Flows in which short runs also delay callbacks, which is slow. */
const flowsWithDelay = ['personal-loan-missed-instalment', 'mutual-funds-statement']

const coverage = new FaultCoverage()
const faultsByTransaction = new Map<string, WrongCallbacks>()

const programs = await startOfficialPrograms(
  {
    NETWORK_DOMAINS: 'ONDC:FIS12,ONDC:FIS12:SL',
    // A long run has short timeouts, so that they expire; in the suite they are long enough for a busy machine.
    ...(isLong
      ? { NETWORK_SEARCH_TTL: 'PT4S', NETWORK_CALL_TTL: `PT${callSeconds}S`, OFFER_WINDOW_SECONDS: '8' }
      : { NETWORK_SEARCH_TTL: 'PT10S', NETWORK_CALL_TTL: `PT${callSeconds}S`, OFFER_WINDOW_SECONDS: '30' }),
  },
  async (talk, envelope, send) => {
    const wrongCallbacks = faultsByTransaction.get(talk.transactionId) ?? (await faultsFor(talk))
    return wrongCallbacks.injectFaults(talk, envelope, send)
  },
)

/** Creates the faults for a conversation, whose flow and round are in the borrower's identifier; of a drawdown as of its line. */
async function faultsFor({ transactionId, line }: Talk): Promise<WrongCallbacks> {
  const [row] = await programs.db<{ externalId: string }>`
    select b.external_id from journey j join borrower b using (bucket, tenant_id, borrower_id)
    where j.network_transaction_id = ${line?.transactionId ?? transactionId}`
  const [flowId, round] = row!.externalId.split('--')
  const areAllInjected = Number(round) % 2 === 0 || Number(round) >= rounds
  const isDelayed = isLong || flowsWithDelay.includes(flowId!)
  const plan = {
    seed: `${seed} ${flowId} ${round}`,
    ...(isLong ? { tries: 4, repeatProbability: 1 } : { tries: 1, repeatProbability: 0.2 }),
    injectionProbability: areAllInjected ? 1 : 0.2,
    delayMs: isDelayed ? callSeconds * 1000 + 500 : null,
  }
  const wrongCallbacks = new WrongCallbacks(plan, coverage)
  faultsByTransaction.set(transactionId, wrongCallbacks)
  return wrongCallbacks
}

interface FlowRun {
  plan?: Plan
  afterDisbursal?: (borrower: Borrower) => Promise<void>
  /** Runs once a credit line is open. */
  afterOpening?: (borrower: Borrower) => Promise<void>
}

/** Draws from an open line until the lender has paid, refused, or stated terms that are over. */
async function drawToEnd(borrower: Borrower): Promise<void> {
  await call(borrower, 'POST', '/drawdowns', { amount: '25000' })
  await until('the end of the drawdown', async () => {
    const [newest] = (await readView(borrower)).drawdowns
    if (newest?.status === 'TERMS_READY' && newest.terms?.isOver === false) await agreeToTerms(borrower, newest)
    return newest?.status === 'PAID_OUT' || newest?.status === 'FAILED' || newest?.terms?.isOver
  })
}

const flows: Record<string, FlowRun> = {
  'personal-loan-several-offers': { plan: preferBankDataOffer },
  'personal-loan-offline': {},
  'personal-loan-offline-online': {},
  'personal-loan-missed-instalment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'missed-emi-payment', patience),
  },
  'personal-loan-cancelled': {},
  'personal-loan-cancelled-by-status': {},
  'gold-loan-several-offers': { plan: preferBankDataOffer },
  'gold-loan-grievance': { afterDisbursal: (borrower) => fileComplaint(programs, borrower, patience) },
  'gold-loan-foreclosure': { afterDisbursal: (borrower) => repayLoan(programs, borrower, 'foreclosure', patience) },
  'personal-loan-one-page': {},
  'gold-loan-offline-page': {},
  'mutual-funds-statement': {},
  'mutual-funds-one-page': {},
  'mutual-funds-one-page-foreclosure': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'foreclosure', patience),
  },
  'credit-line-one-page': {},
  'credit-line-drawdown': { afterOpening: drawToEnd },
  'credit-line-consent': {},
  'credit-line-offline': {},
}
/** Flows that add no kind of message, for long runs only. */
const longRunFlows: Record<string, FlowRun> = {
  'personal-loan-consent-monitoring': {},
  'personal-loan-bureau-monitoring': {},
  'personal-loan-consent': {},
  'personal-loan-bureau': {},
  'personal-loan-cancelled-by-state': {},
  'personal-loan-foreclosure': { afterDisbursal: (borrower) => repayLoan(programs, borrower, 'foreclosure', patience) },
  'personal-loan-part-payment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'pre-part-payment', patience),
  },
  'gold-loan-bureau': {},
  'gold-loan-consent': {},
  'gold-loan-part-payment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'pre-part-payment', patience),
  },
  'gold-loan-missed-instalment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'missed-emi-payment', patience),
  },
  'mutual-funds-registrar': {},
  'credit-line-one-page-part-payment': {
    afterOpening: (borrower) => repayLoan(programs, borrower, 'pre-part-payment', patience),
  },
  'credit-line-one-page-foreclosure': {
    afterOpening: (borrower) => repayLoan(programs, borrower, 'foreclosure', patience),
  },
  'mutual-funds-one-page-part-payment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'pre-part-payment', patience),
  },
  'mutual-funds-one-page-missed-instalment': {
    afterDisbursal: (borrower) => repayLoan(programs, borrower, 'missed-emi-payment', patience),
  },
}

async function runFlow(
  id: string,
  flowId: string,
  { plan = {}, afterDisbursal, afterOpening }: FlowRun,
): Promise<string> {
  const isGold = flowId.startsWith('gold')
  const borrower = /^(mutual|credit-line)/.test(flowId)
    ? await handOverToHostedPage(programs, id, 'lamf', 'or none')
    : await enterHostedPage(programs, id, isGold ? 'GOLD_LOAN' : 'PERSONAL_LOAN')
  if (!borrower) return 'no offer'
  const end = await runToEnd(programs, borrower, plan, patience)
  if (borrower.view.screen === 'DISBURSED') await afterDisbursal?.(borrower)
  if (borrower.view.screen === 'LINE_OPEN') await afterOpening?.(borrower)
  return `${borrower.view.screen}, ${end}`
}

async function fuzzFlow(flowId: string, flowRun: FlowRun, round: number): Promise<void> {
  const id = `${flowId}--${round}`
  const startedAt = Date.now()
  const outcome = await runFlow(id, flowId, flowRun).catch((error: Error) => error)
  const [row] = await programs.db<{ journeyId: string; transactionId: string }>`
    select j.journey_id, j.network_transaction_id as transaction_id from journey j join borrower b using (bucket, tenant_id, borrower_id)
    where b.external_id like ${`${id}--%`}`
  const { journeyId, transactionId } = row!
  const talk = programs.lender.talks.get(transactionId)
  const talks = [...programs.lender.talks.values()].filter((each) => each === talk || each.line === talk)
  const sent = talks.flatMap((each) => faultsByTransaction.get(each.transactionId)?.sent ?? [])
  const answers = sent.map(
    ({ name, answer }) => `${name}: ${answer.status} ${JSON.stringify(answer.body?.error ?? '')}`,
  )
  const transcript = talks
    .flatMap(({ messages }) => messages)
    .map(({ direction, action }) => `${direction === 'sent' ? '<' : '>'}${action}`)
    .join(' ')
  const inbound = await programs.db<{ type: string; note: string | null }>`
    select type, note from inbound_message where journey_id = ${journeyId} order by number`
  const effects = inbound.map(({ type, note }) => `${type}${note ? ` (${note})` : ''}`).join(', ')
  const report = () =>
    `${id}: ${journeyId}\n${answers.join('\n')}\n${transcript}\n${effects}\n${talks.flatMap(({ faults }) => faults).join('\n')}\n${outcome}`
  if (process.env.FUZZ_TELL) console.log(Date.now() - startedAt, report())
  assert.equal(typeof outcome, 'string', `the journey is stuck. ${report()}`)
  assert.deepEqual(faultsOfAnswers(sent, '20006'), [], report())
  assert.deepEqual(
    await programs.faultsOfSentMessages(journeyId),
    [],
    `the platform's messages are invalid. ${report()}`,
  )
}

describe('FIS12 §3: every kind of wrong callback, one story', () => {
  describe('FIS12 §3: wrong callbacks', { concurrency: 8 }, () => {
    for (let round = 0; round < rounds; round++)
      for (const [flowId, flowRun] of Object.entries({ ...flows, ...(isLong && longRunFlows) }))
        test(`${flowId}, round ${round}`, () => fuzzFlow(flowId, flowRun, round))
  })

  test('FIS12 §3: every kind of callback was sent with every fault', async () => {
    assert.deepEqual(actionsWithoutFlow(), [])
    // A fault may end a journey before its later messages, so missing combinations run again with another seed.
    for (let round = rounds; round < rounds + 4; round += 2) {
      const incomplete = Object.entries(flows).filter(
        ([id]) => coverage.missing(kindsOfFlow(id, 'callbacks')).length > 0,
      )
      await Promise.all(incomplete.map(([flowId, flowRun]) => fuzzFlow(flowId, flowRun, round)))
    }
    assert.deepEqual(coverage.missing(kindsOf('callbacks')), [])
  })
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
