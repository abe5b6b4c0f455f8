// `lendloom complaints show`, `export` and `report`: what is read of complaints, in words or as a file.

import { leastReasonLength } from '#contract/console/journey-lists.ts'
import { RevealReason } from '#contract/console/reveal-reason.ts'
import { isUuid } from '#kit/crypto/id.ts'
import type { Db, Run } from '#kit/db/sql.ts'
import { faults } from '#kit/http/schema.ts'
import { tenantIn } from '#kit/staff/person.ts'
import type { Place } from '#platform/complaint/complaint.ts'
import { reportCsv, threadCsv } from '#platform/complaint/export.ts'
import { numberIn } from '#platform/complaint/number.ts'
import { complaintReport, monthOf } from '#platform/complaint/report.ts'
import { placeById, placeByNumber } from '#platform/complaint/store.ts'
import { writtenComplaint } from '#platform/complaint/written.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { type Call, CannotRun, command, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'

/** The command line knows people by their ids alone. */
const ids = async (personIds: string[]) => new Map(personIds.map((id) => [id, id]))

/** By its number, however it is written, or its id. Throws `CannotRun` when there is none. */
export async function placeOf(db: Db, text: string): Promise<Place> {
  const number = numberIn(text)
  const place = number
    ? await placeByNumber(db, number, null)
    : isUuid(text)
      ? await placeById(db, text, null)
      : undefined
  if (!place) throw new CannotRun(`there is no complaint ${text}`)
  return place
}

async function written(db: Db, run: Run, env: NodeJS.ProcessEnv, text: string) {
  const place = await placeOf(db, text)
  return { place, ...(await writtenComplaint(run, sealOf(env), place, ids)) }
}

export const show = command({
  name: 'complaints show',
  summary: 'a complaint with everything that was said; shows what the borrower wrote',
  usage: '<number>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const named = only(args, 'the number of the complaint')
    const { complaint, thread } = await withDatabase('platform', env, (db) => written(db, db, env, named))
    const { number, status, category, route, resolutionDueAt, journeyId } = complaint
    const lines = thread.map(({ at, author, kind, code, text, mail }) => [
      ...[at.toISOString(), author, code ?? kind, [text, mail && `(mail ${mail})`].filter(Boolean).join(' ')],
    ])
    const text = [
      `${number}  ${category}, ${status}, ${route}`,
      `journey ${journeyId ?? 'not known'}, to be resolved by ${resolutionDueAt.toISOString()}`,
      table(['AT', 'BY', 'WHAT', 'TEXT'], lines),
    ].join('\n')
    return { text, data: { ...complaint, thread } }
  },
})

const exportOptions = {
  csv: { type: 'boolean', about: 'a line for each entry; JSON without it' },
  reason: { type: 'string', value: 'text', about: `why, in at least ${leastReasonLength} characters; it is kept` },
} as const

function reasonOf(given: string | undefined): string {
  const reason = required(given, 'reason')
  const [fault] = faults(RevealReason, reason)
  if (fault) throw new UsageError(`--reason ${fault.message}`)
  return reason.trim()
}

export const exportOne = command({
  name: 'complaints export',
  summary: 'print one complaint with its whole thread, as JSON or CSV, for a reason that the audit log keeps',
  usage: '<number> --reason <text> [--csv]',
  options: exportOptions,
  async run({ args, options, env }: Call<typeof exportOptions>) {
    const named = only(args, 'the number of the complaint')
    const reason = reasonOf(options.reason)
    const { complaint, thread } = await withDatabase('platform', env, (db) =>
      db.tx(async (tx) => {
        const found = await written(db, tx, env, named)
        const { complaintId: subject, tenantId } = found.place
        const detail = { format: options.csv ? 'csv' : 'json', reason }
        const act = { act: 'COMPLAINT_EXPORTED', subject, tenantId: tenantIn(tenantId), detail }
        await noteStaffAct({ tx, at: new Date() }, null, act)
        return found
      }),
    )
    const data = { complaint, thread }
    return { text: options.csv ? threadCsv(complaint.number, thread) : JSON.stringify(data, null, 2), data }
  },
})

const reportOptions = {
  month: { type: 'string', value: 'month', about: 'as 2026-11; this month without it' },
  tenant: { type: 'string', value: 'tenantId', about: 'only complaints of this tenant' },
} as const

export const report = command({
  name: 'complaints report',
  summary: 'print the report of a month as CSV: received, resolved and pending, by age and by what they are about',
  usage: '[--month <month>] [--tenant <tenantId>]',
  options: reportOptions,
  async run({ options, env }: Call<typeof reportOptions>) {
    const at = new Date()
    const month = options.month ?? monthOf(at)
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError(`--month must be as 2026-11, not "${month}"`)
    const found = await withDatabase('platform', env, (db) =>
      complaintReport(db, { tenantId: options.tenant ?? null, month, at }),
    )
    return { text: reportCsv(found), data: found }
  },
})
