// `lendloom complaints list`, `show`, `export`, `file` and `report`: print or save complaints.

import { isUuid } from '@lendloom/foundation/uuid'
import type { ComplaintReport } from '@lendloom/wire/console/complaint-report'
import type { ComplaintDetail, ComplaintsReply, RevealedComplaint } from '@lendloom/wire/console/complaints'
import { minRevealReasonLength } from '@lendloom/wire/console/journey-lists'
import { CannotRun, type CommandCall, command, requireArgument, requireOption, table } from './command.ts'
import { type ConsoleCaller, consoleCommand, consoleOf } from './console/ask.ts'
import { pageOptions, resultTable } from './console/words.ts'
import { intoNewFile } from './out-file.ts'

export const complaintRoute = '/complaints/{complaintId}'

/** Resolves a complaint's number, in any spelling, or its id. Throws `CannotRun` if it does not exist. */
export async function complaintIdOf(ask: ConsoleCaller, args: string[]): Promise<string> {
  const named = requireArgument(args, 'the number of the complaint')
  if (isUuid(named)) return named
  const [found] = (await ask<ComplaintsReply>('GET /complaints', { query: { number: named } })).items
  if (!found) throw new CannotRun(`complaint ${named} does not exist`)
  return found.complaintId
}

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only complaints of this tenant' },
  all: { type: 'boolean', about: 'include resolved and closed complaints' },
  overdue: { type: 'boolean', about: 'only overdue complaints' },
  escalated: { type: 'boolean', about: 'only complaints escalated to the nodal officer' },
  replied: { type: 'boolean', about: 'only complaints whose borrower wrote last' },
  unmatched: { type: 'boolean', about: 'only mailed complaints that match no borrower' },
  ...pageOptions,
} as const

export const list = consoleCommand({
  name: 'complaints list',
  summary: 'list complaints, overdue ones first',
  usage:
    '[--tenant <tenantId>] [--all] [--overdue] [--escalated] [--replied] [--unmatched] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /complaints',
  input: ({ options: { tenant, all, overdue, escalated, replied, unmatched, after, limit } }) => ({
    query: {
      tenantId: tenant,
      state: all ? undefined : 'PENDING',
      due: overdue ? 'overdue' : undefined,
      escalated: escalated ? 'yes' : undefined,
      replied: replied ? 'yes' : undefined,
      matched: unmatched ? 'no' : undefined,
      after,
      limit,
    },
  }),
  text({ items, next }: ComplaintsReply) {
    return resultTable(
      items,
      [
        { head: 'NUMBER', of: ({ number }) => number },
        { head: 'ABOUT', of: ({ category }) => category },
        { head: 'STATUS', of: ({ status, repliedAt }) => (repliedAt ? `${status}, borrower replied` : status) },
        { head: 'ANSWERED BY', of: ({ route }) => route },
        { head: 'DUE', of: ({ dueAt, overdue }) => (dueAt ? `${dueAt}${overdue ? ' late' : ''}` : '') },
      ],
      'There are no such complaints.',
      next,
    )
  },
})

const reason = {
  type: 'string',
  value: 'text',
  about: `reason for the audit log, at least ${minRevealReasonLength} characters`,
} as const
const showOptions = {
  reason: { ...reason, about: `reveal masked data; ${reason.about}` },
} as const

export const show = command({
  name: 'complaints show',
  summary: 'show a complaint with its thread; personal data is masked unless a reason is given',
  usage: '<number> [--reason <text>]',
  options: showOptions,
  async run({ args, options, env }: CommandCall<typeof showOptions>) {
    const ask = consoleOf(env)
    const params = { complaintId: await complaintIdOf(ask, args) }
    const masked = await ask<ComplaintDetail>(`GET ${complaintRoute}`, { params })
    const data = options.reason === undefined ? masked : await revealComplaint(ask, masked, options.reason)
    const { number, status, category, route, resolutionDueAt, journeyId } = data
    const text = [
      `${number}  ${category}, ${status}, ${route}`,
      `journey ${journeyId ?? 'unknown'}, resolution due by ${resolutionDueAt}`,
      table(data.thread, [
        { head: 'AT', of: ({ at }) => at },
        { head: 'BY', of: ({ author }) => author },
        { head: 'KIND', of: ({ kind, code }) => code ?? kind },
        { head: 'TEXT', of: ({ text, mail }) => [text, mail && `(mail ${mail.state})`].filter(Boolean).join(' ') },
        { head: 'ENTRY', of: ({ entryId }) => entryId },
      ]),
    ].join('\n')
    return { text, data }
  },
})

async function revealComplaint(ask: ConsoleCaller, masked: ComplaintDetail, why: string): Promise<ComplaintDetail> {
  const { complaintId } = masked
  const input = { params: { complaintId }, body: { reason: why } }
  const { words, ...contact } = await ask<RevealedComplaint>(`POST ${complaintRoute}/reveal`, input)
  const thread = masked.thread.map((entry) => ({ ...entry, text: words[entry.entryId] ?? entry.text }))
  return { ...masked, ...contact, thread }
}

const exportOptions = { csv: { type: 'boolean', about: 'one line per entry (default: JSON)' }, reason } as const

export const exportOne = command({
  name: 'complaints export',
  summary: 'print a complaint with its whole thread as JSON or CSV; the audit log records the reason',
  usage: '<number> --reason <text> [--csv]',
  options: exportOptions,
  async run({ args, options, env }: CommandCall<typeof exportOptions>) {
    const ask = consoleOf(env)
    const body = { reason: requireOption(options.reason, 'reason'), format: options.csv ? 'csv' : 'json' }
    const params = { complaintId: await complaintIdOf(ask, args) }
    const text = String(await ask<Buffer>(`POST ${complaintRoute}/export`, { params, body }))
    return { text, data: options.csv ? text : JSON.parse(text) }
  },
})

const fileOptions = {
  entry: {
    type: 'string',
    value: 'entryId',
    about: 'id of the entry that has the attachment, as listed by complaints show',
  },
  index: { type: 'string', value: 'number', about: 'index of the file in that entry, from 0 (default: 0)' },
  out: { type: 'string', value: 'path', about: 'new file for it' },
} as const

export const file = command({
  name: 'complaints file',
  summary: 'save an attachment of a complaint; the audit log records the access',
  usage: '<number> --entry <entryId> [--index <number>] --out <path>',
  options: fileOptions,
  async run({ args, options: { entry, index = '0', out }, env }: CommandCall<typeof fileOptions>) {
    const path = requireOption(out, 'out')
    const entryId = requireOption(entry, 'entry')
    const ask = consoleOf(env)
    const params = { complaintId: await complaintIdOf(ask, args), entryId, index }
    const bytes = await intoNewFile(
      path,
      () => ask<Buffer>(`GET ${complaintRoute}/entries/{entryId}/files/{index}`, { params }),
      (content) => content,
    )
    return { text: `wrote ${path}`, data: { path, bytes: bytes.length } }
  },
})

const reportOptions = {
  month: { type: 'string', value: 'month', about: 'month, such as 2026-11 (default: this month)' },
  tenant: { type: 'string', value: 'tenantId', about: 'only complaints of this tenant' },
} as const

export const report = command({
  name: 'complaints report',
  summary: 'print a month’s report as CSV: complaints received, resolved and pending, by age and category',
  usage: '[--month <month>] [--tenant <tenantId>]',
  options: reportOptions,
  async run({ options: { month, tenant: tenantId }, json, env }: CommandCall<typeof reportOptions>) {
    const ask = consoleOf(env)
    const input = { query: { month, tenantId } }
    if (json) return { text: '', data: await ask<ComplaintReport>('GET /complaint-report', input) }
    const csv = String(await ask<Buffer>('GET /complaint-report/csv', input))
    return { text: csv, data: csv }
  },
})
