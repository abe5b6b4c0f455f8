// Reads what has moved from a journey's rows to the archive.
import { readArchive } from '@lendloom/archive/archive'
import type { ArchivedRow } from '@lendloom/archive/archived-row'
import { ownValue } from '@lendloom/foundation/record'
import type { Context } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { ownerOf } from './store.ts'

export type ArchiveReader = Pick<Context, 'db' | 'seal' | 'archive'>

/** A table, and the value of a column that names one of its rows. */
interface RowName {
  table: string
  column: string
  value: string
}

/** Finds an archived row of a journey; null if it is not archived, or if this process has no archive. */
export async function findArchivedRow(
  { db, seal, archive }: ArchiveReader,
  journey: JourneyKey,
  { table, column, value }: RowName,
): Promise<ArchivedRow | null> {
  if (archive === null) return null
  for await (const archived of readArchive({ db, seal, objects: archive }, ownerOf(journey)))
    if (archived.table === table && ownValue(archived.row, column) === value) return archived
  return null
}

export function mainText({ values: { body, payload, detail } }: ArchivedRow): string | null {
  const value = body ?? payload ?? detail ?? null
  return value === null || typeof value === 'string' ? value : Buffer.from(value.base64, 'base64').toString()
}
