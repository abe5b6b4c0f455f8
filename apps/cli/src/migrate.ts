// `lendloom migrate`: migrates the databases without starting a program; programs migrate their own when they start.

import { createInterface } from 'node:readline/promises'
import { secretText } from '@lendloom/foundation/config'
import { migrate as apply, type IndexProgress, missingMigrations } from '@lendloom/postgres/migrate'
import { CannotRun, type CommandCall, command } from './command.ts'
import { databaseVariable, withDatabase } from './database.ts'
import { incompatibleMigrations } from './incompatible-migrations.ts'
import { migrationsOf } from './migrations.ts'
import { programs as all, type Program, programOf } from './program-names.ts'

const options = {
  program: { type: 'string', value: 'platform|partner|sandbox', about: 'only the database of this program' },
  incompatible: {
    type: 'boolean',
    about:
      'apply migrations without asking even if the previous version cannot run with them; its processes must be stopped',
  },
} as const

export const migrate = command({
  name: 'migrate',
  summary: 'migrate the databases',
  usage: '[--program platform|partner|sandbox] [--incompatible]',
  options,
  async run({ options: { program, incompatible }, json, env }: CommandCall<typeof options>) {
    const programs =
      program !== undefined
        ? [programOf(program, all)]
        : secretText(env, 'DATABASE_URL')
          ? all.filter((one) => secretText(env, databaseVariable[one]))
          : all
    const plans = await Promise.all(programs.map((one) => planOf(one, env)))
    const breaking = plans.flatMap(({ refusals }) => refusals)
    if (breaking.length > 0 && !incompatible) await confirm(breaking, !json && process.stdin.isTTY)
    const applied: { program: Program; migration: string }[] = []
    for (const one of programs) {
      const onProgress = ({ index, phase, share }: IndexProgress) => {
        if (!json) process.stderr.write(`${one}: ${index}: ${phase}${share === null ? '' : `, ${percent(share)}`}\n`)
      }
      const names = await withDatabase(one, env, (db) => apply(db, migrationsOf[one], { onProgress }))
      applied.push(...names.map((migration) => ({ program: one, migration })))
    }
    const lines = applied.map(({ program: name, migration }) => `${name}: applied ${migration}`)
    const compatibility = plans.flatMap(({ compatibleVersions }) => compatibleVersions ?? [])
    const text = [...lines, ...compatibility].join('\n')
    return { text: text || 'Everything is up to date.', data: { applied, incompatible: breaking } }
  },
})

const percent = (share: number): string => `${Math.floor(share * 100)} %`

interface MigrationPlan {
  /** Missing migrations that are incompatible with the previous version. */
  refusals: string[]
  /** The versions that can run with the new schema; null for a new database or without missing migrations. */
  compatibleVersions: string | null
}

/** Returns what the missing migrations of a program mean for the versions that run. */
async function planOf(program: Program, env: NodeJS.ProcessEnv): Promise<MigrationPlan> {
  const { missing, isNew } = await withDatabase(program, env, (db) => missingMigrations(db, migrationsOf[program]))
  if (isNew || missing.length === 0) return { refusals: [], compatibleVersions: null }
  const reasons = incompatibleMigrations[program]
  const breaking = missing.filter((name) => name in reasons)
  const incompatible = Object.keys(reasons).sort()
  const versions = incompatible.length === 0 ? 'every version' : `versions that have ${incompatible.join(', ')}`
  return {
    refusals: breaking.map((name) => `${program}: ${name}: ${reasons[name]}`),
    compatibleVersions: `${program}: ${versions} can run beside this schema`,
  }
}

/** Asks for confirmation at a terminal; refuses elsewhere. */
async function confirm(breaking: string[], canAsk: boolean): Promise<void> {
  const reason = `the running version cannot work with these migrations:\n${breaking.map((line) => `  ${line}`).join('\n')}\n`
  const refused = new CannotRun(`${reason}stop its processes, then run lendloom migrate --incompatible`)
  if (!canAsk) throw refused
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${reason}Are its processes stopped? Apply them now? [y/N] `)
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw refused
}
