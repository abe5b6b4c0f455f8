// Table staff_note: notes of staff on a journey.

import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'

export interface NoteRow {
  tenantId: string
  journeyId: string
  noteId: string
  personId: string
  isPlatform: boolean
  textSealed: Buffer
  at: Date
}

export async function insertNote(tx: Tx, row: NoteRow): Promise<void> {
  await tx`insert into staff_note ${tx({ bucket: bucketOf(row.journeyId), ...row })}`
}

/** Maximum number of notes shown per journey. */
export const maxNotes = 200

/** Lists notes, newest first. Notes of platform staff are listed only if the reader is platform staff. */
export const listNotes = (
  db: Run,
  { tenantId, journeyId }: Pick<NoteRow, 'tenantId' | 'journeyId'>,
  isPlatformStaff: boolean,
  limit: number,
): Promise<NoteRow[]> => db<NoteRow>`
  select tenant_id, journey_id, note_id, person_id, is_platform, text_sealed, at from staff_note
  where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and (${isPlatformStaff}::boolean or not is_platform)
  order by note_id desc limit ${limit}`
