// `lendloom network issue …`: complaints about loans, and borrowers' replies, escalations and ratings.

import { configFrom } from '@lendloom/foundation/config'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { countText } from '@lendloom/foundation/text'
import { isUuid } from '@lendloom/foundation/uuid'
import { rupees } from '@lendloom/lending/money'
import {
  closeGrievance,
  escalateGrievance,
  findGrievanceJourney,
  type Grievance,
  type GrievanceContext,
  type GrievanceOverview,
  type GrievanceSummary,
  grievanceSettings,
  grievancesOf,
  historyOf,
  isOpen,
  mayEscalate,
  newestGrievances,
  raiseGrievance,
  replyToGrievance,
  topics,
} from '@lendloom/platform/operations/grievances'
import { findJourney, type Journey, lockJourney } from '@lendloom/platform/operations/journeys'
import { tenantOfJourney } from '@lendloom/platform/operations/network'
import type { Db, Tx } from '@lendloom/postgres/sql'
import {
  CannotRun,
  type CommandCall,
  type CommandOutput,
  command,
  type Group,
  type Options,
  requireArgument,
  requireOption,
  UsageError,
} from '#cli/command.ts'
import { fittedTable } from '#cli/console/show.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockOf } from '#cli/installation.ts'
import { networkContextOf } from './network-context.ts'

/** The context in which complaints change. The running platform sends the resulting messages. */
const grievanceContextOf = (env: NodeJS.ProcessEnv): GrievanceContext => {
  const { config, log } = networkContextOf(env)
  return { config: { ...config, ...configFrom(grievanceSettings, env) }, log, seal: sealOf(env) }
}

const raise = command({
  name: 'network issue raise',
  summary: 'raise a complaint about the loan of a journey',
  usage: '<journeyID> --about <topic> --text <text>',
  options: {
    about: { type: 'string', value: 'topic', about: `topic: one of ${topics.join(', ')}` },
    text: { type: 'string', about: 'text of the borrower, 10 to 2000 characters' },
  },
  async run({ args, options: { about, text }, env }) {
    const journeyId = requireArgument(args, 'the journey id')
    const complaint = { topic: requireOption(about, 'about').toUpperCase(), text: requireOption(text, 'text') }
    const grievance = await withDatabase('platform', env, async (db) => {
      const tenantId = await tenantOfJourney(db, journeyId)
      if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
      return withLockedJourney(db, { tenantId, journeyId }, (tx, journey) =>
        raiseGrievance({ ...grievanceContextOf(env), tx, at: clockOf(env)() }, journey, complaint),
      )
    })
    return changeResult(grievance)
  },
})

const reply = command({
  name: 'network issue reply',
  summary: 'answer the lender’s question, while the status is NEEDS_INFO',
  usage: '<complaintId> --text <text>',
  options: { text: { type: 'string', about: 'answer of the borrower, 10 to 2000 characters' } },
  async run(call) {
    const text = requireOption(call.options.text, 'text')
    return changeGrievance(call, (tx, ctx, journey, { grievanceId, at }) =>
      replyToGrievance({ ...ctx, tx, at }, journey, { grievanceId, reply: text }),
    )
  },
})

const escalate = command({
  name: 'network issue escalate',
  summary: "escalate a complaint to the lender's grievance officer",
  usage: '<complaintId>',
  options: {},
  run: (call) =>
    changeGrievance(call, (tx, ctx, journey, { grievanceId, at }) =>
      escalateGrievance({ ...ctx, tx, at }, journey, grievanceId),
    ),
})

const close = command({
  name: 'network issue close',
  summary: 'close a resolved complaint with a rating, or withdraw an open one',
  usage: '<complaintId> [--rating up|down]',
  options: {
    rating: {
      type: 'string',
      value: 'up|down',
      about: 'up or down: whether the resolution helped; required once the lender has resolved the complaint',
    },
  },
  async run(call) {
    const { rating } = call.options
    if (rating !== undefined && rating !== 'up' && rating !== 'down')
      throw new UsageError(`--rating must be up or down, not "${rating}"`)
    const ratingCode = rating === undefined ? null : `THUMBS-${rating}`
    return changeGrievance(call, (tx, ctx, journey, { grievanceId, at }) =>
      closeGrievance({ ...ctx, tx, at }, journey, { grievanceId, ratingCode }),
    ).catch((error) => {
      if (!(error instanceof Refusal) || error.details.field !== 'rating') throw error
      throw new CannotRun('--rating up or down is required: the lender has resolved this complaint')
    })
  },
})

interface ChosenGrievance {
  grievanceId: string
  at: Date
}

/** Changes the complaint that the argument names, under the lock of its journey. */
async function changeGrievance(
  { args, env }: Pick<CommandCall<Options>, 'args' | 'env'>,
  change: (tx: Tx, ctx: GrievanceContext, journey: Journey, chosen: ChosenGrievance) => Promise<Grievance>,
) {
  const id = requireArgument(args, 'the id of the complaint')
  const grievance = await withDatabase('platform', env, async (db) =>
    withLockedJourney(db, await grievanceJourneyOf(db, id), (tx, journey) =>
      change(tx, grievanceContextOf(env), journey, { grievanceId: id, at: clockOf(env)() }),
    ),
  )
  return changeResult(grievance)
}

const withLockedJourney = (
  db: Db,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  work: (tx: Tx, journey: Journey) => Promise<Grievance>,
): Promise<Grievance> =>
  db.tx(async (tx) => work(tx, required(await lockJourney(tx, tenantId, journeyId), 'journey of the complaint')))

async function grievanceJourneyOf(db: Db, id: string) {
  const journeyKey = isUuid(id) ? await findGrievanceJourney(db, id) : undefined
  if (!journeyKey) throw new CannotRun(`complaint ${id} does not exist`)
  return journeyKey
}

const changeResult = (grievance: Grievance) => ({
  text: `${grievance.grievanceId}  ${statusText(grievance, grievance.updatedAt)}`,
  data: withoutDetail(grievance),
})

const withoutDetail = ({ detail: _, ...rest }: Grievance): GrievanceSummary => rest

function statusText(grievance: GrievanceSummary, at: Date): string {
  const { status, issueType, lateAt, refusedCode } = grievance
  return [
    status,
    issueType === 'GRIEVANCE' && 'escalated',
    lateAt && 'late',
    status !== 'RESOLVED' && mayEscalate(grievance, at) && 'not resolved in time',
    refusedCode && `refused by the lender (${refusedCode})`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Complaints in a list of all journeys; the list of one journey is complete. */
const maxListed = 100

const list = command({
  name: 'network issue list',
  summary: 'list the newest complaints, or those of a journey, with their status; open ones first',
  usage: '[<journeyID> | --tenant <tenantId>]',
  options: { tenant: { type: 'string', value: 'tenantId', about: 'only complaints of this tenant' } },
  async run({ args, options: { tenant }, env }) {
    if (tenant !== undefined && !isUuid(tenant)) throw new UsageError(`--tenant must be an id, not "${tenant}"`)
    const journeyId = args.length === 0 ? null : requireArgument(args, 'the journey id')
    if (journeyId !== null && tenant !== undefined) throw new UsageError('a journey and --tenant cannot be combined')
    const found = await withDatabase('platform', env, async (db) => {
      if (journeyId === null) return newestGrievances(db, tenant ?? null, maxListed + 1)
      const tenantId = await tenantOfJourney(db, journeyId)
      if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
      const { grievances } = await grievancesOf(db, { seal: sealOf(env) }, { tenantId, journeyId }, clockOf(env)())
      return grievances.map(({ grievance }) => withoutDetail(grievance))
    })
    const rows = journeyId === null ? found.slice(0, maxListed) : found
    const ofTenant = tenant === undefined ? '' : ` of tenant ${tenant}`
    const ofScope = journeyId === null ? ofTenant : ` of journey ${journeyId}`
    const text =
      rows.length > 0
        ? listText(rows, { ofJourney: journeyId !== null, isTruncated: found.length > rows.length, at: clockOf(env)() })
        : `There are no complaints${ofScope}.`
    return { text, data: rows }
  },
})

interface Listed {
  ofJourney: boolean
  isTruncated: boolean
  at: Date
}

/** The status is shown whole: whether a complaint is late is what a reader of the list looks for. */
function listText(rows: GrievanceSummary[], { ofJourney, isTruncated, at }: Listed): string {
  const journeyColumn = { head: 'JOURNEY', of: ({ journeyId }: GrievanceSummary) => journeyId }
  const complaints = fittedTable(
    rows,
    [
      { head: 'COMPLAINT', of: ({ grievanceId }) => grievanceId },
      { head: 'ABOUT', of: ({ topic }) => topic },
      { head: 'STATUS', of: (row) => statusText(row, at) },
      { head: 'ANSWER DUE', of: ({ responseDueAt }) => responseDueAt.toISOString() },
      ...(ofJourney ? [] : [journeyColumn]),
    ],
    { isWhole: true },
  )
  const count = `${countText(rows.length, 'complaint')}, ${rows.filter(isOpen).length} open`
  return [complaints, '', isTruncated ? `${count}; there are more.` : `${count}.`].join('\n')
}

const show = command({
  name: 'network issue show',
  summary: 'show a complaint with its thread and the lender’s officer; includes the borrower’s text unmasked',
  usage: '<complaintId>',
  options: {},
  async run({ args, env }) {
    const id = requireArgument(args, 'the id of the complaint')
    const at = clockOf(env)()
    const found = await withDatabase('platform', env, async (db) => {
      const journeyKey = await grievanceJourneyOf(db, id)
      const journey = required(
        await findJourney(db, journeyKey.tenantId, journeyKey.journeyId),
        'journey of the complaint',
      )
      const { grievances } = await grievancesOf(db, { seal: sealOf(env) }, journey, at)
      const found = grievances.find(({ grievance }) => grievance.grievanceId === id)
      return required(found, 'complaint that was found before')
    })
    return showResult(found, at)
  },
})

function showResult(found: GrievanceOverview['grievances'][number], at: Date): CommandOutput {
  const { grievance, officer } = found
  const history = historyOf(grievance)
  const { resolution } = grievance.detail
  const refund = grievance.refundPaise === null ? '' : ` ${rupees(grievance.refundPaise)}`
  const lines = [
    `${grievance.topic} (${grievance.category}/${grievance.subCategory}, IGM ${grievance.igmVersion}), ${statusText(grievance, at)}`,
    `"${grievance.detail.text}"`,
    `to be answered by ${grievance.responseDueAt.toISOString()}, resolved by ${grievance.resolutionDueAt.toISOString()}`,
    ...(resolution ? [`resolution: ${resolution.text}, ${grievance.resolutionAction ?? ''}${refund}`] : []),
    ...(found.mayEscalate ? [`may be escalated: lendloom network issue escalate ${grievance.grievanceId}`] : []),
    `grievance officer: ${[officer.name, officer.phone, officer.email].filter(Boolean).join(', ')}`,
    fittedTable(history, [
      { head: 'AT', of: (entry) => entry.at },
      { head: 'BY', of: ({ by }) => by },
      { head: 'ACTION', of: ({ action }) => action },
      { head: 'TEXT', of: ({ text }) => text },
    ]),
  ]
  return { text: lines.join('\n'), data: { ...grievance, officer, mayEscalate: found.mayEscalate, history } }
}

export const issue: Group = {
  name: 'network issue',
  summary: 'complaints about network loans, their progress at lenders, and replies of borrowers',
  commands: [raise, list, show, reply, escalate, close],
}
