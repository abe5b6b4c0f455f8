// The audit log and failed sign-ins in the console, newest first.

import { Readable } from 'node:stream'
import { type CsvColumn, csvPages } from '@lendloom/documents/csv'
import { isUuid } from '@lendloom/foundation/uuid'
import { answer } from '@lendloom/http/server'
import { networkOf } from '@lendloom/http/sign-in-limit'
import type { AuditRow } from '@lendloom/identity/audit/store'
import { tenantKeyOf } from '@lendloom/identity/person'
import { type FailureRow, listFailures } from '@lendloom/identity/session/store'
import { failureDetail } from '@lendloom/identity/sign-in'
import type { Seal } from '@lendloom/seal/seal'
import {
  AuditActs,
  AuditActsQuery,
  AuditEntries,
  type AuditEntry,
  AuditFileQuery,
  AuditQuery,
  type SignInFailure,
  SignInFailures,
  SignInFailuresQuery,
} from '@lendloom/wire/console/staff'
import {
  badCursor,
  consoleCall,
  consolePrefix,
  type ListPage,
  pageById,
  pageOf,
  pageOfRows,
} from '#platform/api/console/console-route.ts'
import { type Context, route } from '#platform/context.ts'
import { auditFilter } from '#platform/people/audit/filter.ts'
import { detailsOf } from '#platform/people/audit/reason.ts'
import { listActs, listFiltered } from '#platform/people/audit/store.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { invitedNames } from '#platform/people/invitation.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { namesOf } from './staff-names.ts'
import { listIdentities } from './staff-store.ts'

const list = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/audit`,
  summary: 'Audit entries, newest first',
  auth: inConsole('admin', 'operator'),
  query: AuditQuery,
  reply: { 200: AuditEntries },
  async handle({ who, query }, { db, seal }): Promise<AuditEntries> {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    const page = pageOf(query)
    const rows = await listFiltered(db, tenantId, auditFilter(query), { before: cursorIn(page), limit: page.limit + 1 })
    const names = await namesIn(rows, tenantId, { db, seal })
    const details = await detailsOf({ db, seal }, tenantId, rows)
    return pageOfRows(rows, page, {
      item: (row) => entryWire(row, names, details),
      cursor: ({ sequence }) => String(sequence),
    })
  },
})

/** Acts are listed of this many of the newest entries, because a log can have millions. */
const entriesForActs = 20_000

const listEntryActs = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/audit/acts`,
  summary: 'The acts in the newest audit entries',
  auth: inConsole('admin', 'operator'),
  query: AuditActsQuery,
  reply: { 200: AuditActs },
  async handle({ who, query }, { db }): Promise<AuditActs> {
    const rows = await listActs(db, tenantKeyOf(tenantOrPlatform(who, query.tenantId)), entriesForActs)
    return { items: rows.map(({ act }) => act), next: null }
  },
})

const csvExport = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/audit/csv`,
  summary: 'Filtered audit entries as CSV, newest first',
  auth: inConsole('admin', 'operator'),
  query: AuditFileQuery,
  async handle({ who, query }, { db, seal }) {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    const filter = auditFilter(query)
    const readAfter = async (last: AuditRow | null) => {
      const rows = await listFiltered(db, tenantId, filter, { before: last?.sequence ?? null, limit: 500 })
      const names = await namesIn(rows, tenantId, { db, seal })
      const details = await detailsOf({ db, seal }, tenantId, rows)
      return rows.map((row) => ({
        ...row,
        detail: JSON.stringify({ ...JSON.parse(row.detail), ...details.get(row.sequence) }),
        person: row.personId === null ? 'command line' : names.get(row.personId),
      }))
    }
    return answer(200, Readable.from(csvPages(columns, readAfter)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    })
  },
})

const columns: CsvColumn<AuditRow & { person: string | undefined }>[] = [
  { head: 'number', of: (row) => row.sequence },
  { head: 'at', of: (row) => row.at },
  { head: 'person_id', of: (row) => row.personId },
  { head: 'person', of: (row) => row.person },
  { head: 'act', of: (row) => row.act },
  { head: 'subject', of: (row) => row.subject },
  { head: 'detail', of: (row) => (row.detail === '{}' ? '' : row.detail) },
  { head: 'digest', of: (row) => row.digest.toString('hex') },
]

async function namesIn(rows: AuditRow[], tenantId: string, ctx: Pick<Context, 'db' | 'seal'>) {
  const people = await listIdentities(ctx.db, tenantId, [...personIdsIn(rows), ...subjectsOf(rows, /^PERSON_/)])
  const invited = await invitedNames(ctx, tenantId, subjectsOf(rows, /^(PERSON_INVITED|INVITATION_)/))
  return new Map([...namesOf(ctx.seal, people), ...invited])
}

const subjectsOf = (rows: AuditRow[], acts: RegExp): string[] =>
  rows.flatMap(({ act, subject }) => (acts.test(act) && subject !== null && isUuid(subject) ? [subject] : []))

function cursorIn({ after }: ListPage): number | null {
  if (after === null) return null
  if (!/^\d{1,9}$/.test(after)) throw badCursor()
  return Number(after)
}

const personIdsIn = (rows: Pick<AuditRow | FailureRow, 'personId'>[]): string[] => [
  ...new Set(rows.flatMap(({ personId }) => (personId === null ? [] : [personId]))),
]

const entryWire = (
  row: AuditRow,
  names: Map<string, string>,
  details: Awaited<ReturnType<typeof detailsOf>>,
): AuditEntry => ({
  sequence: row.sequence,
  at: new Date(row.at).toISOString(),
  personId: row.personId,
  personName: names.get(row.personId ?? '') ?? null,
  act: row.act,
  subject: row.subject,
  subjectName: names.get(row.subject ?? '') ?? null,
  detail: details.get(row.sequence) ?? {},
  digest: row.digest.toString('hex'),
})

const listSignInFailures = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/sign-in-failures`,
  summary: 'Failed sign-ins, newest first',
  auth: inConsole('admin'),
  query: SignInFailuresQuery,
  reply: { 200: SignInFailures },
  async handle({ who, query }, { db, seal }): Promise<SignInFailures> {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    const page = pageById(query)
    const { outcome = null } = query
    const rows = await listFailures(db, tenantId, { ...page, limit: page.limit + 1, outcome })
    const names = namesOf(seal, await listIdentities(db, tenantId, personIdsIn(rows)))
    return pageOfRows(rows, page, {
      item: (row) => failureWire(seal, row, names),
      cursor: ({ failureId }) => failureId,
    })
  },
})

function failureWire(seal: Seal, row: FailureRow, names: Map<string, string>): SignInFailure {
  const { failureId, outcome, personId, at } = row
  const { email, address } = failureDetail(seal, row)
  const personName = names.get(personId ?? '') ?? null
  return { failureId, at: at.toISOString(), outcome, personId, personName, email, network: networkOf(address) }
}

export const auditRoutes = [list, listEntryActs, csvExport, listSignInFailures]
