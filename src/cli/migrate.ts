// `lendloom migrate`: brings the databases up to date without starting anything; the programs do the same when they start.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrate as apply } from '#kit/db/migrate.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import { type Call, command, UsageError } from './command.ts'
import { databaseVariable, withSchema } from './database.ts'
import { home } from './installation.ts'
import type { Program } from './programs.ts'

const all: Program[] = ['platform', 'partner', 'sandbox']
const isProgram = (name: string): name is Program => isOneOf(all, name)

const options = {
  program: { type: 'string', value: 'platform|partner|sandbox', about: 'only the database of this program' },
} as const

export const migrate = command({
  name: 'migrate',
  summary: 'bring the databases up to date',
  usage: '[--program platform|partner|sandbox]',
  options,
  async run({ options: { program }, env }: Call<typeof options>) {
    if (program !== undefined && !isProgram(program))
      throw new UsageError(`--program must be platform, partner or sandbox, not "${program}"`)
    const programs: Program[] = program
      ? [program]
      : env.DATABASE_URL
        ? all.filter((one) => env[databaseVariable[one]])
        : all
    const applied: { program: Program; migration: string }[] = []
    for (const one of programs) {
      const directory = join(home, 'src', one, 'migrations')
      if (!existsSync(directory)) continue
      const names = await withSchema(one, env, (db) => apply(db, directory))
      applied.push(...names.map((migration) => ({ program: one, migration })))
    }
    const text = applied.map(({ program: name, migration }) => `${name}: applied ${migration}`).join('\n')
    return { text: text || 'Everything is up to date.', data: { applied } }
  },
})
