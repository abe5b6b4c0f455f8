// Which kinds of message there are to send wrong: every action of every family of flows that the platform speaks, from the tables of the code.
import { networkFlows } from '#contract/network/flows.ts'
import { igmActions, isIgmAction } from '#contract/network/igm/actions.ts'
import { actions } from '#contract/network/sequence.ts'
import { type Sort, sorts } from './mutations.ts'
import { flowNamed } from './official-lender/flows.ts'

/** What sets a flow apart from the plain one of its product: up to the confirmation, and after it. Each flow has its line. */
const particulars: Record<string, { before: string; after: string }> = {
  'personal-loan-consent-monitoring': { before: '', after: 'monitoring' },
  'personal-loan-bureau-monitoring': { before: '', after: 'monitoring' },
  'personal-loan-consent': { before: '', after: '' },
  'personal-loan-bureau': { before: '', after: '' },
  'personal-loan-foreclosure': { before: '', after: 'servicing' },
  'personal-loan-part-payment': { before: '', after: 'servicing' },
  'personal-loan-missed-instalment': { before: '', after: 'servicing' },
  'personal-loan-several-offers': { before: 'several offers', after: 'monitoring' },
  'personal-loan-offline': { before: 'offline', after: '' },
  'personal-loan-offline-online': { before: 'offline then online', after: '' },
  'personal-loan-cancelled': { before: '', after: 'cancelled' },
  'gold-loan-bureau': { before: '', after: '' },
  'gold-loan-consent': { before: '', after: '' },
  'gold-loan-foreclosure': { before: '', after: 'servicing' },
  'gold-loan-part-payment': { before: '', after: 'servicing' },
  'gold-loan-missed-instalment': { before: '', after: 'servicing' },
  'gold-loan-several-offers': { before: 'several offers', after: '' },
  'gold-loan-grievance': { before: '', after: '' },
  'gold-loan-grievance-question': { before: '', after: '' },
  'gold-loan-grievance-escalation': { before: '', after: '' },
  'mutual-funds-statement': { before: '', after: '' },
  'mutual-funds-registrar': { before: '', after: '' },
  'credit-line-consent': { before: 'line', after: '' },
  'credit-line-offline': { before: 'line, offline', after: '' },
}

/** `personal loan, servicing: on_update`. A flow that is new has no family yet: its line is to be added, and its messages sent wrong. */
export function kindOf(flowId: string, action: string, isConfirmed: boolean): string {
  const flow = networkFlows.find(({ id }) => id === flowId)
  const own = particulars[flowId]
  if (!flow || !own) throw new Error(`nobody says what is particular about the flow ${flowId}`)
  if (isIgmAction(action)) return `complaint: ${action}`
  const particular = isConfirmed ? own.after : own.before
  return `${flow.product}${particular && `, ${particular}`}: ${action}`
}

type Direction = 'requests' | 'callbacks'

/** The kinds of one direction that occur in a flow. What a lender need not be asked is left out. */
export function kindsOfFlow(flowId: string, direction: Direction): string[] {
  const { steps } = flowNamed(flowId)
  const confirmed = steps.findIndex((step) => 'on' in step && step.on === 'confirm')
  const kinds = steps.flatMap((step, place) => {
    if ('on' in step && step.optional) return []
    const actions = 'push' in step ? [step.push] : [step.on, `on_${step.on}`]
    return actions.filter(isOf(direction)).map((action) => kindOf(flowId, action, place > confirmed))
  })
  return [...new Set(kinds)]
}

const isOf = (direction: Direction) => (action: string) => action.startsWith('on_') === (direction === 'callbacks')

/** All kinds of one direction: of every flow that is spoken, and of complaints, some of which no official flow has. */
export function kindsOf(direction: Direction): string[] {
  const spoken = networkFlows.filter((flow) => flow.spoken === 'yes')
  const inFlows = spoken.flatMap(({ id }) => kindsOfFlow(id, direction))
  const ofComplaints = igmActions.filter(isOf(direction)).map((action) => `complaint: ${action}`)
  return [...new Set([...inFlows, ...ofComplaints])].sort()
}

/** The actions that no flow has: none, or the flows miss a message. */
export const actionsWithoutFlow = (): string[] => {
  const all = [...kindsOf('requests'), ...kindsOf('callbacks')].map((kind) => kind.split(': ')[1])
  return [...actions, ...igmActions].filter((action) => !all.includes(action))
}

/** What was sent wrong, by kind and sort. */
export class FaultCoverage {
  private readonly all = new Set<string>()

  note(kind: string, sort: Sort): void {
    this.all.add(`${kind}, ${sort}`)
  }

  /** What of the kinds was never sent wrong. */
  missing(kinds: readonly string[]): string[] {
    return kinds.flatMap((kind) => sorts.map((sort) => `${kind}, ${sort}`).filter((each) => !this.all.has(each)))
  }
}
