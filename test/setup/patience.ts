// Borrowers who try again: what a page and a server do when the other side is away for a moment, and nothing cleverer.

import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { act, type Borrower, enter, openSession, RequestRefused, readView, type SessionRequest } from './borrower.ts'
import { deadlineMs } from './deadline.ts'
import type { Reply } from './platform.ts'
import type { Programs } from './programs.ts'

/** Whether it is worth trying again: nobody answered, or somebody who had a bad moment and says so. */
function isPassing(error: unknown): boolean {
  if (error instanceof RequestRefused) return error.reply.status >= 500 || error.reply.status === 429
  const { message } = error as Error
  return message === 'fetch failed' || message === 'terminated' || /answered 5\d\d/.test(message)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats `work` while the trouble is passing: programs may be killed and started again many times meanwhile. */
export async function retryTransient<T>(what: string, work: () => Promise<T>, withinMs = 4 * deadlineMs): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await sleep(150)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`, { cause: error })
    }
  }
}

/** Opens a session under one Idempotency-Key, however often it has to be asked; an answer that is no promise is none. */
export const openSessionWithRetry = (
  platformUrl: string,
  tenant: SandboxTenant,
  person: SessionRequest,
  key: string,
): Promise<Reply> =>
  retryTransient('a session', async () => {
    const reply = await openSession(platformUrl, tenant, person, { 'idempotency-key': key })
    if (reply.status >= 500) throw new RequestRefused('a session', reply)
    return reply
  })

/** The page of a borrower. A link whose answer was lost is spent: the integrator opens another session (D1 §1). */
async function page({ platformUrl, tenant }: Programs, person: SessionRequest): Promise<Borrower> {
  for (let i = 0; ; i++) {
    const { body } = await openSessionWithRetry(platformUrl, tenant, person, `${person.borrowerProviderID}-${i}`)
    try {
      return await enter(platformUrl, body.embedUrl)
    } catch (error) {
      if (i === 20) throw error
      await sleep(150)
    }
  }
}

export interface CompletedLoan {
  journeyId: string
  person: SessionRequest
}

/** One borrower from the session to the money, through whatever happens on the way. */
export async function completeLoan(
  ctx: Programs,
  person: SessionRequest,
  withinMs = 4 * deadlineMs,
): Promise<CompletedLoan> {
  const borrower = await page(ctx, person)
  const deadline = Date.now() + withinMs
  for (; borrower.view.screen !== 'DISBURSED'; await sleep(250)) {
    await retryTransient('an act', () => actOrLook(borrower))
    if (Date.now() > deadline)
      throw new Error(`${borrower.journeyId} is still ${borrower.view.status} ${borrower.view.screen}`)
  }
  return { journeyId: borrower.journeyId, person }
}

/** Looks, then acts on what is seen now. What somebody else was quicker to do, such as our own lost request, is no fault. */
async function actOrLook(borrower: Borrower): Promise<void> {
  await readView(borrower)
  try {
    await act(borrower)
  } catch (error) {
    if (!(error instanceof RequestRefused && error.reply.status === 409)) throw error
  }
}

/** Random numbers that can be repeated: the same seed gives the same numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
