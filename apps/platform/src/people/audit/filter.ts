// Filters of the audit log: person, act, subject, and days in India.

import { daysAfter } from '@lendloom/foundation/clock'
import { startOfDay } from '@lendloom/http/day-parameter'

export interface AuditFilter {
  personId: string | null
  /** Selects only acts of the command line, which have no person. */
  isCommandLine: boolean
  act: string | null
  subject: string | null
  from: Date | null
  until: Date | null
}

const commandLineFilter = 'command-line'

interface AuditFilterInput {
  /** An id, or `command-line`. */
  person?: string | undefined
  act?: string | undefined
  subject?: string | undefined
  /** Days in India such as `2026-11-21`; both are inclusive. */
  from?: string | undefined
  until?: string | undefined
}

/** Throws `invalid` for an invalid day. */
export const auditFilter = ({ person, act, subject, from, until }: AuditFilterInput): AuditFilter => ({
  personId: person === undefined || person === commandLineFilter ? null : person,
  isCommandLine: person === commandLineFilter,
  act: act?.toUpperCase().replaceAll('-', '_') ?? null,
  subject: subject ?? null,
  from: from === undefined ? null : startOfDay('from', from),
  until: until === undefined ? null : daysAfter(startOfDay('until', until), 1),
})
