// The cursor of a timeline page.
import { badCursor } from '#platform/api/console/console-route.ts'
import type { Position } from './timeline-store.ts'

/** Encodes the position of an entry. */
export const cursorOf = ({ at, id }: Position): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url')

/** Throws `invalid` for the field `after` if the cursor is malformed. */
export function positionFrom(cursor: string): Position {
  const [, ms, id] = /^(\d{1,15}) ([\w.-]{3,200})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) throw badCursor()
  return { at: new Date(Number(ms)), id }
}
