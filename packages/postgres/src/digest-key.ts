// Checks at the start that the digests of a database were made with our key, and reads the bucket of an id in SQL.

import { ConfigError } from '@lendloom/foundation/config'
import type { Seal } from '@lendloom/seal/seal'
import { type Fragment, type Run, sql } from './sql.ts'

/** Records the digest key of a new database. Throws `ConfigError` when the database was made with another key. */
export async function checkDigestKey(db: Run, seal: Seal): Promise<void> {
  await db`insert into digest_key (id, fingerprint) values (1, ${fingerprintOf(seal)}) on conflict (id) do nothing`
  if (!(await isDigestKeyOf(db, seal)))
    throw new ConfigError(
      'configuration:\n  LENDLOOM_DIGEST_KEY is not the key that the digests of this database were made with; set it to the key that was the last one of LENDLOOM_KEYS then',
    )
}

/** Whether the database was made with this digest key, or has no key yet. */
export async function isDigestKeyOf(db: Run, seal: Seal): Promise<boolean> {
  const [known] = await db<{ fingerprint: Buffer }>`select fingerprint from digest_key where id = 1`
  return !known || known.fingerprint.equals(fingerprintOf(seal))
}

const fingerprintOf = (seal: Seal): Buffer => seal.digest('fingerprint', 'digest key')

/** Returns the SQL form of `bucketOf` for the id of a row. */
export const bucketIn = (id: Fragment): Fragment =>
  sql`((get_byte(uuid_send(${id}), 6) & 15) << 8 | get_byte(uuid_send(${id}), 7))::smallint`
