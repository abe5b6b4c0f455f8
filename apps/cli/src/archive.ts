// `lendloom archive …`: moves old messages out of the database, and lists and reads what was moved.

import { readArchive, UnwritableArchive } from '@lendloom/archive/archive'
import { archiveDays } from '@lendloom/archive/archive-sweep'
import type { ArchivedRow } from '@lendloom/archive/archived-row'
import { readClockOffset } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { logTo } from '@lendloom/foundation/log'
import { maskedText } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { isObject } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import { minRevealReasonLength } from '@lendloom/wire/console/journey-lists'
import { archiveSides } from './archive/sides.ts'
import { CannotRun, type CommandCall, command, type Group, requireArgument, UsageError } from './command.ts'
import { resultTable } from './console/words.ts'
import { sealOf, withDatabase } from './database.ts'
import { clockFile, dataDirectory } from './installation.ts'
import { maskedBody } from './network/gist.ts'
import { programOf, realPrograms } from './program-names.ts'
import { type ProgressBar, progressOn } from './progress.ts'

const sideOption = {
  program: { type: 'string', value: 'platform|partner', about: 'the program whose archive it is (default: platform)' },
} as const

/** Parses the option; the archive of the platform by default. */
const programIn = (given = 'platform') => programOf(given, realPrograms)

/** The time of the installation, which the simulated clock may have moved ahead. */
const simulatedNow = (env: NodeJS.ProcessEnv): Date =>
  new Date(Date.now() + readClockOffset(env.CLOCK_FILE || clockFile(dataDirectory(env))).aheadMs)

const run = command({
  name: 'archive run',
  summary: `move what was settled ${archiveDays} days ago to the archive now, as the worker does once a day`,
  usage: '[--program partner]',
  options: sideOption,
  async run({ options: { program: given }, json, env }: CommandCall<typeof sideOption>) {
    const program = programIn(given)
    const { objects, sweep } = archiveSides[program]
    let progress: ProgressBar | null = null
    const onProgress = (done: number, due: number) => {
      if (!json) progress ??= progressOn(process.stderr, 0, due, (count) => `${count} of ${due}`)
      progress?.moveTo(done)
    }
    const moved = await withDatabase(program, env, (db) => {
      const deps = { db, seal: sealOf(env, program), objects: objects(env), log: logTo('archive', 'error') }
      return sweep(deps, simulatedNow(env), { onProgress }).finally(() => progress?.end())
    }).catch(explainFailure)
    const owners = program === 'platform' ? 'journeys' : 'loans'
    return { text: `${moved.rows} rows of ${moved.owners} ${owners} were moved.`, data: moved }
  },
})

function explainFailure(error: unknown): never {
  if (error instanceof UnwritableArchive) throw new CannotRun(error.message)
  throw error
}

const listOptions = {
  ...sideOption,
  tenant: { type: 'string', value: 'tenantId', about: 'only of this tenant of the platform' },
  journey: { type: 'string', value: 'id', about: 'only of this journey, or of this case of the partner' },
} as const
/** Parts that a list shows. */
const maxListed = 100

const list = command({
  name: 'archive list',
  summary: `list the newest ${maxListed} parts of the archive`,
  usage: '[--tenant <tenantId>] [--journey <id>] [--program partner]',
  options: listOptions,
  async run({ options: { tenant, journey, program: given }, env }: CommandCall<typeof listOptions>) {
    const program = programIn(given)
    for (const id of [tenant, journey])
      if (id !== undefined && !isUuid(id)) throw new UsageError(`${JSON.stringify(id)} is not an id`)
    const filter = { tenantId: tenant ?? null, id: journey ?? null, limit: maxListed }
    const parts = await withDatabase(program, env, (db) => archiveSides[program].list(db, filter))
    return {
      text: resultTable(
        parts,
        [
          { head: 'AT', of: ({ archivedAt }) => archivedAt.toISOString() },
          { head: program === 'platform' ? 'JOURNEY' : 'CASE', of: ({ id }) => id },
          { head: 'PART', of: ({ number }) => number },
          { head: 'ROWS', of: ({ rows }) => rows },
          { head: 'BYTES', of: ({ bytes }) => bytes },
          { head: 'OBJECT', of: ({ objectName }) => objectName },
        ],
        'Nothing is archived.',
      ),
      data: parts,
    }
  },
})

const readOptions = {
  ...sideOption,
  reveal: { type: 'boolean', about: 'show personal data; the audit log records the reason' },
  reason: { type: 'string', value: 'text', about: `with --reveal: at least ${minRevealReasonLength} characters` },
} as const

const read = command({
  name: 'archive read',
  summary:
    'print the archived rows of a journey, or of a case of the partner, as JSON Lines, with personal data masked',
  usage: '<id> [--reveal --reason <text>] [--program partner]',
  options: readOptions,
  async run({ args, options, env }: CommandCall<typeof readOptions>) {
    const { reveal = false, reason = '' } = options
    const program = programIn(options.program)
    const id = requireArgument(args, 'the journey id')
    if (reveal && reason.trim().length < minRevealReasonLength)
      throw new UsageError(`--reveal needs a --reason of at least ${minRevealReasonLength} characters`)
    const { ownerOf, objects, noteReveal } = archiveSides[program]
    const rows: ArchivedRow[] = []
    await withDatabase(program, env, async (db) => {
      const owner = await ownerOf(db, id)
      const deps = { db, seal: sealOf(env, program), objects: objects(env) }
      if (reveal) await noteReveal(deps, id, { reason, at: simulatedNow(env) })
      for await (const row of readArchive(deps, owner)) rows.push(reveal ? row : maskedRow(row))
    })
    if (rows.length === 0) throw new CannotRun(`nothing of ${id} is archived`)
    return { text: rows.map((row) => JSON.stringify(row)).join('\n'), data: rows }
  },
})

/** The row with the texts of its values masked as in transcripts; bytes are left out. */
function maskedRow({ values, ...row }: ArchivedRow): ArchivedRow {
  const masked = Object.entries(values).map(([name, value]): [string, string | null] => {
    if (typeof value !== 'string') return [name, value && '[masked]']
    return [name, name === 'url' ? maskedText(value) : maskedValue(value)]
  })
  return { ...row, row: Object(maskedDocument(row.row)), values: Object.fromEntries(masked) }
}

/** Also masks the body within an HTTP answer. Only objects and lists have names by which personal data is found. */
function maskedValue(value: string): string {
  const json = jsonIn(value)
  if (typeof json !== 'object' || json === null) return '[not JSON]'
  const inner = isObject(json) && typeof json.body === 'string' ? { ...json, body: maskedValue(json.body) } : json
  return JSON.stringify(jsonIn(maskedBody(JSON.stringify(inner))))
}

export const archive: Group = {
  name: 'archive',
  summary: 'the archive of old messages: run, list, read',
  commands: [run, list, read],
}
