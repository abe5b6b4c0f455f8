// Checks that the keys at hand open a restored database.

import { secretText } from '@lendloom/foundation/config'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { isDigestKeyOf } from '@lendloom/postgres/digest-key'
import { sampleKeys } from '@lendloom/postgres/sealed-sample'
import { connect, type Db } from '@lendloom/postgres/sql'
import { type Seal, sealWith } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import { CannotRun } from '#cli/command.ts'
import type { InstallationKeys } from '#cli/installation-keys.ts'
import { sealedColumns } from '#cli/keys/sealed-columns.ts'
import type { Program } from '#cli/program-names.ts'

interface KeyCheck {
  url: string
  name: string
  keys: InstallationKeys
  env: NodeJS.ProcessEnv
}

const programOfDatabase: Record<string, Program> = {
  lendloom: 'platform',
  lendloom_partner: 'partner',
  lendloom_second_partner: 'partner',
  lendloom_sandbox: 'sandbox',
}

/** Returns how many sampled values opened, one per column and key; null without such a database. Throws for other keys. */
export async function checkKeys({ url, name, keys, env }: KeyCheck): Promise<number | null> {
  const program = programOfDatabase[name] ?? 'platform'
  const db = connect(url, { connections: 1 })
  try {
    const seal = sealOfDatabase(name, program, keys, env)
    if (!(await isDigestKeyOf(db, seal))) throw new CannotRun('the digest key is another one')
    let opened = 0
    for (const column of sealedColumns[program]) opened += await openSample(db, seal, column)
    return opened
  } catch (error) {
    // The database is missing, or its program has never run.
    if (codeOf(error) === '3D000' || codeOf(error) === '42P01') return null
    throw new CannotRun(`keys.json does not have the keys of the database ${name}: ${messageOf(error)}`)
  } finally {
    await db.close()
  }
}

/** A column of a newer version than the backup has no values. */
async function openSample(db: Db, seal: Seal, column: SealedColumn): Promise<number> {
  const sampled = await sampleKeys(db, seal, column).catch((error: unknown) => {
    if (codeOf(error) === '42P01' || codeOf(error) === '42703') return []
    throw error
  })
  const closed = sampled.find(({ isOpened }) => !isOpened)
  if (closed) throw new CannotRun(`a value of ${column.table}.${column.column} has the key ${closed.keyId}`)
  return sampled.length
}

function sealOfDatabase(name: string, program: Program, keys: InstallationKeys, env: NodeJS.ProcessEnv): Seal {
  const given = name === 'lendloom' ? secretText(env, 'LENDLOOM_KEYS') : ''
  if (given) return sealWith(given, secretText(env, 'LENDLOOM_DIGEST_KEY'), sealedColumns.platform)
  if (name === 'lendloom_second_partner') return sealWith(keys.secondPartner, undefined, sealedColumns.partner)
  return sealWith(keys[program], keys.digest?.[program], sealedColumns[program])
}
