// The cursor of a timeline page.
import { badCursor } from '#platform/console/route.ts'
import type { Position } from './timeline-store.ts'

/** The position of an entry, as a cursor. */
export const cursorOf = ({ at, id }: Position): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url')

/** Refused as `invalid` at `after`. */
export function positionFrom(cursor: string): Position {
  const [, ms, id] = /^(\d{1,15}) ([\w.-]{3,200})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) throw badCursor()
  return { at: new Date(Number(ms)), id }
}
