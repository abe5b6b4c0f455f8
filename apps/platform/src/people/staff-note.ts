// Staff notes on a journey. Their text is sealed and not in the audit log, because it may contain borrowers' data.
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { ConsolePerson, TxContext } from '#platform/context.ts'
import { noteStaffAct } from './audit.ts'
import { insertNote, type NoteRow } from './staff-note/store.ts'

const noteContext = ({ tenantId, noteId }: Pick<NoteRow, 'tenantId' | 'noteId'>) => `staff_note:${tenantId}:${noteId}`

/** Adds a note. Only platform staff can read notes of platform staff. */
export async function addNote(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  author: ConsolePerson,
  { tenantId, journeyId, text }: Pick<NoteRow, 'tenantId' | 'journeyId'> & { text: string },
): Promise<NoteRow> {
  const noteId = uuidv7(at.getTime(), bucketOf(journeyId))
  const row = {
    tenantId,
    journeyId,
    noteId,
    at,
    personId: author.personId,
    isPlatform: author.tenantId === null,
    textSealed: seal.bytes(Buffer.from(text), noteContext({ tenantId, noteId })),
  }
  await insertNote(tx, row)
  await noteStaffAct({ tx, at }, author, { act: 'NOTE_ADDED', subject: journeyId, tenantId })
  return row
}

export const noteText = (seal: Seal, row: NoteRow): string => seal.open(row.textSealed, noteContext(row)).toString()
