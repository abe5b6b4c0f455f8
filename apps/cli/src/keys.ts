// `lendloom keys …`: creates a key that seals personal data, and reseals all data with the first key.

import { join } from 'node:path'
import { configFrom, secretText } from '@lendloom/foundation/config'
import { messageOf } from '@lendloom/foundation/thrown'
import { documentSettings, openFiles, pageOfObjects } from '@lendloom/partner/operations/documents'
import { countByKey, type ResealProgress, reseal } from '@lendloom/postgres/reseal-values'
import type { Db } from '@lendloom/postgres/sql'
import { kmsSource, newWrappedKey, vaultSource } from '@lendloom/seal/key-source'
import { newSealKey, type Seal } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import { CannotRun, type CommandCall, command, type Group, requireArgument, table, UsageError } from './command.ts'
import { databaseUrlOf, databaseVariable, sealOf, withDatabase } from './database.ts'
import { dataDirectory, runOf } from './installation.ts'
import { sealedColumns } from './keys/sealed-columns.ts'
import { programs as all, type Program, programOf } from './program-names.ts'

const createOptions = {
  kms: { type: 'string', value: 'arn', about: 'wrap the key with this key of AWS KMS' },
  vault: { type: 'string', value: 'name', about: 'wrap the key with this transit key of the Vault at VAULT_ADDR' },
} as const

const create = command({
  name: 'keys create',
  summary: 'create a key for LENDLOOM_KEYS; the entry is printed and not stored',
  usage: '<id> [--kms <arn> | --vault <name>]',
  options: createOptions,
  async run({ args, options: { kms, vault }, env }: CommandCall<typeof createOptions>) {
    const id = requireArgument(args, 'the id of the key')
    if (!/^[a-z0-9]{1,8}$/.test(id)) throw new UsageError('the id must be one to eight lower-case letters and digits')
    if (kms !== undefined && vault !== undefined) throw new UsageError('give --kms or --vault, not both')
    if (vault !== undefined && !/^[\w.-]{1,64}$/.test(vault))
      throw new UsageError('--vault must be the name of a transit key')
    const key = await newKey(id, kms, vault, env).catch((error: unknown) => {
      throw new CannotRun(`the key service does not wrap the key: ${messageOf(error)}`)
    })
    return { text: key, data: { id, key } }
  },
})

/** Returns a new key, wrapped by a key service if one is named. */
async function newKey(id: string, kms: string | undefined, vault: string | undefined, env: NodeJS.ProcessEnv) {
  if (kms !== undefined) return newWrappedKey(id, kmsSource(kms), 'kms')
  if (vault !== undefined) return newWrappedKey(id, vaultSource(env, vault), `vault:${vault}`)
  return newSealKey(id)
}

const options = {
  program: { type: 'string', value: 'platform|partner|sandbox', about: 'only data of this program' },
} as const

interface ColumnResult extends ResealProgress {
  program: Program
  what: string
}

const list = command({
  name: 'keys list',
  summary: 'count the stored values by the key that sealed them, by column',
  usage: '[--program platform|partner|sandbox]',
  options,
  async run({ options: { program }, env }: CommandCall<typeof options>) {
    const uses: { program: Program; key: string; column: string; values: number }[] = []
    for (const one of program === undefined ? reachablePrograms(env) : [programOf(program, all)])
      await withDatabase(one, env, async (db) => {
        for (const column of sealedColumns[one])
          for (const { keyId, count } of await countByKey(db, column))
            uses.push({ program: one, key: keyId ?? 'not sealed', column: columnName(column), values: count })
      })
    return {
      text: table(uses, [
        { head: 'program', of: ({ program }) => program },
        { head: 'key', of: ({ key }) => key },
        { head: 'column', of: ({ column }) => column },
        { head: 'values', of: ({ values }) => values },
      ]),
      data: uses,
    }
  },
})

const resealAll = command({
  name: 'keys reseal',
  summary: 'reseal all data with the first key while the programs run; may be interrupted and restarted',
  usage: '[--program platform|partner|sandbox]',
  options,
  async run({ options: { program }, json, env }: CommandCall<typeof options>) {
    const lines: ColumnResult[] = []
    for (const one of program === undefined ? reachablePrograms(env) : [programOf(program, all)])
      lines.push(...(await withDatabase(one, env, (db) => resealProgram(one, db, env, json))))
    const failures = lines.filter(({ unreadable, complete }) => unreadable > 0 || !complete)
    const causes = failures.map(
      ({ program, what, unreadable, complete }) =>
        `${program} ${what}: ${complete ? `${unreadable} cannot be opened with these keys` : 'a process still seals with another key'}`,
    )
    if (failures.length > 0)
      throw new CannotRun(`keys other than the first one are still needed:\n  ${causes.join('\n  ')}`)
    const moved = lines.reduce((sum, line) => sum + line.moved, 0)
    const columns = table(lines, [
      { head: 'program', of: ({ program }) => program },
      { head: 'what', of: ({ what }) => what },
      { head: 'sealed', of: ({ seen }) => seen },
      { head: 'resealed', of: ({ moved }) => moved },
    ])
    const text = `${columns}\n\n${moved} resealed; all data is sealed with the first key now.`
    return { text, data: { moved, columns: lines } }
  },
})

/** The programs whose database is configured or that run in this installation. Throws `CannotRun` if there are none. */
function reachablePrograms(env: NodeJS.ProcessEnv): Program[] {
  const running = runOf(dataDirectory(env))
  const found = all.filter((one) => secretText(env, databaseVariable[one]) || running?.[one])
  if (found.length === 0) databaseUrlOf('platform', env)
  return found
}

/** Reseals the columns of a program, and the files of the partner. */
async function resealProgram(program: Program, db: Db, env: NodeJS.ProcessEnv, json: boolean): Promise<ColumnResult[]> {
  const seal = sealOf(env, program)
  const lines: ColumnResult[] = []
  for (const column of sealedColumns[program]) {
    const what = columnName(column)
    const progress = progressPrinter(`${program} ${what}`, json)
    lines.push({ program, what, ...(await reseal(db, seal, column, progress)) })
  }
  if (program === 'partner') lines.push({ program, what: 'files', ...(await resealFiles(db, seal, env, json)) })
  return lines
}

/** The name of a sealed column, such as `person.detail.email`. */
const columnName = ({ table, column, field }: SealedColumn): string => [table, column, field].filter(Boolean).join('.')

/** A process that still seals with another key may add files before the current position, so passes are repeated. */
const maxPasses = 5

/** Reseals the key of each file. The result is complete once a whole pass finds nothing to reseal. */
async function resealFiles(db: Db, seal: Seal, env: NodeJS.ProcessEnv, json: boolean): Promise<ResealProgress> {
  const PARTNER_FILES_DIR = env.PARTNER_FILES_DIR || join(dataDirectory(env), 'partner-files')
  const store = await openFiles(configFrom(documentSettings, { ...env, PARTNER_FILES_DIR }), seal)
  const progress = progressPrinter('partner files', json)
  let moved = 0
  for (let pass = 1; ; pass++) {
    const counts = await resealPass(db, store, (current) => progress({ ...current, moved: moved + current.moved }))
    moved += counts.moved
    const isComplete = counts.moved === 0
    if (isComplete || pass === maxPasses) return { ...counts, moved, complete: isComplete }
  }
}

/** Goes once over all files. */
async function resealPass(
  db: Db,
  store: Awaited<ReturnType<typeof openFiles>>,
  progress: (current: Pick<ResealProgress, 'seen' | 'moved'>) => void,
): Promise<Pick<ResealProgress, 'seen' | 'moved' | 'unreadable'>> {
  const counts = { seen: 0, moved: 0, unreadable: 0 }
  for (let after = ''; ; ) {
    const page = await pageOfObjects(db, after, 100)
    for (const { objectName } of page) {
      after = objectName
      counts.seen++
      try {
        if (await store.reseal(objectName)) counts.moved++
      } catch {
        counts.unreadable++
      }
      progress(counts)
    }
    if (page.length < 100) return counts
  }
}

/** Returns a function that prints progress at most once a second. */
function progressPrinter(what: string, json: boolean): (current: Pick<ResealProgress, 'seen' | 'moved'>) => void {
  let reportedAt = performance.now()
  return ({ seen, moved }) => {
    if (json || performance.now() - reportedAt < 1000) return
    reportedAt = performance.now()
    process.stderr.write(`${what}: ${seen} read, ${moved} resealed\n`)
  }
}

export const keys: Group = {
  name: 'keys',
  summary: 'the keys that seal personal data: create, list, reseal',
  commands: [create, list, resealAll],
}
