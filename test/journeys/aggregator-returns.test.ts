// Returns from the aggregator that are forged, late, repeated or contradicted: its server decides, whatever a browser carries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReturnErrorCode, returnTo } from '#contract/aggregator/return.ts'
import { type AaSession, aaIdOf, sessionRef } from '#platform/aa/session.ts'
import { listAaSessions } from '#platform/aa/store.ts'
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

interface Sent {
  one: Borrower
  link: string
}

/** A borrower who has a link to the aggregator and has not decided yet. */
async function sent(): Promise<Sent> {
  const { body } = await openSession(platformUrl, tenant, newApplicant())
  const one = await enter(platformUrl, body.embedUrl, 'ABCPE1234F')
  await apply(one)
  await proceedUntil(one, 'the lender asks', ({ accountAggregator }) => accountAggregator.length > 0, browseOnly)
  return { one, link: await linkOf(one) }
}

const linkOf = async (one: Borrower): Promise<string> =>
  (await call(one, 'POST', `/aa/${one.view.accountAggregator[0]!.offerId}/redirect`)).body.url

const sessionOf = async ({ journeyId }: Borrower): Promise<AaSession> =>
  (await listAaSessions(db, { tenantId: tenant.tenantId, journeyId })).at(-1)!

const reached = (one: Borrower, state: AaSession['state']): Promise<boolean> =>
  until(state, async () => (await sessionOf(one)).state === state)

interface Forged {
  code?: ReturnErrorCode
  txnId?: string
  sessionId?: string
  handles?: string[]
  at?: Date
  aggregatorId?: string
  secret?: string
}

/** What a browser could carry that knows the secret: the aggregator's own words, or others. */
async function carried(one: Borrower, forged: Forged = {}): Promise<Response> {
  const session = await sessionOf(one)
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

test('D2 §2.2: a return that says yes while the aggregator says PENDING is not believed; the approval is', async () => {
  const { one, link } = await sent()
  assert.equal((await carried(one)).status, 200)
  await reached(one, 'RECONCILING')
  assert.equal(
    one.view.offers.some(({ lenderName }) => lenderName === 'Narmada Finserv'),
    false,
  )
  await decideAtAggregator(link, 'approve')
  await reached(one, 'CONFIRMED')
})

test('D2 §2.2: a return that says no while the aggregator says ACTIVE: the server wins', async () => {
  const { one, link } = await sent()
  await decideAtAggregator(link, 'approve')
  assert.equal((await carried(one, { code: 1 })).status, 200)
  await reached(one, 'CONFIRMED')
})

test('D2 §2.2: the approval is seen before the browser is back; the return then changes nothing', async () => {
  const { one, link } = await sent()
  const back = await decideAtAggregator(link, 'approve')
  await reached(one, 'CONFIRMED')
  for (let i = 0; i < 2; i++) assert.equal((await fetch(back)).status, 200)
  assert.equal((await sessionOf(one)).state, 'CONFIRMED')
})

test('D2 §2.2: the same return twice is one; that of an older link moves nothing', async () => {
  const { one } = await sent()
  const older = (await sessionOf(one)).txnid!
  await linkOf(one)
  assert.equal((await carried(one, { txnId: older, code: 5 })).status, 200)
  const { state, returnedCode } = await sessionOf(one)
  assert.deepEqual([state, returnedCode], ['IN_PROGRESS', null])
  const [kept] = await db<{ returnedCode: number }>`select returned_code from aa_redirect where txnid = ${older}`
  assert.equal(kept!.returnedCode, 5, 'it is recorded')

  assert.equal((await carried(one, { code: 5 })).status, 200)
  await reached(one, 'REDIRECT_READY')
  assert.equal((await carried(one, { code: 1 })).status, 200, 'the same link again')
  assert.equal((await sessionOf(one)).returnedCode, 5)
})

test('D2 §4: a return that is stale, of another aggregator, unreadable or of another session is turned away', async () => {
  const { one } = await sent()
  const wrong: Forged[] = [
    { at: new Date(Date.now() - 300_000) },
    { at: new Date(Date.now() + 300_000) },
    { aggregatorId: 'another.example' },
    { secret: 'another secret' },
    { sessionId: 'x' },
    { txnId: '00000000-0000-4000-8000-000000000000' },
    { txnId: 'none' },
    { handles: ['another handle'] },
  ]
  for (const forged of wrong) assert.equal((await carried(one, forged)).status, 400, JSON.stringify(forged))
  for (const query of ['', '?ecres=a&resdate=b&fi=c'])
    assert.equal((await fetch(`${platformUrl}/aa/return${query}`)).status, 400)
  assert.equal((await sessionOf(one)).state, 'IN_PROGRESS')
})

test('D2 §2.2: an approval that comes after the session has ended changes nothing', async () => {
  const { one, link } = await sent()
  assert.equal((await carried(one, { code: 4 })).status, 200)
  await reached(one, 'FAILED')
  await decideAtAggregator(link, 'approve')
  assert.equal((await carried(one)).status, 200)
  assert.equal((await sessionOf(one)).state, 'FAILED')
})

test('FIS12 §7.8: the aggregator turns away whom it does not know, and a link that is too old or was changed', async () => {
  const { one, link } = await sent()
  const status = async (change: (url: URL) => void) => {
    const url = new URL(link)
    change(url)
    return (await fetch(url, { redirect: 'manual' })).status
  }
  assert.equal(await status(() => {}), 200)
  assert.equal(await status((url) => url.searchParams.set('fi', 'AAAA')), 400)
  assert.equal(await status((url) => url.searchParams.set('reqdate', '010120200000000')), 400)
  assert.equal(await status((url) => url.searchParams.delete('ecreq')), 400)
  const decided = await fetch(new URL('/aggregator/web/decide', link), {
    method: 'POST',
    body: 'outcome=approve&ticket=x',
  })
  assert.equal(decided.status, 400)
  assert.equal((await sessionOf(one)).state, 'IN_PROGRESS')
})

test('no program complained', () => assert.deepEqual(programs.errorLines, []))
