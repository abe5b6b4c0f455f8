// `lendloom network issue …`: complaints about loans, as far as lenders have come with them, and what borrowers do about them.
import { type Call, CannotRun, command, only, required, table, UsageError } from '#cli/command.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockFile, dataDirectory } from '#cli/installation.ts'
import { nearest } from '#cli/nearest.ts'
import { configFrom } from '#kit/config.ts'
import { isUuid } from '#kit/id.ts'
import { rupees } from '#kit/money.ts'
import type { Db, Tx } from '#kit/sql.ts'
import { readAhead } from '#kit/world-clock.ts'
import { closeGrievance, escalateGrievance, replyToGrievance } from '#platform/grievance/act.ts'
import { type Grievance, mayEscalate } from '#platform/grievance/grievance.ts'
import { raiseGrievance } from '#platform/grievance/raise.ts'
import { grievancesOf, historyOf } from '#platform/grievance/read.ts'
import { grievanceSettings } from '#platform/grievance/settings.ts'
import { type GrievanceSummary, newestGrievances, placeOfGrievance } from '#platform/grievance/store.ts'
import type { GrievanceWorld } from '#platform/grievance/tell.ts'
import { topics } from '#platform/grievance/topic.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { tenantOfJourney } from '#platform/network/store.ts'
import { speakerOf } from './speaker.ts'

const options = {
  about: { type: 'string', value: 'topic', about: `raise: what it is about, one of ${topics.join(', ')}` },
  text: { type: 'string', about: 'raise, reply: the words of the borrower' },
  rating: {
    type: 'string',
    value: 'up|down',
    about: 'close: whether it was solved; needed once the lender has resolved it',
  },
  tenant: { type: 'string', value: 'tenantId', about: 'list: only complaints of this tenant' },
} as const

type Asked = Call<typeof options>
type Verb = (call: Asked) => Promise<{ text: string; data: unknown }>

const verbs: Record<string, Verb> = { raise, list, show, reply, escalate, close }

export const issue = command({
  name: 'network issue',
  summary: 'complaints about loans of the network: raise, list, show, reply, escalate, close',
  usage:
    '<raise <journeyID> --about <topic> --text <text> | list [<journeyID>] | show <id> | reply <id> --text <text> | escalate <id> | close <id> [--rating up|down]>',
  options,
  async run(call: Asked) {
    const [name, ...args] = call.args
    if (name === undefined) throw new UsageError(`what to do is missing: one of ${Object.keys(verbs).join(', ')}`)
    const verb = verbs[name]
    if (verb) return verb({ ...call, args })
    const meant = nearest(name, Object.keys(verbs))
    throw new UsageError(
      `there is no "network issue ${name}"; ${meant ? `did you mean "${meant}"?` : 'see lendloom help network issue'}`,
    )
  },
})

/** What acts need of the world; what they send leaves from the platform that runs. */
const worldOf = (env: NodeJS.ProcessEnv): GrievanceWorld => {
  const { config, log } = speakerOf(env)
  return { config: { ...config, ...configFrom(grievanceSettings, env) }, log, seal: sealOf(env) }
}

/** The time of the world that is played here, or the real one. */
const now = (env: NodeJS.ProcessEnv): Date =>
  new Date(Date.now() + readAhead(env.CLOCK_FILE || clockFile(dataDirectory(env))).aheadMs)

async function raise({ args, options: { about, text }, env }: Asked) {
  const journeyId = only(args, 'the journey id')
  const complaint = { topic: required(about, 'about').toUpperCase(), text: required(text, 'text') }
  const grievance = await withDatabase('platform', env, async (db) => {
    const tenantId = await tenantOfJourney(db, journeyId)
    if (tenantId === undefined) throw new CannotRun(`there is no journey ${journeyId}`)
    return underLock(db, { tenantId, journeyId }, (tx, journey) =>
      raiseGrievance(tx, worldOf(env), journey, complaint, now(env)),
    )
  })
  return acted(grievance)
}

async function reply(call: Asked) {
  const text = required(call.options.text, 'text')
  return act(call, (tx, world, journey, id, at) => replyToGrievance(tx, world, journey, id, text, at))
}

async function escalate(call: Asked) {
  return act(call, escalateGrievance)
}

async function close(call: Asked) {
  const { rating } = call.options
  if (rating !== undefined && rating !== 'up' && rating !== 'down')
    throw new UsageError(`--rating must be up or down, not "${rating}"`)
  const said = rating === undefined ? null : `THUMBS-${rating}`
  return act(call, (tx, world, journey, id, at) => closeGrievance(tx, world, journey, id, said, at))
}

async function act(
  { args, env }: Asked,
  how: (tx: Tx, world: GrievanceWorld, journey: Journey, id: string, at: Date) => Promise<Grievance>,
) {
  const id = only(args, 'the id of the complaint')
  const grievance = await withDatabase('platform', env, async (db) =>
    underLock(db, await placeOf(db, id), (tx, journey) => how(tx, worldOf(env), journey, id, now(env))),
  )
  return acted(grievance)
}

const underLock = (
  db: Db,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  how: (tx: Tx, journey: Journey) => Promise<Grievance>,
): Promise<Grievance> => db.tx(async (tx) => how(tx, (await lockJourney(tx, tenantId, journeyId))!))

async function placeOf(db: Db, id: string) {
  const place = isUuid(id) ? await placeOfGrievance(db, id) : undefined
  if (!place) throw new CannotRun(`there is no complaint ${id}`)
  return place
}

const acted = (grievance: Grievance) => ({
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
    refusedCode && `turned away (${refusedCode})`,
  ]
    .filter(Boolean)
    .join(', ')
}

async function list({ args, options: { tenant }, env }: Asked) {
  if (tenant !== undefined && !isUuid(tenant)) throw new UsageError(`--tenant is an id, not "${tenant}"`)
  const journeyId = args.length === 0 ? null : only(args, 'the journey id')
  const rows = await withDatabase('platform', env, async (db) => {
    if (journeyId === null) return newestGrievances(db, tenant ?? null, 100)
    const tenantId = await tenantOfJourney(db, journeyId)
    if (tenantId === undefined) throw new CannotRun(`there is no journey ${journeyId}`)
    const { grievances } = await grievancesOf(db, { seal: sealOf(env) }, { tenantId, journeyId }, now(env))
    return grievances.map(({ grievance }) => withoutDetail(grievance))
  })
  const cells = rows.map((row) => {
    const due = row.responseDueAt.toISOString()
    return [row.grievanceId, row.topic, statusText(row, now(env)), row.createdAt.toISOString(), due, row.journeyId]
  })
  const head = ['COMPLAINT', 'ABOUT', 'STATUS', 'RAISED', 'ANSWER DUE', 'JOURNEY']
  return { text: rows.length > 0 ? table(head, cells) : 'There are no complaints.', data: rows }
}

/** Everything that both sides said; this shows what borrowers write. */
async function show({ args, env }: Asked) {
  const id = only(args, 'the id of the complaint')
  const at = now(env)
  const found = await withDatabase('platform', env, async (db) => {
    const place = await placeOf(db, id)
    const journey = (await findJourney(db, place.tenantId, place.journeyId))!
    const { grievances } = await grievancesOf(db, { seal: sealOf(env) }, journey, at)
    return grievances.find(({ grievance }) => grievance.grievanceId === id)!
  })
  const { grievance, officer } = found
  const history = historyOf(grievance)
  const { resolution } = grievance.detail
  const refund = grievance.refundPaise === null ? '' : ` ${rupees(grievance.refundPaise)}`
  const lines = [
    `${grievance.topic} (${grievance.category}/${grievance.subCategory}), ${statusText(grievance, at)}`,
    `"${grievance.detail.text}"`,
    `to be answered by ${grievance.responseDueAt.toISOString()}, resolved by ${grievance.resolutionDueAt.toISOString()}`,
    ...(resolution ? [`resolution: ${resolution.text}, ${grievance.resolutionAction ?? ''}${refund}`] : []),
    ...(found.mayEscalate ? [`may be escalated: lendloom network issue escalate ${id}`] : []),
    `grievance officer: ${[officer.name, officer.phone, officer.email].filter(Boolean).join(', ')}`,
    table(
      ['AT', 'BY', 'ACTION', 'TEXT'],
      history.map(({ at, by, action, text }) => [at, by, action, text ?? '']),
    ),
  ]
  return { text: lines.join('\n'), data: { ...grievance, officer, mayEscalate: found.mayEscalate, history } }
}
