// Forged, late, repeated and contradictory returns from the account aggregator: only its server's status counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AaSession, aaIdOf, sessionRef } from '@lendloom/platform/src/lenders/network/consent/aa-session.ts'
import { listAaSessions } from '@lendloom/platform/src/lenders/network/consent/store.ts'
import { type ReturnErrorCode, returnTo } from '@lendloom/wire/aggregator/redirect-back'
import { decideAtAggregator } from '#test/setup/aggregator.ts'
import {
  apply,
  type Borrower,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
} from '#test/setup/borrower.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const { platformUrl, tenant, db, seal } = programs

const secret = 'sandbox-secret-of-lendloom'

interface BorrowerAtAggregator {
  borrower: Borrower
  link: string
}

/** A borrower with a link to the aggregator and no decision yet. */
async function borrowerAtAggregator(): Promise<BorrowerAtAggregator> {
  const { body } = await openSession(platformUrl, tenant, newApplicant())
  const borrower = await enter(platformUrl, body.embedUrl, 'ABCPE1234F')
  await apply(borrower)
  await proceedUntil(borrower, 'the lender asks', ({ accountAggregator }) => accountAggregator.length > 0, browseOnly)
  return { borrower, link: await linkOf(borrower) }
}

const linkOf = async (borrower: Borrower): Promise<string> =>
  (await call(borrower, 'POST', `/aa/${borrower.view.accountAggregator[0]!.offerId}/redirect`)).body.url

const sessionOf = async ({ journeyId }: Borrower): Promise<AaSession> =>
  (await listAaSessions(db, { tenantId: tenant.tenantId, journeyId })).at(-1)!

const waitForState = (borrower: Borrower, state: AaSession['state']): Promise<boolean> =>
  until(state, async () => (await sessionOf(borrower)).state === state)

interface ForgedReturn {
  code?: ReturnErrorCode
  txnId?: string
  sessionId?: string
  handles?: string[]
  at?: Date
  aggregatorId?: string
  secret?: string
}

/** Sends a return as a browser could: the aggregator's result, or a forged one. */
async function sendReturn(borrower: Borrower, forged: ForgedReturn = {}): Promise<Response> {
  const session = await sessionOf(borrower)
  const { code = 0, at = new Date() } = forged
  const result = {
    txnId: forged.txnId ?? session.txnid!,
    sessionId: forged.sessionId ?? sessionRef(session),
    userId: aaIdOf({ seal }, session),
    status: code === 0 ? ('S' as const) : ('F' as const),
    errorCode: code,
    handles: forged.handles ?? [session.consentHandle!],
  }
  const { aggregatorId = session.aggregatorId, secret: key = secret } = forged
  return fetch(await returnTo(`${platformUrl}/aa/return`, { aggregatorId, secret: key }, result, at))
}

test('D2 §2.2: a success return is ignored while the aggregator reports PENDING, and the later approval counts', async () => {
  const { borrower, link } = await borrowerAtAggregator()
  assert.equal((await sendReturn(borrower)).status, 200)
  await waitForState(borrower, 'RECONCILING')
  assert.equal(
    borrower.view.offers.some(({ lenderName }) => lenderName === 'Narmada Finserv'),
    false,
  )
  await decideAtAggregator(link, 'approve')
  await waitForState(borrower, 'CONFIRMED')
})

test('D2 §2.2: a failure return is ignored while the aggregator reports ACTIVE', async () => {
  const { borrower, link } = await borrowerAtAggregator()
  await decideAtAggregator(link, 'approve')
  assert.equal((await sendReturn(borrower, { code: 1 })).status, 200)
  await waitForState(borrower, 'CONFIRMED')
})

test('D2 §2.2: an approval is found before the browser returns, and the return changes nothing', async () => {
  const { borrower, link } = await borrowerAtAggregator()
  const back = await decideAtAggregator(link, 'approve')
  await waitForState(borrower, 'CONFIRMED')
  for (let i = 0; i < 2; i++) assert.equal((await fetch(back)).status, 200)
  assert.equal((await sessionOf(borrower)).state, 'CONFIRMED')
})

test('D2 §2.2: a repeated return counts once, and the return of an older link is only recorded', async () => {
  const { borrower } = await borrowerAtAggregator()
  const olderTxnId = (await sessionOf(borrower)).txnid!
  await linkOf(borrower)
  assert.equal((await sendReturn(borrower, { txnId: olderTxnId, code: 5 })).status, 200)
  const { state, returnedCode } = await sessionOf(borrower)
  assert.equal(state, 'IN_PROGRESS')
  assert.equal(returnedCode, null)
  const [recorded] = await db<{
    returnedCode: number
  }>`select returned_code from aa_redirect where txnid = ${olderTxnId}`
  assert.equal(recorded!.returnedCode, 5, 'the return is recorded')

  assert.equal((await sendReturn(borrower, { code: 5 })).status, 200)
  await waitForState(borrower, 'REDIRECT_READY')
  assert.equal((await sendReturn(borrower, { code: 1 })).status, 200, 'a second return by the same link is accepted')
  assert.equal((await sessionOf(borrower)).returnedCode, 5)
})

test('D2 §4: a stale or unreadable return, or one of another aggregator or session, is refused', async () => {
  const { borrower } = await borrowerAtAggregator()
  const invalidReturns: ForgedReturn[] = [
    { at: new Date(Date.now() - 300_000) },
    { at: new Date(Date.now() + 300_000) },
    { aggregatorId: 'another.example' },
    { secret: 'another secret' },
    { sessionId: 'x' },
    { txnId: '00000000-0000-4000-8000-000000000000' },
    { txnId: 'none' },
    { handles: ['another handle'] },
  ]
  for (const forged of invalidReturns)
    assert.equal((await sendReturn(borrower, forged)).status, 400, JSON.stringify(forged))
  for (const query of ['', '?ecres=a&resdate=b&fi=c'])
    assert.equal((await fetch(`${platformUrl}/aa/return${query}`)).status, 400)
  assert.equal((await sessionOf(borrower)).state, 'IN_PROGRESS')
})

test('D2 §2.2: an approval after the end of the session changes nothing', async () => {
  const { borrower, link } = await borrowerAtAggregator()
  assert.equal((await sendReturn(borrower, { code: 4 })).status, 200)
  await waitForState(borrower, 'FAILED')
  await decideAtAggregator(link, 'approve')
  assert.equal((await sendReturn(borrower)).status, 200)
  assert.equal((await sessionOf(borrower)).state, 'FAILED')
})

test('FIS12 §7.8: the aggregator refuses an unknown requestor and a link that is too old or was changed', async () => {
  const { borrower, link } = await borrowerAtAggregator()
  const status = async (change: (url: URL) => void) => {
    const url = new URL(link)
    change(url)
    return (await fetch(url, { redirect: 'manual' })).status
  }
  assert.equal(await status(() => {}), 200)
  assert.equal(await status((url) => url.searchParams.set('fi', 'AAAA')), 400)
  assert.equal(await status((url) => url.searchParams.set('reqdate', '010120200000000')), 400)
  assert.equal(await status((url) => url.searchParams.delete('ecreq')), 400)
  const decision = await fetch(new URL('/aggregator/web/decide', link), {
    method: 'POST',
    body: 'outcome=approve&ticket=x',
  })
  assert.equal(decision.status, 400)
  assert.equal((await sessionOf(borrower)).state, 'IN_PROGRESS')
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
