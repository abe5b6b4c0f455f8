// Why a person may not call the borrower of an overdue loan now.

import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import type { AgentNotice } from '#partner/servicing/collection/arrears/store.ts'
import { mayContact } from '#partner/servicing/collection/collection-calendar.ts'

export type CallObstacle = 'NOT_OVERDUE' | 'ROLE' | 'HOURS' | 'NOT_INTRODUCED'

/** What decides whether the borrower may be called. */
export interface Collected {
  account: { loanStatus: string } | null
  arrears: {
    policy: Parameters<typeof mayContact>[0]
    agentId: string | null | undefined
    notice: Pick<AgentNotice, 'state'> | null | undefined
  }
}

/** Null if the person may call. */
export function callObstacle({ account, arrears }: Collected, who: Staff, at: Date): CallObstacle | null {
  const { policy, agentId, notice } = arrears
  if (account?.loanStatus !== 'OVERDUE') return 'NOT_OVERDUE'
  if (!can(who, 'CONTACT_NOTED')) return 'ROLE'
  if (!mayContact(policy, at)) return 'HOURS'
  return agentId === who.staffId && notice?.state !== 'SENT' ? 'NOT_INTRODUCED' : null
}
