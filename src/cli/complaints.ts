// `lendloom complaints …`: complaints of borrowers with their threads, and whatever officers do with them in the console.

import { Readable } from 'node:stream'
import { type ComplaintOutcome, complaintOutcomes } from '#contract/console/complaint-lists.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import { tenantIn } from '#kit/staff/person.ts'
import {
  answerComplaint,
  assignComplaint,
  closeComplaint,
  noteComplaint,
  reopenComplaint,
} from '#platform/complaint/act.ts'
import { type Complaint, dueAtOf, isPending } from '#platform/complaint/complaint.ts'
import type { Acting, ComplaintContext } from '#platform/complaint/complaint-context.ts'
import { escalate as escalateComplaint } from '#platform/complaint/escalate.ts'
import { mergeComplaint } from '#platform/complaint/merge.ts'
import { numberIn } from '#platform/complaint/number.ts'
import { listQueue } from '#platform/complaint/queue/store.ts'
import { complaintSettings } from '#platform/complaint/settings.ts'
import { lockComplaint, openedComplaint, placeByNumber } from '#platform/complaint/store.ts'
import { type Held, holdComplaint } from '#platform/complaint/thread.ts'
import { grievanceSettings } from '#platform/grievance/settings.ts'
import { mailInSettings } from '#platform/mail/settings.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { emailDigest } from '#platform/staff/person.ts'
import { findByEmail } from '#platform/staff/store.ts'
import {
  type Call,
  CannotRun,
  command,
  type Group,
  type Options,
  only,
  required,
  table,
  UsageError,
} from './command.ts'
import { complaintsByConsole } from './complaints-console.ts'
import { exportOne, placeOf, report, show } from './complaints-files.ts'
import { sealOf, withDatabase } from './database.ts'
import { timeOf } from './installation.ts'
import { networkContextOf } from './network/network-context.ts'

/** What acts need of the context; the platform that runs sends their mails. */
function contextOf(env: NodeJS.ProcessEnv): ComplaintContext {
  const { config, log } = networkContextOf(env)
  const own = configFrom({ ...grievanceSettings, ...complaintSettings, MAIL_DOMAIN: mailInSettings.MAIL_DOMAIN }, env)
  return { config: { ...config, ...own }, log, seal: sealOf(env) }
}

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only complaints of this tenant' },
  all: { type: 'boolean', about: 'also those that are resolved or closed' },
  overdue: { type: 'boolean', about: 'only those that are overdue' },
  escalated: { type: 'boolean', about: 'only those that were escalated to the nodal officer' },
  replied: { type: 'boolean', about: 'only those whose borrower had the last word' },
  unmatched: { type: 'boolean', about: 'only those that came by mail and fitted no borrower' },
} as const
const mostListed = 200

const list = command({
  name: 'complaints list',
  summary: 'show complaints, what is overdue first',
  usage: '[--tenant <tenantId>] [--all] [--overdue] [--escalated] [--replied] [--unmatched]',
  options: listOptions,
  async run({ options, env }: Call<typeof listOptions>) {
    const { tenant, all = false, overdue = false, escalated = false, replied = false, unmatched = false } = options
    if (tenant !== undefined && !isUuid(tenant)) throw new UsageError(`--tenant is an id, not "${tenant}"`)
    const at = timeOf(env)
    const pending = ['NEW', 'ACKNOWLEDGED', 'IN_PROGRESS', 'WAITING_FOR_BORROWER'] as const
    const filter = {
      ...{ tenantId: tenant ?? null, statuses: all ? null : pending, dueBefore: overdue ? at : null, assigneeId: null },
      ...{ isUnassigned: false, isUnmatched: unmatched, isEscalated: escalated, category: null, route: null },
      ...{ isReplied: replied, lender: null, journeyId: null },
      ...{ number: null, from: null, until: null },
    }
    const rows = await withDatabase('platform', env, (db) => listQueue(db, filter, null, mostListed))
    const complaints = rows.map((row) => openedComplaint(sealOf(env), row))
    const cells = complaints.map((each) => {
      const due = dueAtOf(each)
      return [
        each.number,
        each.category,
        each.repliedAt ? `${each.status}, borrower replied` : each.status,
        each.route,
        due ? `${due.toISOString()}${due < at ? ' late' : ''}` : '',
      ]
    })
    const text = cells.length > 0 ? table(['NUMBER', 'ABOUT', 'STATUS', 'ANSWERS', 'DUE'], cells) : 'There are none.'
    return { text, data: { complaints: complaints.map(plain) } }
  },
})

/** Nothing personal, and nothing that answers by mail are addressed with. */
const plain = ({ contact: _, replyTag: __, tenantId, ...rest }: Complaint) => ({
  ...rest,
  tenantId: tenantIn(tenantId),
})

interface Act {
  act: string
  detail?: Record<string, string>
}

/** One act on one complaint: a transaction, with its entry in the audit log. */
async function acted(
  { args, env }: Pick<Call<Options>, 'args' | 'env'>,
  { act, detail }: Act,
  how: (ctx: Acting, held: Held) => Promise<Complaint | undefined>,
) {
  const named = only(args, 'the number of the complaint')
  const after = await withDatabase('platform', env, async (db) => {
    const place = await placeOf(db, named)
    return db.tx(async (tx) => {
      const ctx = { ...contextOf(env), tx, at: timeOf(env) }
      const held = await holdComplaint(ctx, place)
      const changed = (await how(ctx, held)) ?? held.complaint
      const { complaintId: subject, tenantId } = changed
      await noteStaffAct(ctx, null, { act, subject, tenantId: tenantIn(tenantId), detail: detail ?? {} })
      return changed
    })
  })
  return { text: `${after.number}  ${after.status}`, data: plain(after) }
}

const outcomeOption = {
  type: 'string',
  value: complaintOutcomes.join('|'),
  about: 'how it was decided',
} as const

function outcomeFrom(text: string | undefined): ComplaintOutcome | null {
  if (text === undefined) return null
  const outcome = text.toUpperCase()
  if (!isOneOf(complaintOutcomes, outcome))
    throw new UsageError(`--outcome must be one of ${complaintOutcomes.join(', ')}, not "${text}"`)
  return outcome
}

const textOption = { type: 'string', about: 'what is written; - reads it from the input' } as const

async function textFrom(given: string | undefined): Promise<string> {
  const text = required(given, 'text')
  if (text !== '-') return text
  return Buffer.concat(await Readable.from(process.stdin).toArray()).toString('utf8')
}

const answerOptions = { text: textOption, ask: { type: 'boolean', about: 'it is the borrower’s turn then' } } as const
const answer = command({
  name: 'complaints answer',
  summary: 'answer the borrower, by e-mail and on the page; or ask something',
  usage: '<number> --text <text> [--ask]',
  options: answerOptions,
  async run(call: Call<typeof answerOptions>) {
    const kind = call.options.ask ? 'QUESTION' : 'WORDS'
    const text = await textFrom(call.options.text)
    const act = { act: 'COMPLAINT_ANSWERED', detail: { kind } }
    return acted(call, act, (ctx, held) => answerComplaint(ctx, held, { kind, text, personId: null }))
  },
})

const resolveOptions = { text: textOption, outcome: outcomeOption } as const
const resolve = command({
  name: 'complaints resolve',
  summary: 'tell the borrower how it is settled; they may object',
  usage: '<number> --text <text> --outcome <outcome>',
  options: resolveOptions,
  async run(call: Call<typeof resolveOptions>) {
    const outcome = outcomeFrom(required(call.options.outcome, 'outcome'))
    const text = await textFrom(call.options.text)
    const act = { act: 'COMPLAINT_ANSWERED', detail: { kind: 'RESOLUTION', outcome: outcome ?? '' } }
    return acted(call, act, (ctx, held) =>
      answerComplaint(ctx, held, { kind: 'RESOLUTION', text, outcome, personId: null }),
    )
  },
})

const noteOptions = { text: textOption } as const
const note = command({
  name: 'complaints note',
  summary: 'note something that the borrower never sees',
  usage: '<number> --text <text>',
  options: noteOptions,
  async run(call: Call<typeof noteOptions>) {
    const text = await textFrom(call.options.text)
    return acted(call, { act: 'COMPLAINT_NOTED' }, async (ctx, { complaint }) => {
      await noteComplaint(ctx, complaint, { text, personId: null, author: 'OFFICER' })
      return undefined
    })
  },
})

const assignOptions = { to: { type: 'string', value: 'email', about: 'who works on it; nobody without it' } } as const
const assign = command({
  name: 'complaints assign',
  summary: 'give it to somebody of the platform',
  usage: '<number> [--to <email>]',
  options: assignOptions,
  run: (call: Call<typeof assignOptions>) =>
    acted(call, { act: 'COMPLAINT_ASSIGNED' }, async (ctx, held) => {
      const { to } = call.options
      const person = to === undefined ? undefined : await findByEmail(ctx.tx, emailDigest(ctx.seal, to))
      if (to !== undefined && !person) throw new CannotRun(`nobody signs in as ${to}`)
      return assignComplaint(ctx, held, { assigneeId: person?.personId ?? null, personId: null })
    }),
})

const escalate = command({
  name: 'complaints escalate',
  summary: 'take it to the nodal officer',
  usage: '<number>',
  options: {},
  run: (call: Call<Record<string, never>>) =>
    acted(call, { act: 'COMPLAINT_ESCALATED' }, (ctx, held) =>
      escalateComplaint(ctx, held, { because: 'OFFICER', personId: null }),
    ),
})

const closeOptions = {
  outcome: { ...outcomeOption, about: 'how it was decided; needed where it was not resolved' },
} as const
const close = command({
  name: 'complaints close',
  summary: 'end it; the borrower is told',
  usage: '<number> [--outcome <outcome>]',
  options: closeOptions,
  async run(call: Call<typeof closeOptions>) {
    const outcome = outcomeFrom(call.options.outcome)
    return acted(call, { act: 'COMPLAINT_CLOSED' }, (ctx, held) => {
      if (outcome === null && isPending(held.complaint))
        throw new UsageError('--outcome is missing: the complaint was not resolved')
      return closeComplaint(ctx, held, { outcome, personId: null })
    })
  },
})

const reopen = command({
  name: 'complaints reopen',
  summary: 'open it again; its times begin anew',
  usage: '<number>',
  options: {},
  run: (call: Call<Record<string, never>>) =>
    acted(call, { act: 'COMPLAINT_REOPENED' }, (ctx, held) =>
      reopenComplaint(ctx, held, { by: 'OFFICER', personId: null }),
    ),
})

const mergeOptions = { into: { type: 'string', value: 'number', about: 'the one that goes on' } } as const
const merge = command({
  name: 'complaints merge',
  summary: 'let it go on in another one of the same borrower',
  usage: '<number> --into <number>',
  options: mergeOptions,
  async run(call: Call<typeof mergeOptions>) {
    const other = required(call.options.into, 'into')
    return acted(call, { act: 'COMPLAINT_MERGED', detail: { into: other } }, async (ctx, held) => {
      const number = numberIn(other)
      const place = number && (await placeByNumber(ctx.tx, number, held.complaint.tenantId))
      const into = place && (await lockComplaint(ctx.tx, ctx.seal, place))
      if (!into) throw new CannotRun(`there is no complaint ${other} of this tenant`)
      return mergeComplaint(ctx, held, { into, personId: null })
    })
  },
})

export const complaints: Group = {
  name: 'complaints',
  summary:
    'complaints of borrowers: list, show, open, answer, note, assign, escalate, resolve, close, merge, export, report',
  commands: [
    ...[list, show, answer, note, assign, escalate, resolve, close, reopen, merge, exportOne, report],
    ...complaintsByConsole,
  ],
}
