// Checks the grievance messages about one loan: the rules of each message, and the rules across messages (FIS12 §20).
import type { Fault, MessageContext } from '#contract/network/context.ts'
import { type IgmAction, type IgmRequest, igmCallbackOf, isIgmRequest } from '#contract/network/igm/actions.ts'
import { igmOutgoingFaults } from '#contract/network/igm/rules.ts'
import { igmBodyFaults, type igmSchemas } from '#contract/network/igm/schema.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { type TranscriptMessage, timeFaults, type ValidMessage } from './transcript.ts'

type IgmMessage = TranscriptMessage<IgmAction>
type ValidIgmMessage = ValidMessage<typeof igmSchemas>

const section = 'FIS12 §20'
const fault = ({ path }: IgmMessage, field: string, message: string, rule = section): Fault => ({
  path: field === '' ? path : `${path}.${field}`,
  message,
  section: rule,
})

/** Returns the faults of grievance messages; `loan` are the messages of their loan, both in wire order. */
export function grievanceFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  if (messages.length === 0) return []
  const valid = messages.filter(isValid)
  return [
    ...messages.flatMap(messageFaults),
    ...identityFaults(messages, loan),
    ...sendTimeFaults(messages, loan),
    ...valid.filter(({ isRejected }) => !isRejected).flatMap((each) => orderFaults(each, loan)),
    ...[...Map.groupBy(valid, issueIdIn).values()].flatMap(listFaults),
  ]
}

const isError = ({ message, error }: IgmMessage): boolean => error !== undefined && message === undefined

const shapeFaults = ({ action, context, message }: IgmMessage): FieldError[] =>
  igmBodyFaults(action, { context, message })

const isValid = (message: IgmMessage): message is ValidIgmMessage =>
  !isError(message) && shapeFaults(message).length === 0

/** An error callback has no message to check (FIS12 §12.3). */
function messageFaults(received: IgmMessage): Fault[] {
  const { action, context, message, error, path } = received
  if (!isError(received))
    return igmOutgoingFaults(action, message).map((each) => ({ ...each, path: each.path.replace('$', path) }))
  return igmBodyFaults(action, { context, error }).map((each) => fault(received, each.path, each.message, 'FIS12 §3.2'))
}

/** Checks transaction, parties and ids: a callback has its request's id, except an unsolicited `on_issue_status`. */
function identityFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const [first] = loan
  const requests = new Map<string, IgmRequest>()
  const usedIds = new Set(loan.map(({ context }) => context.message_id))
  return messages.flatMap((each) => {
    const { action, context } = each
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
    if (request ? igmCallbackOf(request) !== action : usedIds.has(id) || action === 'on_issue')
      addFault(request ? `belongs to a request ${request}` : 'answers no request')
    return found
  })
}

function constantFaults(message: IgmMessage, first: MessageContext | undefined): Fault[] {
  if (!first) return [fault(message, '', 'there is no loan to complain about', 'FIS12 §4.1')]
  return (['transaction_id', 'bap_id', 'version'] as const).flatMap((field) =>
    message.context[field] === first[field]
      ? []
      : [fault(message, `context.${field}`, `is ${message.context[field]}, was ${first[field]}`, 'FIS12 §12.4.1')],
  )
}

const numberOf = ({ path }: { path: string }): number => Number(/^#(\d+)/.exec(path)?.[1])

/** Checks that each message is later than its sender's previous one, about the loan or a grievance. */
function sendTimeFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const paths = messages.map(({ path }) => path)
  return [...new Set(messages.map(({ context }) => context.bpp_id))].flatMap((bppId) => {
    const isOfLender = ({ context }: { context: MessageContext }) => context.bpp_id === bppId
    const all = [...messages.filter(isOfLender), ...loan.filter(isOfLender)].sort((a, b) => numberOf(a) - numberOf(b))
    return timeFaults(all).filter(({ path }) => paths.some((own) => path.startsWith(`${own}.`)))
  })
}

/** Grievance messages are allowed only after the lender's `on_confirm` (FIS12 §4.1). */
function orderFaults(message: IgmMessage, loan: readonly TranscriptMessage[]): Fault[] {
  const isConfirmed = loan.some(
    (each) =>
      each.action === 'on_confirm' &&
      each.context.bpp_id === message.context.bpp_id &&
      each.error === undefined &&
      numberOf(each) < numberOf(message),
  )
  return isConfirmed ? [] : [fault(message, '', 'may not come before on_confirm', 'FIS12 §4.1')]
}

/** A grievance, as either side states it. */
interface Issue {
  id: string
  created_at: string
  order_details?: { id: string }
  issue_actions: Partial<Record<`${'complainant' | 'respondent'}_actions`, Record<string, unknown>[]>>
}

const issueIn = (received: ValidIgmMessage): Issue | null =>
  received.action === 'issue_status' ? null : received.message.issue

const issueIdIn = (received: ValidIgmMessage): string =>
  received.action === 'issue_status' ? received.message.issue_id : received.message.issue.id

/** Checks one grievance: it begins with `issue`, keeps its creation time and loan, and only appends to its lists. */
function listFaults(messages: ValidIgmMessage[]): Fault[] {
  const [first] = messages
  if (!first) return []
  const found = first.action === 'issue' ? [] : [fault(first, '', 'is about a grievance that was not raised')]
  const opened = issueIn(first)
  const lists = new Map<string, string[]>()
  for (const message of messages) {
    const issue = issueIn(message)
    if (!issue) continue
    if (opened && new Date(issue.created_at).getTime() !== new Date(opened.created_at).getTime())
      found.push(fault(message, 'message.issue.created_at', `is ${issue.created_at}, was ${opened.created_at}`))
    if (opened?.order_details && issue.order_details && issue.order_details.id !== opened.order_details.id)
      found.push(fault(message, 'message.issue.order_details.id', 'is that of another loan'))
    for (const [name, list] of Object.entries(issue.issue_actions)) {
      const entries = list.map((action) => `${action[name.slice(0, -1)]} ${action.updated_at}`)
      if ((lists.get(name) ?? []).some((each, i) => entries[i] !== each))
        found.push(fault(message, `message.issue.issue_actions.${name}`, 'leaves out or changes earlier entries'))
      lists.set(name, entries)
    }
  }
  return found
}
