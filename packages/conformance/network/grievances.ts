// Checks the grievance messages about one loan: the rules of each message, and the rules across messages (FIS12 §20).

import { fieldsOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import type { Fault, MessageContext } from '@lendloom/wire/network/context'
import { type IgmAction, type IgmRequest, igmCallbackOf, isIgmRequest } from '@lendloom/wire/network/igm/actions'
import { igmBodyFaults, igmMessageFaults, igmVersionOf, issueIdIn } from '@lendloom/wire/network/igm/codec'
import { isOurs } from '@lendloom/wire/network/igm/v200/schema'
import { valueAt } from '@lendloom/wire/network/rule-combinators'
import type { ExtraAction } from '@lendloom/wire/network/sequence'
import { type TranscriptMessage, timeFaults } from './transcript.ts'

type IgmMessage = TranscriptMessage<IgmAction>
type AsideMessage = TranscriptMessage<IgmAction | ExtraAction>

const section = 'FIS12 §20'
const fault = ({ path }: AsideMessage, field: string, message: string, rule = section): Fault => ({
  path: field === '' ? path : `${path}.${field}`,
  message,
  section: rule,
})

/** Returns the faults of grievance messages; `loan` are the messages of their loan, both in wire order. */
export function grievanceFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  if (messages.length === 0) return []
  const accepted = messages.filter((each) => isValid(each) && !each.isRejected)
  return [
    ...messages.flatMap(messageFaults),
    ...identityFaults(messages, loan),
    ...sendTimeFaults(messages, loan),
    ...accepted.flatMap((each) => orderFaults(each, loan)),
    ...[...Map.groupBy(accepted, ({ message }) => issueIdIn(message)).values()].flatMap(listFaults),
  ]
}

const isError = ({ message, error }: IgmMessage): boolean => error !== undefined && message === undefined

const shapeFaults = ({ action, context, message }: IgmMessage): FieldError[] =>
  igmBodyFaults(action, { context, message }, context.version)

const isValid = (message: IgmMessage): boolean => !isError(message) && shapeFaults(message).length === 0

/** An error callback has no message to check (FIS12 §12.3). */
function messageFaults(received: IgmMessage): Fault[] {
  const { action, context, message, error, path } = received
  if (!isError(received))
    return igmMessageFaults(action, message).map((each) => ({ ...each, path: each.path.replace('$', path) }))
  return igmBodyFaults(action, { context, error }, context.version).map((each) =>
    fault(received, each.path, each.message, 'FIS12 §3.2'),
  )
}

/** Checks transaction, parties and ids: a callback has its request's id, except an unsolicited one. */
function identityFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const requests = new Map<string, IgmRequest>()
  const usedIds = new Set(loan.map(({ context }) => context.message_id))
  return messages.flatMap((each) => {
    const { action, context } = each
    // Searches in other versions than the lender's are part of the transcript.
    const first = loan.find((other) => other.context.bpp_id === context.bpp_id) ?? loan[0]
    const found = constantFaults(each, first?.context)
    const id = context.message_id
    const addFault = (message: string) => found.push(fault(each, 'context.message_id', message, 'FIS12 §12.4.1'))
    if (isIgmRequest(action)) {
      if (usedIds.has(id)) addFault('was used before')
      requests.set(id, action)
      usedIds.add(id)
      return found
    }
    const request = requests.get(id)
    if (request ? igmCallbackOf(request) !== action : usedIds.has(id))
      addFault(request ? `belongs to a request ${request}` : 'answers no request')
    return found
  })
}

export function constantFaults(message: AsideMessage, first: MessageContext | undefined): Fault[] {
  if (!first) return [fault(message, '', 'there is no loan', 'FIS12 §4.1')]
  return (['transaction_id', 'bap_id', 'version'] as const).flatMap((field) =>
    message.context[field] === first[field]
      ? []
      : [fault(message, `context.${field}`, `is ${message.context[field]}, was ${first[field]}`, 'FIS12 §12.4.1')],
  )
}

const numberOf = ({ path }: { path: string }): number => Number(/^#(\d+)/.exec(path)?.[1])

/** Checks that each message is later than its sender's previous one, about the loan or a grievance. */
export function sendTimeFaults(messages: readonly AsideMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const paths = messages.map(({ path }) => path)
  return [...new Set(messages.map(({ context }) => context.bpp_id))].flatMap((bppId) => {
    const isOfLender = ({ context }: { context: MessageContext }) => context.bpp_id === bppId
    const all = [...messages.filter(isOfLender), ...loan.filter(isOfLender)].sort((a, b) => numberOf(a) - numberOf(b))
    return timeFaults(all).filter(({ path }) => paths.some((own) => path.startsWith(`${own}.`)))
  })
}

/** Such messages are allowed only after the lender's `on_confirm` (FIS12 §4.1). */
export function orderFaults(message: AsideMessage, loan: readonly TranscriptMessage[]): Fault[] {
  const isConfirmed = loan.some(
    (each) =>
      each.action === 'on_confirm' &&
      each.context.bpp_id === message.context.bpp_id &&
      each.error === undefined &&
      numberOf(each) < numberOf(message),
  )
  return isConfirmed ? [] : [fault(message, '', 'may not come before on_confirm', 'FIS12 §4.1')]
}

/** What later messages about a grievance must repeat: its actions are those of the message's sender. */
interface Issue {
  createdAt: string
  orderId: unknown
  actions: string[]
}

const itemsAt = (value: unknown, ...names: string[]): Record<string, unknown>[] => {
  const list = valueAt(value, ...names)
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

function issueIn({ action, message }: IgmMessage): Issue | null {
  const { issue } = fieldsOf(message)
  const side = action === 'issue' ? 'complainant' : 'respondent'
  if (action === 'issue_status') return null
  const createdAt = String(fieldsOf(issue).created_at)
  if (igmVersionOf(message) === '1.0.0') {
    const list = itemsAt(issue, 'issue_actions', `${side}_actions`)
    const actions = list.map((each) => `${each[`${side}_action`]} ${each.updated_at}`)
    return { createdAt, orderId: valueAt(issue, 'order_details', 'id'), actions }
  }
  const ofSender = itemsAt(issue, 'actions').filter(
    ({ action_by }) => isOurs({ action_by: String(action_by) }) === (side === 'complainant'),
  )
  return {
    createdAt,
    orderId: itemsAt(issue, 'refs').find(({ ref_type }) => ref_type === 'ORDER')?.ref_id,
    actions: ofSender.map(({ id, updated_at }) => `${id} ${updated_at}`),
  }
}

/** Checks one grievance: it begins with `issue`, keeps version, creation time and loan, and only appends actions. */
function listFaults(messages: IgmMessage[]): Fault[] {
  const [first] = messages
  if (!first) return []
  const found = first.action === 'issue' ? [] : [fault(first, '', 'is about a grievance that was not raised')]
  const opened = issueIn(first)
  const lists = new Map<string, string[]>()
  for (const message of messages) {
    const issue = issueIn(message)
    if (!issue) continue
    const version = igmVersionOf(message.message)
    if (version !== igmVersionOf(first.message))
      found.push(fault(message, 'message.issue', `is in IGM ${version}, unlike the grievance`))
    if (opened && new Date(issue.createdAt).getTime() !== new Date(opened.createdAt).getTime())
      found.push(fault(message, 'message.issue.created_at', `is ${issue.createdAt}, was ${opened.createdAt}`))
    if (opened?.orderId && issue.orderId && issue.orderId !== opened.orderId)
      found.push(fault(message, 'message.issue', 'is about the order of another loan'))
    const sender = message.action === 'issue' ? 'complainant' : 'respondent'
    if ((lists.get(sender) ?? []).some((each, i) => issue.actions[i] !== each))
      found.push(fault(message, 'message.issue', `leaves out or changes earlier actions of the ${sender}`))
    lists.set(sender, issue.actions)
  }
  return found
}
