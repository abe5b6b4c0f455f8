// The kinds of messages to fuzz: every action of every flow family that the platform supports, from the code's own tables.
import { networkFlows } from '@lendloom/wire/network/flows'
import { igmActions, isIgmAction } from '@lendloom/wire/network/igm/actions'
import { actions } from '@lendloom/wire/network/sequence'
import { type FaultSort, faultSorts } from './mutations.ts'
import { flowNamed } from './official-lender/flows.ts'

/** How each flow differs from the plain flow of its product, before and after the confirmation. */
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
  'personal-loan-cancelled-by-state': { before: '', after: 'cancelled' },
  'personal-loan-cancelled-by-status': { before: '', after: 'cancelled' },
  'personal-loan-one-page': { before: 'one page', after: 'one page' },
  'personal-loan-one-page-foreclosure': { before: 'one page', after: 'servicing' },
  'personal-loan-one-page-part-payment': { before: 'one page', after: 'servicing' },
  'personal-loan-one-page-missed-instalment': { before: 'one page', after: 'servicing' },
  'personal-loan-one-page-grievance': { before: 'one page', after: 'one page' },
  'personal-loan-offline-page': { before: 'one page', after: 'one page' },
  'personal-loan-offline-page-foreclosure': { before: 'one page', after: 'servicing' },
  'personal-loan-offline-page-part-payment': { before: 'one page', after: 'servicing' },
  'personal-loan-offline-page-missed-instalment': { before: 'one page', after: 'servicing' },
  'personal-loan-offline-page-grievance': { before: 'one page', after: 'one page' },
  'personal-loan-dedupe': { before: 'one page', after: 'one page' },
  'gold-loan-bureau': { before: '', after: '' },
  'gold-loan-consent': { before: '', after: '' },
  'gold-loan-foreclosure': { before: '', after: 'servicing' },
  'gold-loan-part-payment': { before: '', after: 'servicing' },
  'gold-loan-missed-instalment': { before: '', after: 'servicing' },
  'gold-loan-several-offers': { before: 'several offers', after: '' },
  'gold-loan-grievance': { before: '', after: '' },
  'gold-loan-grievance-question': { before: '', after: '' },
  'gold-loan-grievance-escalation': { before: '', after: '' },
  'gold-loan-offline-page': { before: 'one page', after: 'one page' },
  'gold-loan-offline-page-grievance': { before: 'one page', after: 'one page' },
  'mutual-funds-statement': { before: '', after: '' },
  'mutual-funds-registrar': { before: '', after: '' },
  'mutual-funds-one-page': { before: 'one page', after: 'one page' },
  'mutual-funds-one-page-foreclosure': { before: 'one page', after: 'one page' },
  'mutual-funds-one-page-part-payment': { before: 'one page', after: 'one page' },
  'mutual-funds-one-page-missed-instalment': { before: 'one page', after: 'one page' },
  'credit-line-one-page': { before: 'one page', after: 'one page' },
  'credit-line-one-page-grievance': { before: 'one page', after: 'one page' },
  'credit-line-one-page-part-payment': { before: 'one page', after: 'one page' },
  'credit-line-one-page-foreclosure': { before: 'one page', after: 'one page' },
  'credit-line-drawdown': { before: 'one page, drawdown', after: 'one page, drawdown' },
  'credit-line-consent': { before: 'line', after: '' },
  'credit-line-offline': { before: 'line, offline', after: '' },
}

/** Returns a kind such as `personal loan, servicing: on_update`. Throws for a flow without a line in `particulars`. */
export function kindOf(flowId: string, action: string, isConfirmed: boolean): string {
  const flow = networkFlows.find(({ id }) => id === flowId)
  const flowParticulars = particulars[flow?.twin ?? flowId]
  if (!flow || !flowParticulars) throw new Error(`add the flow ${flowId} to particulars in message-kinds.ts`)
  if (isIgmAction(action)) return `complaint: ${action}`
  const particular = isConfirmed ? flowParticulars.after : flowParticulars.before
  return `${flow.product}${particular && `, ${particular}`}: ${action}`
}

type Direction = 'requests' | 'callbacks'

/** The kinds of one direction in a flow, without its optional steps. */
export function kindsOfFlow(flowId: string, direction: Direction): string[] {
  const { steps } = flowNamed(flowId)
  const confirmed = steps.findIndex((step) => ('on' in step ? step.on === 'confirm' : step.push === 'on_confirm'))
  const kinds = steps.flatMap((step, index) => {
    if ('on' in step && step.optional) return []
    const actions = 'push' in step ? [step.push] : [step.on, `on_${step.on}`]
    return actions.filter(hasDirection(direction)).map((action) => kindOf(flowId, action, index > confirmed))
  })
  return [...new Set(kinds)]
}

const hasDirection = (direction: Direction) => (action: string) =>
  action.startsWith('on_') === (direction === 'callbacks')

/** All kinds of one direction: of every supported flow, and of complaints, including those without an official flow. */
export function kindsOf(direction: Direction): string[] {
  const supported = networkFlows.filter((flow) => flow.spoken === 'yes')
  const inFlows = supported.flatMap(({ id }) => kindsOfFlow(id, direction))
  const ofComplaints = igmActions.filter(hasDirection(direction)).map((action) => `complaint: ${action}`)
  return [...new Set([...inFlows, ...ofComplaints])].sort()
}

/** Actions that no flow contains; must be empty. */
export const actionsWithoutFlow = (): string[] => {
  const all = [...kindsOf('requests'), ...kindsOf('callbacks')].map((kind) => kind.split(': ')[1])
  return [...actions, ...igmActions].filter((action) => !all.includes(action))
}

/** Records which faults were injected, by message kind and fault kind. */
export class FaultCoverage {
  private readonly all = new Set<string>()

  note(kind: string, sort: FaultSort): void {
    this.all.add(`${kind}, ${sort}`)
  }

  /** Returns the combinations of these kinds and faults that were never injected. */
  missing(kinds: readonly string[]): string[] {
    return kinds.flatMap((kind) => faultSorts.map((sort) => `${kind}, ${sort}`).filter((each) => !this.all.has(each)))
  }
}
