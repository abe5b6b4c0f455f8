// `lendloom archive …`: moves old messages out of the database, and lists and reads what was moved.
import { join } from 'node:path'
import { minRevealReasonLength } from '#contract/console/journey-lists.ts'
import { readArchive } from '#kit/archive/archive.ts'
import type { ArchivedRow } from '#kit/archive/row.ts'
import { isUuid } from '#kit/crypto/id.ts'
import type { Db } from '#kit/db/sql.ts'
import type { ObjectBackend } from '#kit/files/object-store.ts'
import { readClockOffset } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { logTo } from '#kit/runtime/log.ts'
import { maskedDocument, maskedText } from '#kit/runtime/mask.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import { archiveObjects, archiveSettings } from '#platform/archive/settings.ts'
import { listArchived, ownerOf } from '#platform/archive/store.ts'
import { archiveDays, archiveSettled } from '#platform/archive/sweep.ts'
import { tenantOfJourney } from '#platform/network/store.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { CannotRun, type CommandCall, command, type Group, requireArgument, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'
import { clockFile, dataDirectory, runOf } from './installation.ts'
import { maskedBody } from './network/gist.ts'
import { type ProgressBar, progressOn } from './progress.ts'

/** The archive of the settings, or of the local installation. Throws `CannotRun` if there is none. */
function requireArchive(env: NodeJS.ProcessEnv): ObjectBackend {
  const directory = dataDirectory(env)
  const local = runOf(directory) ? join(directory, 'platform-archive') : 'off'
  const objects = archiveObjects(configFrom(archiveSettings, { ...env, ARCHIVE_DIR: env.ARCHIVE_DIR || local }))
  if (objects) return objects
  throw new CannotRun('there is no archive: set ARCHIVE_DIR or ARCHIVE_S3_URL as for the platform')
}

const now = (env: NodeJS.ProcessEnv): Date =>
  new Date(Date.now() + readClockOffset(env.CLOCK_FILE || clockFile(dataDirectory(env))).aheadMs)

const run = command({
  name: 'archive run',
  summary: `move what was settled ${archiveDays} days ago to the archive now, as the worker does once a day`,
  usage: '',
  options: {},
  async run({ json, env }: CommandCall<Record<never, never>>) {
    const archive = requireArchive(env)
    let progress: ProgressBar | null = null
    const moved = await withDatabase('platform', env, (db) =>
      archiveSettled({ db, seal: sealOf(env), archive, log: logTo('archive', 'error') }, now(env), (done, due) => {
        if (!json) progress ??= progressOn(process.stderr, 0, due, (count) => `${count} of ${due} journeys`)
        progress?.moveTo(done)
      }).finally(() => progress?.end()),
    )
    return { text: `${moved.rows} rows of ${moved.journeys} journeys were moved.`, data: moved }
  },
})

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only of this tenant' },
  journey: { type: 'string', value: 'journeyId', about: 'only of this journey' },
} as const
const maxListed = 100

const list = command({
  name: 'archive list',
  summary: `list the newest ${maxListed} parts of the archive`,
  usage: '[--tenant <tenantId>] [--journey <journeyId>]',
  options: listOptions,
  async run({ options: { tenant, journey }, env }: CommandCall<typeof listOptions>) {
    for (const id of [tenant, journey])
      if (id !== undefined && !isUuid(id)) throw new UsageError(`${JSON.stringify(id)} is not an id`)
    const filter = { ...(tenant && { tenantId: tenant }), ...(journey && { journeyId: journey }), limit: maxListed }
    const parts = await withDatabase('platform', env, (db) => listArchived(db, filter))
    const cells = parts.map(({ archivedAt, journeyId, number, rows, bytes, objectName }) => {
      return [archivedAt.toISOString(), journeyId, String(number), String(rows), String(bytes), objectName]
    })
    const head = ['AT', 'JOURNEY', 'PART', 'ROWS', 'BYTES', 'OBJECT']
    return { text: parts.length > 0 ? table(head, cells) : 'Nothing is archived.', data: parts }
  },
})

const readOptions = {
  reveal: { type: 'boolean', about: 'show personal data; the audit log records the reason' },
  reason: { type: 'string', value: 'text', about: `with --reveal: at least ${minRevealReasonLength} characters` },
} as const

const read = command({
  name: 'archive read',
  summary: 'print the archived rows of a journey as JSON Lines, with personal data masked',
  usage: '<journeyId> [--reveal --reason <text>]',
  options: readOptions,
  async run({ args, options: { reveal = false, reason = '' }, env }: CommandCall<typeof readOptions>) {
    const journeyId = requireArgument(args, 'the journey id')
    if (reveal && reason.trim().length < minRevealReasonLength)
      throw new UsageError(`--reveal needs a --reason of at least ${minRevealReasonLength} characters`)
    const rows = await withDatabase('platform', env, (db) => readJourney(db, env, journeyId, reveal ? reason : null))
    if (rows.length === 0) throw new CannotRun(`nothing of journey ${journeyId} is archived`)
    const shown = reveal ? rows : rows.map(maskedRow)
    return { text: shown.map((row) => JSON.stringify(row)).join('\n'), data: shown }
  },
})

/** Reads the rows, and records the reason if they are revealed. */
async function readJourney(
  db: Db,
  env: NodeJS.ProcessEnv,
  journeyId: string,
  reason: string | null,
): Promise<ArchivedRow[]> {
  const tenantId = await tenantOfJourney(db, journeyId)
  if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
  const deps = { db, seal: sealOf(env), objects: requireArchive(env) }
  if (reason !== null) {
    const act = { act: 'PERSONAL_DATA_REVEALED', subject: journeyId, tenantId, detail: { fields: 'archive', reason } }
    await db.tx((tx) => noteStaffAct({ tx, at: now(env) }, null, act))
  }
  const rows: ArchivedRow[] = []
  for await (const row of readArchive(deps, ownerOf({ tenantId, journeyId }))) rows.push(row)
  return rows
}

/** The row with the texts of its values masked as in transcripts; bytes are left out. */
function maskedRow({ values, ...row }: ArchivedRow): ArchivedRow {
  const masked = Object.entries(values).map(([name, value]): [string, string | null] => {
    if (typeof value !== 'string') return [name, value && '[masked]']
    return [name, jsonIn(value) === null ? maskedText(value) : JSON.stringify(jsonIn(maskedBody(value)))]
  })
  return { ...row, row: Object(maskedDocument(row.row)), values: Object.fromEntries(masked) }
}

export const archive: Group = {
  name: 'archive',
  summary: 'the archive of old messages: run, list, read',
  commands: [run, list, read],
}
