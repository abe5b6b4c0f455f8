// The actions of the flows with an official id in order, for the check of a journey that is handed in as evidence.
import { ownValue } from '@lendloom/foundation/record'
import { type NetworkFlow, networkFlows } from './flows.ts'

const personal = (selects: number, after: string): string =>
  `search ${'select '.repeat(selects)}+on_status init init +on_status init +on_status confirm ${after}`
const offlinePersonal = `search ${'select '.repeat(3)}+on_status init confirm status`
const gold = (selects: number, after = ''): string =>
  `search ${'select '.repeat(selects)}+on_status status init confirm ${after}`
const mutualFunds = `search search select init ${'+on_status init '.repeat(4)}confirm +on_update`

/** A loan that is paid out before `confirm` (FIS12 §26). The last reports tell its five instalments, or its repayment. */
const withHelp = (selects: number, after: string): string =>
  `search ${'select '.repeat(selects)}+on_status status +on_status confirm ${after}`
const onOnePage = (after: string): string => `search select ${'+on_status '.repeat(4)}confirm ${after}`
const fiveInstalments = '+on_status '.repeat(5)
const complaint = 'issue +on_issue_status +issue'
const askedComplaint = 'issue issue_status +on_issue_status +issue'

/** A loan against mutual funds whose order the lender places unasked (FIS12 §27). */
const onFundPage = (after = ''): string => `search search select ${'+on_status '.repeat(4)}select +on_confirm ${after}`

/** Requests stand for themselves and their callback. A message with `+` has no other half. */
const steps: Record<string, string> = {
  'personal-loan-consent-monitoring': personal(3, '+on_update update'),
  'personal-loan-consent': personal(3, '+on_status'),
  'personal-loan-bureau': personal(2, '+on_status'),
  'personal-loan-foreclosure': personal(2, '+on_status update +on_update'),
  'personal-loan-part-payment': personal(2, '+on_status update'),
  'personal-loan-missed-instalment': personal(2, '+on_status update +on_update'),
  'personal-loan-several-offers': personal(4, '+on_update update'),
  'personal-loan-offline': offlinePersonal,
  'personal-loan-offline-online': offlinePersonal,
  'gold-loan-bureau': gold(2),
  'gold-loan-consent': gold(3),
  'gold-loan-foreclosure': gold(2, 'update +on_update'),
  'gold-loan-part-payment': gold(2, 'update +on_update'),
  'gold-loan-missed-instalment': gold(2, 'update +on_update'),
  'gold-loan-several-offers': gold(4),
  'gold-loan-grievance': gold(2, complaint),
  'personal-loan-one-page': onOnePage(fiveInstalments),
  'personal-loan-one-page-foreclosure': onOnePage('update +on_update'),
  'personal-loan-one-page-part-payment': onOnePage('update +on_update'),
  'personal-loan-one-page-missed-instalment': onOnePage('update +on_update'),
  'personal-loan-one-page-grievance': onOnePage(`${fiveInstalments}${askedComplaint}`),
  'personal-loan-offline-page': withHelp(1, fiveInstalments),
  'personal-loan-offline-page-foreclosure': withHelp(1, 'update +on_update'),
  'personal-loan-offline-page-part-payment': withHelp(1, 'update +on_update'),
  'personal-loan-offline-page-missed-instalment': withHelp(1, 'update +on_update'),
  'personal-loan-offline-page-grievance': withHelp(1, `${fiveInstalments}${askedComplaint}`),
  'personal-loan-dedupe': 'search select',
  'gold-loan-offline-page': withHelp(2, '+on_status'),
  'gold-loan-offline-page-grievance': withHelp(2, `+on_status ${askedComplaint}`),
  'mutual-funds-statement': mutualFunds,
  'mutual-funds-registrar': mutualFunds,
  'credit-line-consent': `search search search select init ${'+on_status init '.repeat(4)}confirm`,
  'credit-line-one-page': onFundPage(),
  'credit-line-one-page-grievance': onFundPage(askedComplaint),
  'credit-line-one-page-part-payment': onFundPage('update +on_update'),
  'credit-line-one-page-foreclosure': onFundPage('update +on_update'),
  // In a transaction of its own, after that of the line (FIS12 §27.5).
  'credit-line-drawdown': 'init confirm +on_update +on_update',
  'mutual-funds-one-page': onFundPage('+on_update'),
  'mutual-funds-one-page-foreclosure': onFundPage('+on_update update +on_update'),
  'mutual-funds-one-page-part-payment': onFundPage('+on_update update +on_update'),
  'mutual-funds-one-page-missed-instalment': onFundPage('+on_update update +on_update'),
  'credit-line-offline': 'search search select init +on_status init confirm',
}

const stepsOf = ({ id, twin = id }: NetworkFlow): string | undefined => ownValue(steps, twin)
const isPlayed = (flow: NetworkFlow): boolean => flow.spoken === 'yes' && stepsOf(flow) !== undefined

const labels = {
  foreclosure: 'FORECLOSURE',
  'part-payment': 'PRE_PART_PAYMENT',
  'missed-instalment': 'MISSED_EMI_PAYMENT',
} as const

/** The label of the payment that a flow requests, which tells flows with the same actions apart; undefined without one. */
export const paymentLabelOf = ({ id, twin = id }: NetworkFlow): string | undefined =>
  Object.entries(labels).find(([name]) => twin.endsWith(name))?.[1]

export const exportableFlowIds: readonly string[] = [
  ...new Set(networkFlows.filter(isPlayed).flatMap(({ official }) => official)),
].sort()

export interface OfficialFlow {
  flow: NetworkFlow
  actions: readonly string[]
}

/** The flows with this official id: one of each version, but the network has published two of 2.0.3 under one id. */
export const officialFlowsOf = (officialId: string): OfficialFlow[] =>
  networkFlows
    .filter((each) => isPlayed(each) && each.official.includes(officialId))
    .map((flow) => ({ flow, actions: actionsOf(flow, officialId) }))

/** In 2.0.1, the request after a page follows without a report of the page (FIS12 §24). */
function actionsOf(flow: NetworkFlow, officialId: string): string[] {
  const { id, twin = id, official } = flow
  // Of two official ids, the one with an account aggregator has one more `select`, for the consent.
  const isOneOfTwo = official.length > 1 && officialId.includes('_With_Account_Aggregator')
  const hasConsent = isOneOfTwo || id.startsWith(`${twin}-consent-`)
  const text = stepsOf(flow)?.replace('select', hasConsent ? 'select select' : 'select') ?? ''
  const published = flow.version === '2.0.1' ? text.replaceAll(/\+on_status (?=init|confirm)/g, '') : text
  return published
    .trim()
    .split(' ')
    .flatMap((step) => (step.startsWith('+') ? [step.slice(1)] : [step, `on_${step}`]))
}

/** Returns the index of the first action that the list lacks in this order; -1 if it has them all. */
export function missingActionIn(actions: readonly string[], expected: readonly string[]): number {
  let from = 0
  return expected.findIndex((action) => {
    const at = actions.indexOf(action, from)
    from = at + 1
    return at === -1
  })
}
