// Counts guesses at a secret in the database, for all processes and across restarts.

import type { Run } from '@lendloom/postgres/sql'

export interface GuessLimit {
  /** The number of wrong guesses before each pause. */
  every: number
  /** The successive pauses in minutes. The last pause repeats. */
  pauseMinutes: readonly number[]
}

/** A pause of a hundred years, which in effect only a new secret ends. */
const untilReset = 60 * 24 * 365 * 100

/** For codes of six digits: at most 15 wrong guesses in a day, and 20 in total. */
export const codeLimit: GuessLimit = { every: 5, pauseMinutes: [15, 60, 24 * 60, untilReset] }
/** Every pause ends, because another person's guesses must not lock an account permanently. */
export const passwordLimit: GuessLimit = { every: 10, pauseMinutes: [15, 60] }

export interface GuessKey {
  tenantId: string
  /** The owner and kind of the secret, and the device when it is counted separately. */
  subject: string
}

export type Guess =
  /** `pausedUntil` is the end of the pause that begins if this guess is wrong. */
  { isAllowed: true; pausedUntil: Date | null; isFirstPause: boolean } | { isAllowed: false; pausedUntil: Date }

/** Counts a guess before the check, so that concurrent guesses count too. After a right guess, call `clearGuesses`. */
export async function countGuess(db: Run, key: GuessKey, limit: GuessLimit, at: Date): Promise<Guess> {
  const { tenantId, subject } = key
  const { every, pauseMinutes } = limit
  const pauseEnds = pauseMinutes.map((minutes) => new Date(at.getTime() + minutes * 60_000))
  const firstPause = every === 1 ? (pauseEnds[0] ?? null) : null
  const [row] = await db<{ guesses: number; pausedUntil: Date | null }>`
    insert into guess_count as c (tenant_id, subject, guesses, paused_until, guessed_at)
    values (${tenantId}, ${subject}, 1, ${firstPause}, ${at})
    on conflict (tenant_id, subject) do update set guesses = c.guesses + 1, guessed_at = excluded.guessed_at,
      paused_until = case when (c.guesses + 1) % ${every}::integer = 0
        then (${pauseEnds}::timestamptz[])[least((c.guesses + 1) / ${every}::integer, ${pauseEnds.length}::integer)] end
    where c.paused_until is null or c.paused_until <= excluded.guessed_at
    returning guesses, paused_until`
  if (row) return { isAllowed: true, pausedUntil: row.pausedUntil, isFirstPause: row.guesses === every }
  const [paused] = await db<{ pausedUntil: Date | null }>`
    select paused_until from guess_count where tenant_id = ${tenantId} and subject = ${subject}`
  return { isAllowed: false, pausedUntil: paused?.pausedUntil ?? at }
}

/**
 * Takes back one guess that was right, for a subject that others guess at too, so that only wrong guesses slow it. Ends
 * the pause that the guess began; null for a guess of an earlier call, after which others may have begun it.
 */
export async function takeBackGuess(db: Run, { tenantId, subject }: GuessKey, guess: Guess | null): Promise<void> {
  const hasBegunPause = guess?.isAllowed === true && guess.pausedUntil !== null
  await db`
    update guess_count set guesses = greatest(guesses - 1, 0),
      paused_until = case when ${hasBegunPause}::boolean then null else paused_until end
    where tenant_id = ${tenantId} and subject = ${subject}`
}

/** Returns the end of a pause without counting a guess; null if a guess is allowed. */
export async function findPause(db: Run, { tenantId, subject }: GuessKey, at: Date): Promise<Date | null> {
  const [row] = await db<{ pausedUntil: Date }>`
    select paused_until from guess_count where tenant_id = ${tenantId} and subject = ${subject} and paused_until > ${at}`
  return row?.pausedUntil ?? null
}

/** Clears the wrong guesses after a right one, or when the secret was replaced. */
export async function clearGuesses(db: Run, { tenantId, subject }: GuessKey): Promise<void> {
  await db`delete from guess_count where tenant_id = ${tenantId} and subject = ${subject}`
}

/** Also clears the guesses of every device, whose subjects begin with this subject and a blank. */
export async function clearAllGuesses(db: Run, { tenantId, subject }: GuessKey): Promise<void> {
  await db`
    delete from guess_count
    where tenant_id = ${tenantId} and (subject = ${subject} or starts_with(subject, ${`${subject} `}))`
}

/** Deletes old guesses whose pause is over. */
export async function deleteOldGuesses(db: Run, before: Date): Promise<void> {
  await db`
    delete from guess_count where guessed_at < ${before} and (paused_until is null or paused_until < ${before})`
}

/** Returns the seconds for `Retry-After`. */
export const secondsUntil = (until: Date, at: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000))

/** Whether the pause ends without a new secret. */
export const isTemporaryPause = (until: Date, at: Date): boolean => secondsUntil(until, at) < (untilReset * 60) / 2
