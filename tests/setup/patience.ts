// Borrowers and integrators that retry transient failures, as a page and a server do, and nothing cleverer.

import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { act, type Borrower, enter, openSession, RequestRefused, readView, type SessionRequest } from './borrower.ts'
import { deadlineMs } from './deadline.ts'
import type { Reply } from './platform.ts'
import type { Programs } from './programs.ts'

/** Whether a retry may help: there was no response, a 5xx or a 429, or a file was not read in time. */
function isTransient(error: unknown): boolean {
  if (error instanceof RequestRefused) return error.reply.status >= 500 || error.reply.status === 429
  const { message } = error as Error
  return (
    message === 'fetch failed' ||
    message === 'terminated' ||
    /answered (the form with )?5\d\d|takes too long to be read/.test(message)
  )
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Retries `work` while it fails transiently, because programs may be killed and restarted many times meanwhile. */
export async function retryTransient<T>(what: string, work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 2 * deadlineMs; ; await sleep(150)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (Date.now() > deadline) throw new Error(`${what}: not within ${2 * deadlineMs} ms`, { cause: error })
    }
  }
}

/** Opens a session, with retries under one Idempotency-Key; a 5xx is retried too. */
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

/** Opens a borrower's page. A link is single-use, so if its response is lost, the integrator opens another session (D1 §1). */
async function page({ platformUrl, tenant }: Site, person: SessionRequest): Promise<Borrower> {
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

type Site = Pick<Programs, 'platformUrl' | 'tenant'>

export interface CompletedLoan {
  journeyId: string
  person: SessionRequest
  borrower: Borrower
}

/** Plays one borrower from the session to the disbursal, whatever happens to the programs meanwhile. */
export async function completeLoan(ctx: Site, person: SessionRequest, withinMs?: number): Promise<CompletedLoan> {
  const borrower = await page(ctx, person)
  await completeJourney(borrower, ['DISBURSED'], withinMs)
  return { journeyId: borrower.journeyId, person, borrower }
}

/** Acts until the page shows one of the screens. */
export async function completeJourney(
  borrower: Borrower,
  screens: Borrower['view']['screen'][],
  withinMs = 2 * deadlineMs,
): Promise<void> {
  const deadline = Date.now() + withinMs
  for (; !screens.includes(borrower.view.screen); await sleep(250)) {
    await retryTransient('an act', () => readAndAct(borrower))
    if (Date.now() > deadline)
      throw new Error(`${borrower.journeyId} is still ${borrower.view.status} ${borrower.view.screen}`)
  }
}

/** Reads the view and acts on it. A 409 is ignored: an earlier request whose response was lost may have had its effect. */
async function readAndAct(borrower: Borrower): Promise<void> {
  await readView(borrower)
  try {
    await act(borrower)
  } catch (error) {
    if (!(error instanceof RequestRefused && error.reply.status === 409)) throw error
  }
}

/** Returns a repeatable generator of numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
