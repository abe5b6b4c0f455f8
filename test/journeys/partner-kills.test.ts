// Platform and partner are killed at any moment of several loans at once: no acknowledged event is lost, no money moves twice.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockFile } from '#cli/installation.ts'
import type { OfferCard } from '#contract/headless/offer.ts'
import type { Steps } from '#contract/headless/step.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { balancesOf } from '#partner/ledger/post.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import { application, bankAccount, newApplicant, Refused } from '#test/setup/borrower.ts'
import { begin, browse, cardsOf, type HeadlessBorrower, must, offerPath, walk } from '#test/setup/headless.ts'
import { passing } from '#test/setup/passing.ts'
import { patiently, seeded } from '#test/setup/patience.ts'
import { startPrograms, unhurried, until } from '#test/setup/programs.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-kills-'))
after(() => rmSync(directory, { recursive: true }))
const ctx = await startPrograms({
  partner: true,
  env: { ...unhurried, CLOCK_FILE: clockFile(directory), PARTNER_DEDUPE_SECONDS: '60', OFFER_WINDOW_SECONDS: '60' },
})
const pass = passing(ctx, directory)
const partnerDb = connect(ctx.partnerDatabaseUrl, { connections: 2 })
after(() => partnerDb.close())

/** Kills one program after another, at moments that the seed decides. */
async function kill(killed: readonly ('platform' | 'partner')[], seed: number): Promise<void> {
  const random = seeded(seed)
  for (const program of killed) {
    await sleep(200 + random() * 1800)
    await ctx.kill(program)
    await sleep(random() * 300)
    await ctx.start(program)
  }
}

/** An act that may have been done before its answer was lost. */
const once = (what: string, act: () => Promise<unknown>) =>
  patiently(what, act).catch((error) => {
    if (!(error instanceof Refused && error.reply.status === 409)) throw error
  })

/** One borrower from the session to the money, who tries again when nobody answers; gives the case. */
async function life(): Promise<string> {
  const person = newApplicant()
  const borrower = await patiently('a session', () => begin(ctx.platformUrl, ctx.tenant, person))
  const { profile, workProfile, address } = application()
  const path = `/journeys/${borrower.journeyId}/profile`
  const work = { ...workProfile, employmentType: 'selfEmployed' }
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  await once('the profile', () =>
    must(borrower, 'PUT', path, { profile, workProfile: work, address, bankingInformation }),
  )
  await once('the application', () => must(borrower, 'POST', `${path}/submit`, { bureauConsent: true }))
  const { offerID } = await until('an offer of the partner', () => partnerCard(borrower), beyondLeases)
  await once('the choice', () => must(borrower, 'POST', `${offerPath(borrower, offerID)}/proceed`))
  await disbursed(borrower, offerID)
  const { tenantId } = ctx.tenant
  return (await findCaseOf(ctx.db, { tenantId, journeyId: borrower.journeyId }))!.caseRef
}

/** Does the act that is due; a page that died while it was opened is opened again. */
async function disbursed(borrower: HeadlessBorrower, offerId: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      const end = await patiently('the steps', () => walk(borrower, offerId, ['DISBURSED', 'REJECTED'], 6000))
      return assert.equal(end, 'DISBURSED')
    } catch (error) {
      if (tries === 20 || !/not within/.test((error as Error).message)) throw error
    }
    await patiently('the page again', () => openAgain(borrower, offerId))
  }
}

async function openAgain(borrower: HeadlessBorrower, offerId: string): Promise<void> {
  const steps: Steps = await must(borrower, 'GET', `${offerPath(borrower, offerId)}/steps`)
  for (const { actionRequired, resource } of Object.values(steps))
    if (actionRequired === 'AWAIT_CALLBACK' && resource.redirectURL) await browse(resource.redirectURL)
}

const partnerCard = async (borrower: HeadlessBorrower): Promise<OfferCard | undefined> =>
  (await patiently('the offers', () => cardsOf(borrower))).find(
    ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
  )

/** What was in the hands of a program that was killed comes back half a minute later, and may then fail once more. */
const beyondLeases = 90_000

/** What one side has sent, and what the other one has had of it and applied: the same, each event once. */
async function isWhole(from: Db, to: Db, caseRef: string): Promise<void> {
  const sent = () => from<{ eventId: string; state: string }>`
    select event_id, state from outbox where case_ref = ${caseRef} order by event_id`
  const applied = () => to<{ eventId: string; outcome: string }>`
    select event_id, outcome from inbox_outcome where case_ref = ${caseRef} order by event_id`
  const stored = () => to<{ eventId: string }>`select event_id from inbox where case_ref = ${caseRef} order by event_id`
  await until(
    'all is delivered and applied',
    async () =>
      (await sent()).every(({ state }) => state === 'DELIVERED') && (await applied()).length === (await sent()).length,
    beyondLeases,
  )
  const ids = (await sent()).map(({ eventId }) => ({ eventId }))
  assert.deepEqual(await stored(), ids)
  assert.deepEqual(
    await applied(),
    ids.map((id) => ({ ...id, outcome: 'APPLIED' })),
  )
}

let cases: string[] = []

test('D3 §6 rule 8: platform and partner die at any moment; each loan is made once, and every event had its effect once', async () => {
  const lives = Promise.all(Array.from({ length: 3 }, life))
  await Promise.all([lives, kill(['partner', 'platform', 'partner', 'platform'], 20_261_120)])
  cases = await lives
  for (const caseRef of cases) {
    await isWhole(ctx.db, partnerDb, caseRef)
    await isWhole(partnerDb, ctx.db, caseRef)
  }
})

test('D3 §6 rule 7: the partner dies while debits are presented; what the bank took is posted, once', async () => {
  await Promise.all([pass('8d', { step: '1d' }), kill(['partner', 'partner'], 7)])
  const transfers = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
    select client_reference as reference, amount_paise from bank_transfer where status = 'SUCCESS'`
  for (const caseRef of cases) {
    const debits = async () => {
      const presented = await partnerDb<{ collectionId: string; status: string; amountPaise: bigint }>`
        select collection_id, status, amount_paise from payment where case_ref = ${caseRef} and collection_id is not null and status <> 'DROPPED'`
      return presented.length > 0 && presented.every(({ status }) => status === 'POSTED') && presented
    }
    const posted = await until('the debit is posted', debits, beyondLeases)
    const taken = await ctx.sandboxDb<{ reference: string; amountPaise: bigint }>`
      select d.reference, d.amount_paise from bank_debit d join bank_debit_result r using (reference)
      where r.status = 'CONFIRMED' and d.reference = any(${posted.map(({ collectionId }) => collectionId)})`
    assert.equal(taken.length, posted.length, 'each was taken once')
    const orders = await partnerDb<{ disbursementId: string }>`
      select disbursement_id from disbursement where case_ref = ${caseRef}`
    assert.equal(orders.length, 1)
    const paid = transfers.filter(({ reference }) => reference === orders[0]!.disbursementId)
    assert.equal(paid.length, 1)
    const { BANK } = await balancesOf(partnerDb, caseRef)
    const came = taken.reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
    assert.equal(BANK, came - paid[0]!.amountPaise, 'the ledger has what the bank has')
    await isWhole(partnerDb, ctx.db, caseRef)
  }
  assert.equal(transfers.length, cases.length)
  const debits = await ctx.sandboxDb`select 1 from bank_debit`
  const payments = await partnerDb`select 1 from payment where collection_id is not null and status <> 'DROPPED'`
  assert.equal(debits.length, payments.length, 'no debit that the partner does not know')
})
