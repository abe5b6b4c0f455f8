// Counts guesses at a secret in the database: over all processes and restarts. The table guess_count is in every program in which
// people sign in.

import type { Run } from './sql.ts'

export interface GuessLimit {
  /** After how many wrong guesses in a row a pause begins. */
  every: number
  /** The pauses in minutes, one after the other; the last one repeats. */
  pauseMinutes: readonly number[]
}

/** In effect for good: only another way in, or another secret, ends it. */
const untilReset = 60 * 24 * 365 * 100

/** Codes of six digits: 15 wrong ones in a day at most, 20 in all. */
export const codeLimit: GuessLimit = { every: 5, pauseMinutes: [15, 60, 24 * 60, untilReset] }
/** Passwords are long, so pauses end: guesses at a name must not keep its owner out for good. */
export const passwordLimit: GuessLimit = { every: 10, pauseMinutes: [15, 60] }

export interface GuessKey {
  tenantId: string
  /** The owner and kind of the secret, and the device when it is counted separately. */
  subject: string
}

export type Guess =
  /** `pausedUntil`: the pause that begins with this guess, if it is wrong. */
  { isAllowed: true; pausedUntil: Date | null; isFirstPause: boolean } | { isAllowed: false; pausedUntil: Date }

/** Counts a guess before it is checked, so that guesses at the same time are counted too. A right one is followed by `clearGuesses`. */
export async function countGuess(db: Run, key: GuessKey, limit: GuessLimit, at: Date): Promise<Guess> {
  const { tenantId, subject } = key
  const { every, pauseMinutes } = limit
  const [row] = await db<{ guesses: number; pausedUntil: Date | null }>`
    insert into guess_count as c (tenant_id, subject, guesses, paused_until, guessed_at)
    values (${tenantId}, ${subject}, 1, null, ${at})
    on conflict (tenant_id, subject) do update set guesses = c.guesses + 1, guessed_at = excluded.guessed_at,
      paused_until = case when (c.guesses + 1) % ${every}::integer = 0 then excluded.guessed_at + interval '1 minute'
        * (${[...pauseMinutes]}::integer[])[least((c.guesses + 1) / ${every}::integer, ${pauseMinutes.length}::integer)] end
    where c.paused_until is null or c.paused_until <= excluded.guessed_at
    returning guesses, paused_until`
  if (row) return { isAllowed: true, pausedUntil: row.pausedUntil, isFirstPause: row.guesses === every }
  const [paused] = await db<{ pausedUntil: Date | null }>`
    select paused_until from guess_count where tenant_id = ${tenantId} and subject = ${subject}`
  return { isAllowed: false, pausedUntil: paused?.pausedUntil ?? at }
}

/** Clears the wrong guesses after a right one, or when the secret was replaced. */
export async function clearGuesses(db: Run, { tenantId, subject }: GuessKey): Promise<void> {
  await db`delete from guess_count where tenant_id = ${tenantId} and subject = ${subject}`
}

/** Also the counts of every device: the keys that start with this one and a blank. */
export async function clearAllGuesses(db: Run, { tenantId, subject }: GuessKey): Promise<void> {
  await db`
    delete from guess_count
    where tenant_id = ${tenantId} and (subject = ${subject} or starts_with(subject, ${`${subject} `}))`
}

/** Forgets guesses of long ago whose pause is over. */
export async function deleteOldGuesses(db: Run, before: Date): Promise<void> {
  await db`
    delete from guess_count where guessed_at < ${before} and (paused_until is null or paused_until < ${before})`
}

/** For `Retry-After`. */
export const secondsUntil = (until: Date, at: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))

/** Whether time alone ends the pause. */
export const isTemporaryPause = (until: Date, at: Date): boolean => secondsUntil(until, at) < (untilReset * 60) / 2
