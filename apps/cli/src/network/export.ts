// `lendloom network export`: writes the messages of a journey in the form of the network's certification judge.

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { fits } from '@lendloom/foundation/schema'
import { contractOf } from '@lendloom/lending/product/products'
import { findJourney } from '@lendloom/platform/operations/journeys'
import { type TranscriptMessage, tenantOfJourney, transcriptOf } from '@lendloom/platform/operations/network'
import { noteStaffAct } from '@lendloom/platform/operations/staff'
import { Acknowledgement, ack, type Dialect, dialectIn } from '@lendloom/wire/network/context'
import {
  exportableFlowIds,
  missingActionIn,
  type OfficialFlow,
  officialFlowsOf,
  paymentLabelOf,
} from '@lendloom/wire/network/flow-actions'
import { isDrawdownRequest } from '@lendloom/wire/network/v230/schema'
import { CannotRun, type CommandCall, command, requireArgument, requireOption } from '#cli/command.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockOf } from '#cli/installation.ts'
import { intoNewFile } from '#cli/out-file.ts'
import { type FoundFaults, findFaults } from './find-faults.ts'

const options = {
  flow: { type: 'string', value: 'official id', about: 'the flow of the journey: see lendloom network flows' },
  lender: { type: 'string', value: 'subscriberId', about: 'the lender (default: the one whose messages fit best)' },
  out: { type: 'string', value: 'file', about: 'new file for the messages, readable by you alone' },
  force: { type: 'boolean', about: 'write the file also if the check finds a fault; the exit code stays 1' },
} as const

const notice = 'The file has personal data of the borrower, unmasked, because the judge of the network needs it.'

export const exportCommand = command({
  name: 'network export',
  summary: 'write the messages of a journey for the certification of the network, with a check; the audit log has it',
  usage: '<journeyID> --flow <official id> --out <file> [--lender <subscriberId>] [--force]',
  options,
  async run({ args, options: { force = false, ...named }, env }: CommandCall<typeof options>) {
    const journeyId = requireArgument(args, 'the journey id')
    const flowId = requireOption(named.flow, 'flow')
    const file = requireOption(named.out, 'out')
    const candidates = officialFlowsOf(flowId)
    if (candidates.length === 0)
      throw new CannotRun(
        [`the platform does not support a flow "${flowId}"; it supports:`, ...exportableFlowIds].join('\n'),
      )
    const { tenantId, product, messages } = await readJourney(env, journeyId)
    const { lender, selected, official } = selectLender(messages, candidates, named.lender)
    const { faults: broken, deviations } = await ruleFaults(selected, env)
    const faults = [...flowFaults(official, product, selected), ...broken]
    if (faults.length > 0 && !force)
      throw new CannotRun(['the journey is not evidence of this flow:', ...faults, ...deviations].join('\n'))
    const detail = { flow: flowId, lender, messages: selected.length, faults: faults.length }
    const act = { act: 'NETWORK_MESSAGES_EXPORTED', tenantId, subject: journeyId, detail }
    await intoNewFile(
      file,
      () => withDatabase('platform', env, (db) => db.tx((tx) => noteStaffAct({ tx, at: clockOf(env)() }, null, act))),
      () => `${JSON.stringify(selected.map(toEvidence), null, 2)}\n`,
    )
    return {
      text: [
        `${file}: ${selected.length} messages with ${lender}; faults: ${faults.length}`,
        ...faults,
        ...deviations,
      ].join('\n'),
      data: { file, flow: flowId, lender, messages: selected.length, faults, deviations },
      exitCode: faults.length > 0 ? 1 : 0,
      notice,
    }
  },
})

/** Reads the messages of a journey. Throws `CannotRun` if some are archived. */
async function readJourney(env: NodeJS.ProcessEnv, journeyId: string) {
  return withDatabase('platform', env, async (db) => {
    const tenantId = await tenantOfJourney(db, journeyId)
    const journey = tenantId && (await findJourney(db, tenantId, journeyId))
    if (!tenantId || !journey) throw new CannotRun(`journey ${journeyId} does not exist`)
    const messages = await transcriptOf({ db, seal: sealOf(env) }, tenantId, journeyId)
    if (messages.some(({ isArchived }) => isArchived))
      throw new CannotRun('messages of this journey are in the archive, so that the file would lack them')
    return { tenantId, product: contractOf(journey.type).name, messages }
  })
}

const contextOf = ({ body }: TranscriptMessage) => fieldsOf(fieldsOf(jsonIn(body)).context)
const messageIdOf = (message: TranscriptMessage): unknown => contextOf(message).message_id
const lenderOf = (message: TranscriptMessage): unknown => contextOf(message).bpp_id
const transactionOf = (message: TranscriptMessage): unknown => contextOf(message).transaction_id
/** The version that the lender chose with its catalogue; without one, that of the search. */
function versionOf(selected: TranscriptMessage[]): Dialect | undefined {
  const message = selected.find((each) => lenderOf(each) !== undefined) ?? selected[0]
  return message && dialectIn(jsonIn(message.body))
}

/** Whether the receiver refused the message, or it carries an error in place of its content (FIS12 §3.1, §3.2). */
const isRefused = ({ body, outcome }: TranscriptMessage): boolean =>
  /^NACK\b/.test(outcome ?? '') || fieldsOf(jsonIn(body)).error !== undefined

/** The actions that took effect: a refused message does not prove its step. */
const actionsIn = (messages: TranscriptMessage[]): string[] =>
  messages.filter((each) => !isRefused(each)).map(({ action }) => action)

/** A drawdown from a credit line has a transaction of its own, which starts without a search (FIS12 §27.5). */
const startsDrawdown = ({ action, body }: TranscriptMessage): boolean =>
  action === 'init' && isDrawdownRequest(fieldsOf(jsonIn(body)).message)

/** The messages of the loan, and those of each drawdown, each of which is a flow by itself. */
function transactionsIn(messages: TranscriptMessage[]): TranscriptMessage[][] {
  const drawdowns = new Set(messages.filter(startsDrawdown).map(transactionOf))
  const ofLoan = messages.filter((each) => !drawdowns.has(transactionOf(each)))
  return [ofLoan, ...[...drawdowns].map((id) => messages.filter((each) => transactionOf(each) === id))]
}

/**
 * Selects the messages of one lender in one transaction, with the broadcast search, because the judge knows no other lender.
 * Of several drawdowns, the first whole one counts.
 */
function selectLender(messages: TranscriptMessage[], candidates: OfficialFlow[], chosen: string | undefined) {
  const selections = transactionsIn(messages).flatMap((transaction) => {
    const lenders = new Set(transaction.map(lenderOf).filter((id) => typeof id === 'string'))
    const ids = chosen === undefined ? [...lenders] : [...lenders].filter((id) => id === chosen)
    return ids.map((lender) => {
      const selected = transaction.filter((each) => [undefined, lender].some((id) => id === lenderOf(each)))
      const { official, fit } = bestFlow(candidates, selected)
      return { lender, selected, official, fit }
    })
  })
  const [best] = selections.sort((a, b) => b.fit - a.fit)
  if (!best) throw new CannotRun(`the journey has no messages of ${chosen ?? 'a lender'}`)
  // Each version of the network has its own search. Only that which the lender answered is kept.
  const isBroadcast = (each: TranscriptMessage) => lenderOf(each) === undefined
  const answered = best.selected.filter((each) => !isBroadcast(each)).map(messageIdOf)
  const search = best.selected.find((each) => isBroadcast(each) && answered.includes(messageIdOf(each)))
  const version = search ? dialectIn(jsonIn(search.body)) : versionOf(best.selected)
  const isHeard = (each: TranscriptMessage) => !isBroadcast(each) || dialectIn(jsonIn(each.body)) === version
  return { ...best, selected: best.selected.filter(isHeard) }
}

/** The flow that the messages follow furthest, of those in their version; of any version if there is none in it. */
function bestFlow(candidates: OfficialFlow[], selected: TranscriptMessage[]): { official: OfficialFlow; fit: number } {
  const version = versionOf(selected)
  const inVersion = candidates.filter(({ flow }) => flow.version === version)
  const [best] = (inVersion.length > 0 ? inVersion : candidates)
    .map((official) => {
      const missing = missingActionIn(actionsIn(selected), official.actions)
      const fit = missing === -1 ? Infinity : missing
      // A loan also has the actions of a drawdown, but does not start with them.
      return { official, fit: startsWith(official, selected) ? fit : -1 }
    })
    .sort((a, b) => b.fit - a.fit)
  return required(best, 'a flow with the official id')
}

const startsWith = ({ actions: [first] }: OfficialFlow, [start]: TranscriptMessage[]): boolean =>
  first === start?.action

/** Returns why the messages do not prove the flow. */
function flowFaults(official: OfficialFlow, product: string, selected: TranscriptMessage[]): string[] {
  const { flow, actions } = official
  const missing = missingActionIn(actionsIn(selected), actions)
  const dialect = versionOf(selected)
  const label = paymentLabelOf(flow)
  const isRequest = ({ action, body }: TranscriptMessage) => action === 'update' && body.includes(`"${label}"`)
  return [
    ...(label === undefined || selected.some(isRequest) ? [] : [`no update requests the payment ${label}`]),
    ...kindFaults(official, selected),
    ...(product === flow.product ? [] : [`the flow is of a ${flow.product}, the journey of a ${product}`]),
    ...(dialect === flow.version ? [] : [`the flow is one of ${flow.version}, the messages are of ${dialect}`]),
    ...(missing !== -1 || startsWith(official, selected)
      ? []
      : [`the messages start with ${selected[0]?.action}; the flow is ${actions.join(' ')}`]),
    ...(missing === -1
      ? []
      : [
          `action ${missing + 1} of ${actions.length} is missing: ${actions[missing]}; the flow is ${actions.join(' ')}`,
        ]),
  ]
}

/** What tells flows of one product apart beside their actions: a credit line, the check of a borrower, and a complaint. */
function kindFaults({ flow, actions }: OfficialFlow, selected: TranscriptMessage[]): string[] {
  const { id, twin = id } = flow
  const hasLine = selected.some(isOfLine)
  const needsLine = twin.startsWith('credit-line')
  const hasCheck = selected.some(({ action, body }) => action === 'select' && body.includes('"DEDUPE"'))
  const hasComplaint = actionsIn(selected).includes('issue')
  return [
    ...(flow.version !== '2.3.0' || hasLine === needsLine || actions[0] === 'init'
      ? []
      : [`the flow is of a ${needsLine ? 'credit line' : 'term loan'}, the messages are not`]),
    ...(twin !== 'personal-loan-dedupe' || hasCheck ? [] : ['no select asks whether the lender takes the borrower']),
    ...(hasComplaint && !actions.includes('issue') ? ['the flow has no complaint, the messages have one'] : []),
  ]
}

/** A line's quote states what is drawn. */
const isOfLine = ({ body }: TranscriptMessage): boolean => body.includes('"CURRENT_UTILIZATION"')

/** Converts a message to an entry of the file, with the answer to it. A received message counts as answered with an ACK. */
function toEvidence({ at, direction, action, body, answer }: TranscriptMessage) {
  const { context, ...content } = fieldsOf(jsonIn(body))
  const { transaction_id, message_id } = fieldsOf(context)
  const answered = answer && jsonIn(answer.body)
  const theirAnswer = fits(Acknowledgement, answered) ? answered : null
  return {
    request: { context, ...content },
    response: direction === 'received' ? ack : theirAnswer,
    action,
    transaction_id,
    message_id,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
}

/** Faults by the rules of the network; a registry that does not answer is one, so that `--force` writes the file. */
const ruleFaults = async (messages: TranscriptMessage[], env: NodeJS.ProcessEnv): Promise<FoundFaults> => {
  try {
    return await findFaults(messages, env)
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'upstream')) throw error
    return { faults: [`the signatures were not checked: ${error.message}`], deviations: [] }
  }
}
