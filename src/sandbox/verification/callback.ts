// Tells the client what has happened: a signed callback for each change, tried again until it is taken, or as a rule spoils it.
import { callbackBody, signCallback } from '#contract/provider/callback.ts'
import { secretOf } from '#contract/webhook/signature.ts'
import { randomOctets } from '#kit/chance.ts'
import { secondsAfter } from '#kit/clock.ts'
import { call, Unreached } from '#kit/http-client.ts'
import { uuidv7 } from '#kit/id.ts'
import { enqueue, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { VerificationWorld } from './manner.ts'
import { providers, told } from './providers.ts'
import { callbackWith, keepCallback, noteTry } from './store.ts'
import type { Verification } from './verification.ts'

const jobKind = 'verification-callback'
/** After this long a callback is given up: a look-up tells the same. */
const oldestSeconds = 3600
const lateTimes = 10
const disorderedSeconds = 2
const disorderedTimes = 5

/** Enqueues the callback of a change with the change itself. `from` is the state before. */
export async function tell(tx: Tx, world: VerificationWorld, of: Verification, from: string): Promise<void> {
  const eventId = uuidv7(of.updatedAt.getTime())
  const { verificationId, asked } = of
  const body = callbackBody(eventId, of.updatedAt, await told(tx, world, of))
  const callback = { eventId, verificationId, url: asked.callback_url, body, createdAt: of.updatedAt }
  await keepCallback(tx, world.seal, callback)
  const dueAt = secondsAfter(of.updatedAt, delayOf(of, from, world.verification.seconds))
  for (const [copy, payload] of postingsOf(of, eventId).entries())
    await enqueue(tx, { tenantId: verificationId, kind: jobKind, key: `${eventId}/${copy}`, payload, dueAt })
}

/** One posting of a callback; a forged one is a stranger's. */
interface Posting {
  eventId: string
  forged?: boolean
}

function postingsOf({ twist }: Verification, eventId: string): Posting[] {
  if (twist === 'callback-lost') return []
  if (twist === 'callback-doubled') return [{ eventId }, { eventId }]
  return twist === 'callback-forged' ? [{ eventId, forged: true }, { eventId }] : [{ eventId }]
}

function delayOf({ twist, kind }: Verification, from: string, seconds: number): number {
  if (twist === 'callback-late') return seconds * lateTimes
  const isFirst = from === providers[kind].initial
  return twist === 'callback-disordered' && isFirst ? disorderedSeconds + seconds * disorderedTimes : 0
}

export const callingBack = (world: VerificationWorld): Worker =>
  work<Posting>({
    kind: jobKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: ({ payload }) => (payload.forged ? forge(world, payload) : post(world, payload)),
  })

async function post({ db, seal, clock, verification }: VerificationWorld, { eventId }: Posting): Promise<void> {
  const callback = (await callbackWith(db, seal, eventId))!
  const { callbackSecret } = verification.clients[callback.kind]
  const headers = signCallback(callbackSecret, eventId, clock(), callback.body)
  const answer = await answered(() => call({ method: 'POST', url: callback.url, headers, body: callback.body }))
  await noteTry(db, eventId, answer, clock())
  if (/^2\d\d$/.test(answer)) return
  const age = (clock().getTime() - callback.createdAt.getTime()) / 1000
  if (age < oldestSeconds) throw new Later(Math.min(Math.max(age, 1), 60), `the callback was answered ${answer}`)
}

/** What a stranger would try, who knows the address and everything but the secret. Whatever it is answered, that was all. */
async function forge({ db, seal, clock }: VerificationWorld, { eventId }: Posting): Promise<void> {
  const { kind, url, body } = (await callbackWith(db, seal, eventId))!
  const { data } = JSON.parse(body.toString('utf8'))
  const better = { ...data, state: providers[kind].best, reason_code: null }
  const forged = callbackBody(uuidv7(clock().getTime()), clock(), better)
  const headers = signCallback(secretOf(randomOctets(32)), eventId, clock(), forged)
  await answered(() => call({ method: 'POST', url, headers, body: forged }))
}

async function answered(attempt: () => Promise<{ status: number }>): Promise<string> {
  try {
    return String((await attempt()).status)
  } catch (error) {
    if (error instanceof Unreached) return error.message
    throw error
  }
}
