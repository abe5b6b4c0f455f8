// The agents of cases as a page showed them: an assignment from an outdated page is refused.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { agentsOf } from '#partner/desk/arrears/collections-store.ts'
import { lastActors } from '#partner/desk/audit/store.ts'
import { agentChange } from './arrears-text-en.ts'

/** The value of a tick box: the case with the agent that the page showed. */
export const assignmentValue = ({ caseRef, agentId }: { caseRef: string; agentId: string | null }): string =>
  `${agentId ?? ''}:${caseRef}`

/** Reads the ticked cases with the agents that the page showed; an empty text for no agent. */
export const seenAgentsIn = (form: URLSearchParams): Map<string, string> =>
  new Map(
    form.getAll('case').map((value) => {
      const [agentId = '', ...rest] = value.split(':')
      return [rest.join(':'), agentId]
    }),
  )

/** Throws `wrong-state` if the agent of a ticked case has changed since, and says by whom. */
export async function requireSeenAgents(tx: Run, caseRefs: string[], form: URLSearchParams): Promise<void> {
  const seen = seenAgentsIn(form)
  const changed = (await agentsOf(tx, caseRefs)).filter(({ caseRef, agentId }) => seen.get(caseRef) !== (agentId ?? ''))
  if (changed.length === 0) return
  const actors = await lastActors(
    tx,
    'AGENT_ASSIGNED',
    changed.map(({ caseRef }) => caseRef),
  )
  const changes = changed.map((each) => ({
    loanId: each.loanId,
    change: agentChange(each.agent, actors.find(({ caseRef }) => caseRef === each.caseRef)?.name),
  }))
  const texts = [...new Set(changes.map(({ change }) => change))].map((text) =>
    loansText(
      text,
      changes.filter(({ change }) => change === text),
    ),
  )
  throw new Refusal('wrong-state', `no case was assigned. ${texts.join('. ')}`, { field: 'case' })
}

/** Says something about the loans; null without loans. */
export const loansText = (text: string, loans: { loanId: string }[]): string | null =>
  loans.length === 0
    ? null
    : `${loans.length === 1 ? 'Loan' : 'Loans'} ${loans.map(({ loanId }) => loanId).join(', ')}: ${text}`
