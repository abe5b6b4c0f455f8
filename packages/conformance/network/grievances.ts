// Rules over all grievance messages about one loan, besides each message's own rules (FIS12 §20).
import type { Fault, MessageContext } from '#contract/network/context.ts'
import { type IgmAction, type IgmRequest, igmCallbackOf, isIgmRequest } from '#contract/network/igm/actions.ts'
import { igmRulesOf } from '#contract/network/igm/rules.ts'
import { igmBodyFaults, type igmSchemas } from '#contract/network/igm/schema.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { type TranscriptMessage, timeFaults, type ValidMessage } from './transcript.ts'

type IgmMessage = TranscriptMessage<IgmAction>
type Sound = ValidMessage<typeof igmSchemas>

const section = 'FIS12 §20'
const fault = ({ path }: IgmMessage, field: string, message: string, by = section): Fault => ({
  path: field === '' ? path : `${path}.${field}`,
  message,
  section: by,
})

/** Finds nothing when all is well. Grievances follow the loan: `loan` are its messages, in wire order as these are. */
export function grievanceFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  if (messages.length === 0) return []
  const sound = messages.filter(isSound)
  return [
    ...messages.flatMap(messageFaults),
    ...identityFaults(messages, loan),
    ...timesOf(messages, loan),
    ...sound.filter(({ refused }) => !refused).flatMap((each) => placeFaults(each, loan)),
    ...[...Map.groupBy(sound, issueIdIn).values()].flatMap(listFaults),
  ]
}

const isError = ({ message, error }: IgmMessage): boolean => error !== undefined && message === undefined

const shapeFaults = ({ action, context, message }: IgmMessage): FieldError[] =>
  igmBodyFaults(action, { context, message })

const isSound = (message: IgmMessage): message is Sound => !isError(message) && shapeFaults(message).length === 0

/** An error callback has no message for the rules to look at (FIS12 §12.3). */
function messageFaults(received: IgmMessage): Fault[] {
  const { action, context, message, error, path } = received
  if (!isError(received))
    return igmRulesOf(action, message).map((each) => ({ ...each, path: each.path.replace('$', path) }))
  return igmBodyFaults(action, { context, error }).map((each) => fault(received, each.path, each.message, 'FIS12 §3.2'))
}

/** One transaction and its parties; every callback under the id of its request, unless it is an `on_issue_status` unasked. */
function identityFaults(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const [first] = loan
  const requests = new Map<string, IgmRequest>()
  const used = new Set(loan.map(({ context }) => context.message_id))
  return messages.flatMap((each) => {
    const { action, context } = each
    const found = constantFaults(each, first?.context)
    const id = context.message_id
    const say = (message: string) => found.push(fault(each, 'context.message_id', message, 'FIS12 §12.4.1'))
    if (isIgmRequest(action)) {
      if (used.has(id)) say('was used before')
      requests.set(id, action)
      used.add(id)
      return found
    }
    const request = requests.get(id)
    if (request ? igmCallbackOf(request) !== action : used.has(id) || action === 'on_issue')
      say(request ? `is that of ${request}` : 'answers no request')
    return found
  })
}

function constantFaults(message: IgmMessage, first: MessageContext | undefined): Fault[] {
  if (!first) return [fault(message, '', 'there is no loan to complain of', 'FIS12 §4.1')]
  return (['transaction_id', 'bap_id', 'version'] as const).flatMap((field) =>
    message.context[field] === first[field]
      ? []
      : [fault(message, `context.${field}`, `is ${message.context[field]}, was ${first[field]}`, 'FIS12 §12.4.1')],
  )
}

const numberOf = ({ path }: { path: string }): number => Number(/^#(\d+)/.exec(path)?.[1])

/** Each message is later than its sender's previous one, about the loan or a grievance. */
function timesOf(messages: readonly IgmMessage[], loan: readonly TranscriptMessage[]): Fault[] {
  const paths = messages.map(({ path }) => path)
  return [...new Set(messages.map(({ context }) => context.bpp_id))].flatMap((bppId) => {
    const with_ = ({ context }: { context: MessageContext }) => context.bpp_id === bppId
    const all = [...messages.filter(with_), ...loan.filter(with_)].sort((a, b) => numberOf(a) - numberOf(b))
    return timeFaults(all).filter(({ path }) => paths.some((own) => path.startsWith(`${own}.`)))
  })
}

/** FIS12 §4.1: `issue` is allowed after the lender's `on_confirm`; its answers follow it. */
function placeFaults(message: IgmMessage, loan: readonly TranscriptMessage[]): Fault[] {
  const isPlaced = loan.some(
    (each) =>
      each.action === 'on_confirm' &&
      each.context.bpp_id === message.context.bpp_id &&
      each.error === undefined &&
      numberOf(each) < numberOf(message),
  )
  return isPlaced ? [] : [fault(message, '', 'may not come before on_confirm', 'FIS12 §4.1')]
}

/** A grievance, as either side states it. */
interface Issue {
  id: string
  created_at: string
  order_details?: { id: string }
  issue_actions: Partial<Record<`${'complainant' | 'respondent'}_actions`, Record<string, unknown>[]>>
}

const issueIn = (sound: Sound): Issue | null => (sound.action === 'issue_status' ? null : sound.message.issue)

const issueIdIn = (sound: Sound): string =>
  sound.action === 'issue_status' ? sound.message.issue_id : sound.message.issue.id

/** What holds for one grievance: it begins with `issue`, keeps its birth and its loan, and its lists only grow. */
function listFaults(of: Sound[]): Fault[] {
  const [first] = of
  if (!first) return []
  const found = first.action === 'issue' ? [] : [fault(first, '', 'is about a grievance that was not raised')]
  const begun = issueIn(first)
  const lists = new Map<string, string[]>()
  for (const sound of of) {
    const issue = issueIn(sound)
    if (!issue) continue
    if (begun && new Date(issue.created_at).getTime() !== new Date(begun.created_at).getTime())
      found.push(fault(sound, 'message.issue.created_at', `is ${issue.created_at}, was ${begun.created_at}`))
    if (begun?.order_details && issue.order_details && issue.order_details.id !== begun.order_details.id)
      found.push(fault(sound, 'message.issue.order_details.id', 'is that of another loan'))
    for (const [name, list] of Object.entries(issue.issue_actions)) {
      const now = list.map((action) => `${action[name.slice(0, -1)]} ${action.updated_at}`)
      if ((lists.get(name) ?? []).some((each, i) => now[i] !== each))
        found.push(fault(sound, `message.issue.issue_actions.${name}`, 'leaves out or changes earlier entries'))
      lists.set(name, now)
    }
  }
  return found
}
