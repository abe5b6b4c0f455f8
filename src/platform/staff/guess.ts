// Guesses at passwords and codes of the console: counted in the database, paused after some, and told to the person.

import {
  clearGuesses,
  codeLimit,
  countGuess,
  type Guess,
  type GuessKey,
  type GuessLimit,
  isPassing,
  passwordLimit,
  secondsUntil,
} from '#kit/db/guess-count.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { networkOf } from '#kit/http/sign-in-limit.ts'
import type { Context } from '#platform/context.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { noteStaffAct } from './audit.ts'
import { passkeyOrigin } from './passkey/party.ts'
import { emailDigest, platformTenant, tenantIn } from './person.ts'
import { identityOf } from './session.ts'
import type { PersonKey, PersonRow } from './store.ts'
import { guessMail } from './text-en.ts'

/** Where a guess comes from. */
export interface Guesser {
  address: string
  /** A browser in which the person has signed in: it has a count of its own, so guesses from elsewhere do not keep it out. */
  device: Buffer | null
}

/** Within a session guesses have a count of its own: they do not keep those out who sign in. */
export const guesserIn = ({ sessionId }: { sessionId: string }, address: string): Guesser => ({
  address,
  device: Buffer.from(sessionId),
})

const ofDevice = ({ device }: Guesser): string => (device ? ` ${device.toString('hex')}` : '')

/** Unknown addresses are counted too: the answers do not reveal which accounts exist. */
const passwordKey = (ctx: Pick<Context, 'seal'>, email: string, guesser: Guesser): GuessKey => ({
  tenantId: platformTenant,
  subject: `password ${emailDigest(ctx.seal, email).toString('hex')}${ofDevice(guesser)}`,
})

const codeKey = ({ tenantId, personId }: PersonKey, guesser: Guesser): GuessKey => ({
  tenantId,
  subject: `code ${personId}${ofDevice(guesser)}`,
})

/** After another password, or without the second factor, nothing that was guessed counts. */
export const forgetCodeGuesses = (db: Run, person: PersonKey): Promise<void> =>
  clearGuesses(db, codeKey(person, { address: '', device: null }))

interface Checked {
  key: GuessKey
  limit: GuessLimit
  secret: 'password' | 'code'
  found: PersonRow | undefined
  guesser: Guesser
}

/** Whether a guess is right. Refused as `rate-limited` in a pause. */
async function guarded(ctx: Context, checked: Checked, at: Date, isRight: () => Promise<boolean>): Promise<boolean> {
  const { key, limit, found } = checked
  const guess = await countGuess(ctx.db, key, limit, at)
  if (!guess.isAllowed) throw pausedRefusal(guess.pausedUntil, at)
  if (await isRight()) {
    await clearGuesses(ctx.db, key)
    return true
  }
  if (found && guess.pausedUntil) await tell(ctx, found, { ...checked, guess, until: guess.pausedUntil, at })
  return false
}

const pausedRefusal = (until: Date, at: Date): Refusal =>
  new Refusal(
    'rate-limited',
    isPassing(until, at) ? 'too many wrong tries' : 'too many wrong tries: this way in is closed',
    {
      retryAfterSeconds: isPassing(until, at) ? secondsUntil(until, at) : 86_400,
    },
  )

export interface SecretCheck {
  email: string
  found: PersonRow | undefined
  guesser: Guesser
  at: Date
}

/** Whether a password is right. Refused as `rate-limited` in a pause. */
export const checkPassword = (
  ctx: Context,
  { email, found, guesser, at }: SecretCheck,
  isRight: () => Promise<boolean>,
): Promise<boolean> =>
  guarded(
    ctx,
    { key: passwordKey(ctx, email, guesser), limit: passwordLimit, secret: 'password', found, guesser },
    at,
    isRight,
  )

/** Whether a code is right. Refused as `rate-limited` in a pause. */
export const checkCode = (
  ctx: Context,
  { found, guesser, at }: Omit<SecretCheck, 'email' | 'found'> & { found: PersonRow },
  isRight: () => Promise<boolean>,
): Promise<boolean> =>
  guarded(ctx, { key: codeKey(found, guesser), limit: codeLimit, secret: 'code', found, guesser }, at, isRight)

interface Pause extends Checked {
  guess: Extract<Guess, { isAllowed: true }>
  until: Date
  at: Date
}

/** A caller who guesses codes knows the password: the person is mailed at each pause of codes, of passwords at the first one only. */
async function tell(ctx: Context, found: PersonRow, { secret, guesser, guess, until, at }: Pause): Promise<void> {
  if (secret === 'password' && !guess.isFirstPause) return
  const { tenantId, personId } = found
  const { email, name } = identityOf(ctx.seal, found)
  const network = networkOf(guesser.address)
  const ends = isPassing(until, at) ? until : null
  await ctx.db.tx(async (tx) => {
    if (ctx.config.SMTP_URL !== 'none')
      await queueMail(
        { ...ctx, tx, at },
        {
          ...{ tenantId, kind: 'sign-in', subjectId: personId, to: email },
          ...guessMail({
            name,
            secret,
            network,
            at,
            ends,
            ways: openWays(ctx, { secret, isKnown: guesser.device !== null }),
          }),
          ...{ replyTag: null, inReplyTo: null, attachments: [] },
        },
      )
    const detail = { secret, network, until: ends?.toISOString() ?? 'reset' }
    const act = { act: 'SIGN_IN_PAUSED', subject: personId, tenantId: tenantIn(tenantId), detail }
    await noteStaffAct({ tx, at }, { personId, tenantId: tenantIn(tenantId) }, act)
  })
}

/** The ways in that stay open while one is paused. */
export function openWays(
  ctx: Context,
  { secret, isKnown }: { secret: 'password' | 'code'; isKnown: boolean },
): string[] {
  const { OPENID_NAME, OPENID_REPLACES_SECOND_FACTOR } = ctx.config
  const byOpenId = ctx.openId !== null && (secret === 'password' || OPENID_REPLACES_SECOND_FACTOR)
  return [
    ...(isKnown ? [] : ['a browser in which you have signed in before']),
    ...(passkeyOrigin(ctx) === null ? [] : ['a passkey']),
    ...(byOpenId ? [`signing in with ${OPENID_NAME}`] : []),
  ]
}

/** The refusal with the ways that stay open. */
export function withOpenWays(ctx: Context, refusal: Refusal, of: Parameters<typeof openWays>[1]): Refusal {
  const ways = openWays(ctx, of)
  const open = ways.length > 0 ? `; these ways stay open: ${ways.join(', ')}` : ''
  return new Refusal(refusal.kind, `${refusal.message}${open}`, refusal.details)
}
