// Checks that the configured keys open the stored values, and names keys that no value needs.

import { sampleKeys } from '@lendloom/postgres/sealed-sample'
import type { Db } from '@lendloom/postgres/sql'
import { type Seal, sealKeyIds } from '@lendloom/seal/seal'
import { type Finding, failed, ok, warning } from '#cli/check.ts'
import { sealedColumns } from '#cli/keys/sealed-columns.ts'
import type { Program } from '#cli/program-names.ts'

interface SealedValues {
  program: Program
  db: Db
  seal: Seal
  keys: string
}

export async function checkSealedValues({ program, db, seal, keys }: SealedValues): Promise<Finding> {
  const usedIds = new Set<string | null>()
  const unopened: string[] = []
  for (const column of sealedColumns[program])
    for (const { keyId, isOpened } of await sampleKeys(db, seal, column)) {
      usedIds.add(keyId)
      if (!isOpened) unopened.push(`${column.table}.${column.column} (key ${keyId ?? 'unknown'})`)
    }
  if (unopened.length > 0)
    return failed(
      `no configured key opens values of ${unopened.join(', ')}`,
      'add the missing keys to LENDLOOM_KEYS, as id:base64:open; under a key that is configured, the values are damaged',
    )
  const [current, ...others] = sealKeyIds(keys)
  const unused = others.filter(({ id }) => !usedIds.has(id))
  if (unused.length === 0) return ok(`the keys open a sample of every column; ${current?.id} seals new values`)
  const found = unused.map(({ id, isOpenOnly }) => `key ${id}${isOpenOnly ? ' (only opens)' : ''}`).join(', ')
  return warning(
    `no value of the sample needs ${found}`,
    'when lendloom keys reseal finds nothing under it either, remove and destroy it; the digest key must stay in LENDLOOM_DIGEST_KEY',
  )
}
