// Pieces of the statements that count: the half hour of an instant, and the bucket of a duration.
import { type Fragment, sql } from '#kit/db/sql.ts'

/** The beginning of the half hour of an instant. */
export const halfHour = (at: Fragment): Fragment =>
  sql`date_bin('30 minutes'::interval, ${at}, '2000-01-01T00:00:00Z'::timestamptz)`

/** The bucket of a number that is not negative, as text: four to a doubling. */
export const bucket = (value: Fragment): Fragment =>
  sql`floor(4 * ln(greatest(1, ${value})::float8) / ln(2::float8))::integer::text`

export const millisecondsFrom = (from: Fragment, until: Fragment): Fragment =>
  sql`extract(epoch from (${until} - ${from})) * 1000`

/** The instant in a time-ordered id (version 7). */
export const instantIn = (id: Fragment): Fragment =>
  sql`to_timestamp((('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint) / 1000.0)`
