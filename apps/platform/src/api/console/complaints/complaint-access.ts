// Finds the complaint of a console call and checks read access. A complaint of another tenant counts as absent.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Static } from '@lendloom/foundation/schema'
import { startOfDay } from '@lendloom/http/day-parameter'
import type { Auth } from '@lendloom/http/server'
import { type ComplaintStatus, complaintStatuses } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintExportQuery } from '@lendloom/wire/console/complaints'
import { type ComplaintKey, isPending } from '#platform/complaints/complaint/complaint.ts'
import { parseComplaintNumber } from '#platform/complaints/complaint/complaint-number.ts'
import type { QueueFilter } from '#platform/complaints/complaint/queue/store.ts'
import { findKeyById } from '#platform/complaints/complaint/store.ts'
import { noSuchComplaint } from '#platform/complaints/complaint/thread.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOf } from '#platform/people/person.ts'

export const mayReadComplaints = ({ tenantId, role }: Pick<ConsolePerson, 'tenantId' | 'role'>): boolean =>
  tenantId === null || role === 'support' || role === 'admin'

/** Permits all platform staff, and the support staff and admins of a tenant. */
export const readers: Auth<Context, ConsolePerson> = {
  ...inConsole(),
  async check(arrival, ctx) {
    const person = await inConsole().check(arrival, ctx)
    if (!mayReadComplaints(person))
      throw new Refusal('forbidden', `requires the role support or admin; yours is ${person.role}`)
    return person
  },
}

/** The tenant to read. Platform staff who select no tenant read all tenants: null. */
export const scopeOf = (who: ConsolePerson, tenantId: string | undefined): string | null =>
  who.tenantId === null && tenantId === undefined ? null : tenantOf(who, tenantId)

interface ComplaintRequest {
  who: ConsolePerson
  params: { complaintId: string }
  query: { tenantId?: string | undefined }
}

/** Throws `absent` for an unknown complaint or a complaint of another tenant. */
export async function requireComplaintKey(
  { db }: Pick<Context, 'db'>,
  { who, params, query }: ComplaintRequest,
): Promise<ComplaintKey> {
  const key = await findKeyById(db, params.complaintId, scopeOf(who, query.tenantId))
  if (!key) throw noSuchComplaint()
  return key
}

type FilterQuery = Static<typeof ComplaintExportQuery>

/** PENDING and DONE stand for several statuses. */
function statusesIn(state: NonNullable<FilterQuery['state']>): ComplaintStatus[] {
  if (state !== 'PENDING' && state !== 'DONE') return [state]
  return complaintStatuses.filter((status) => isPending({ status }) === (state === 'PENDING'))
}

/** Parses the query of a list or export; days are Indian days. */
export function filterOf(who: ConsolePerson, query: FilterQuery, at: Date): QueueFilter {
  const { state, due, assignee } = query
  const assigneeId = assignee === 'me' ? who.personId : (assignee ?? null)
  return {
    tenantId: scopeOf(who, query.tenantId),
    statuses: state === undefined ? null : statusesIn(state),
    dueBefore: due === undefined ? null : dueBefore(due, at),
    assigneeId: assignee === 'none' ? null : assigneeId,
    isUnassigned: assignee === 'none',
    isUnmatched: query.matched === 'no',
    isEscalated: query.escalated === 'yes',
    hasUnreadMessage: query.replied === 'yes',
    category: query.category ?? null,
    route: query.route ?? null,
    lender: query.lender ?? null,
    journeyId: query.journeyId ?? null,
    // Text that is not a complaint number matches no complaint.
    number: query.number === undefined ? null : (parseComplaintNumber(query.number) ?? query.number),
    from: query.from === undefined ? null : startOfDay('from', query.from),
    until: query.to === undefined ? null : daysAfter(startOfDay('to', query.to), 1),
  }
}

/** Returns now, the end of today in India, or a week from now. */
function dueBefore(due: 'overdue' | 'today' | 'week', at: Date): Date {
  if (due === 'overdue') return at
  if (due === 'week') return new Date(at.getTime() + 7 * 86_400_000)
  const indiaOffsetMs = 5.5 * 3_600_000
  return new Date(Math.floor((at.getTime() + indiaOffsetMs) / 86_400_000 + 1) * 86_400_000 - indiaOffsetMs)
}
