// `lendloom migrate`: brings the databases up to date without starting anything; the programs do the same when they start.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrate as apply } from '#kit/db/migrate.ts'
import { type Call, command } from './command.ts'
import { databaseVariable, withSchema } from './database.ts'
import { home } from './installation.ts'
import { programs as all, type Program, programOf } from './programs.ts'

const options = {
  program: { type: 'string', value: 'platform|partner|sandbox', about: 'only the database of this program' },
} as const

export const migrate = command({
  name: 'migrate',
  summary: 'bring the databases up to date',
  usage: '[--program platform|partner|sandbox]',
  options,
  async run({ options: { program }, env }: Call<typeof options>) {
    const programs =
      program !== undefined
        ? [programOf(program, all)]
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
