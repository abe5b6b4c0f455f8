// A hosted personal loan from session to disbursal, between real programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { outgoingFaults } from '@lendloom/conformance/network/v203/rules'
import { faults } from '@lendloom/foundation/schema'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { policies } from '@lendloom/sandbox/src/lender/core/lender-policies.ts'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { faultText } from '@lendloom/wire/network/context'
import { isAction } from '@lendloom/wire/network/sequence'
import { installmentsOf, lenderOf, offerOf } from '#test/oracles/d1-offer.ts'
import { disbursedStatuses, sequenceFaults, updateFaults } from '#test/oracles/lifecycle-oracle.ts'
import {
  application,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { type Arrival, startListener } from '#test/setup/listener.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { archiveOf, bodyOf, registryKeys } from '#test/setup/transcript.ts'

const person = newApplicant()
const amount = '150000'
const tenureMonths = 18

/** Policies of the lenders that offer without bank data. */
const bureauPolicies = policies.filter(({ assessment }) => assessment === 'bureau')
const haveAllAnswered = ({ lenders, offers, accountAggregator }: EmbedView): boolean =>
  lenders.length === policies.length &&
  offers.length === bureauPolicies.length &&
  offers.length + accountAggregator.length === lenders.length
const chooseKaveri = (offers: EmbedOffer[]) => ({
  offer: offers.find(({ lenderName }) => lenderName === 'Kaveri Bank')!,
  amount,
  tenureMonths,
})

// Long poll interval, so that the lender pushes the disbursal before the platform polls.
const programs = await sharedPrograms({ lenders: allLenders, env: { STATUS_POLL_SECONDS: '30' } })
const listener = await startListener(programs.platformUrl, programs.tenant)
const { callbackUrl } = listener
const opened = await openSession(programs.platformUrl, programs.tenant, { ...person, callbackUrl })
const borrower = await enter(programs.platformUrl, opened.body.embedUrl)
await proceedUntil(borrower, 'the offers of all lenders', haveAllAnswered, browseOnly)
await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), { choose: chooseKaveri })
await listener.waitForArrivals(borrower.journeyId, 'DISBURSED', ['callback'])
const arrivals = await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')
const archive = await archiveOf(programs, borrower.journeyId)

const update = (status: string) => arrivals.find((arrival) => arrival.status === status)!.payload.borrower.journey
const received = (action: string, party?: string) =>
  archive.filter((message) => message.action === action && (!party || message.party === party)).map(bodyOf)

test('D1 §6.2: both channels receive seven updates in the canonical order, each once', () => {
  assert.equal(opened.status, 201)
  for (const channel of ['webhook', 'callback'] as const)
    assert.deepEqual(
      listener.received(borrower.journeyId, channel).map(({ status }) => status),
      disbursedStatuses,
      channel,
    )
  assert.deepEqual(listener.forged, [])
  assert.equal(new Set(arrivals.map(({ id }) => id)).size, 7)
})

test('D1 §6: webhook and callback have the same bytes and the same webhook-id', () => {
  const pairs = (channel: Arrival['channel']) =>
    listener.received(borrower.journeyId, channel).map(({ id, raw }) => ({ id, raw }))
  assert.deepEqual(pairs('callback'), pairs('webhook'))
})

test('D1 §6: the page relays the same payloads to the parent window', async () => {
  const { body } = await call(borrower, 'GET', '/journey?after=0')
  assert.deepEqual(
    body.view.updates.map(({ payload }: { payload: unknown }) => payload),
    arrivals.map(({ payload }) => payload),
  )
})

test('D1 §2.5.3, §2.4, §2.6: every update has exactly the specified fields in the specified format', () => {
  for (const { status, payload } of arrivals) {
    assert.deepEqual(updateFaults(payload), [], status)
    assert.deepEqual(faults(LifecycleUpdate, payload), [], status)
  }
  assert.deepEqual(sequenceFaults(arrivals.map(({ payload }) => payload)), [])
})

test('the validator of updates detects every missing and every extra key', () => {
  for (const { status, payload } of arrivals)
    for (const path of objectsIn(payload)) {
      const object = (copy: unknown) => path.reduce((at, key) => at[key], copy as Json)
      for (const key of Object.keys(object(payload))) {
        const copy = structuredClone(payload)
        delete object(copy)[key]
        assert.notDeepEqual(updateFaults(copy), [], `${status} ${path.join('.')} without ${key}`)
      }
      const copy = structuredClone(payload)
      object(copy).surprise = true
      assert.notDeepEqual(updateFaults(copy), [], `${status} ${path.join('.')} with a surprise`)
    }
})

// biome-ignore lint/suspicious/noExplicitAny: payloads have any shape
type Json = any

function* objectsIn(value: Json, path: string[] = []): Generator<string[]> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield path
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, [...path, key])
}

test('D1 §2.4: tenant, application and borrower match the session', () => {
  const { tenantId, applicationId } = programs.tenant
  const { profile, workProfile, address, endUse } = application()
  for (const { status, payload } of arrivals) {
    const { tenant_id, application_id, borrower: update } = payload
    assert.equal(tenant_id, tenantId)
    assert.equal(application_id, applicationId)
    assert.equal(update.provider_id, person.borrowerProviderID)
    const { pan, ...personal } = profile
    const contactNumber = `+91${person.profile.contactNumber}`
    const isProfiled = status !== 'STARTED'
    const nullUntilProfiled = (part: object) =>
      isProfiled ? part : Object.fromEntries(Object.keys(part).map((key) => [key, null]))
    assert.deepEqual(update.profile, {
      personal: { ...nullUntilProfiled(personal), contactNumber },
      work: nullUntilProfiled({ ...workProfile, udyamNumber: null }),
      address: nullUntilProfiled(address),
    })
    assert.equal(update.journey.id, borrower.journeyId)
    assert.equal(update.journey.type, 'PERSONAL_LOAN')
    assert.equal(update.journey.endUse, isProfiled ? endUse : null)
    assert.equal(update.journey.bureauConsent, isProfiled)
  }
})

test('D1 §2.4: network_transaction_id is the transaction id of every network message', () => {
  const transaction = update('STARTED').network_transaction_id
  for (const message of archive)
    if (message.action !== 'form') assert.equal(bodyOf(message).context.transaction_id, transaction, message.action)
})

test('D1 §2.4: the update lists the lenders that accepted the form, with their own data', () => {
  const providers = received('on_search').flatMap(({ message }) => message.catalog.providers)
  const expected = providers.map(lenderOf).sort(byName)
  assert.equal(expected.length, policies.length)
  for (const status of ['OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED']) {
    const lenders = update(status).lenders.map(({ id, ...lender }) => lender)
    assert.deepEqual(lenders.sort(byName), expected, status)
  }
})

const byName = (one: { lender_name: string }, other: { lender_name: string }) =>
  one.lender_name < other.lender_name ? -1 : 1

test('D1 §2.4, FIS12 §13.5: offers have exactly their lenders’ figures', () => {
  const initialState = { accepted: false, expired: false, installments: [] }
  const withoutIds = (offers: object[]) => offers.map((offer) => ({ ...offer, id: '' })).sort(byTerms)
  const firstOffer = (party: string) => offerOf(received('on_select', party)[0].message.order)
  const parties = bureauPolicies.map(({ slug }) => `${slug}.sandbox.example`)
  const first = parties.map((party) => ({ id: '', ...initialState, ...firstOffer(party) }))
  assert.deepEqual(withoutIds(update('OFFER_SELECTED').offers), first.sort(byTerms))

  const final = offerOf(received('on_select', 'kaveri.sandbox.example').at(-1).message.order)
  const others = parties
    .filter((party) => !party.startsWith('kaveri'))
    .map((party) => ({ id: '', ...initialState, ...firstOffer(party) }))
  for (const status of ['OFFER_ACCEPTED', 'LENDER_REDIRECTED'])
    assert.deepEqual(
      withoutIds(update(status).offers),
      [...others, { id: '', ...initialState, ...final, accepted: true }].sort(byTerms),
    )

  const installments = installmentsOf(received('on_confirm')[0].message.order)
  assert.equal(installments.length, tenureMonths)
  const disbursed = { id: '', ...initialState, ...final, accepted: true, installments }
  assert.deepEqual(withoutIds(update('DISBURSED').offers), [...others, disbursed].sort(byTerms))
})

const byTerms = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

test('D1 §2.6: amount and term are the borrower’s, and change_in_offer reports the new quote', () => {
  for (const status of ['OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED']) {
    const { borrower_preferred_amount, borrower_preferred_tenure, change_in_offer, lender_mode } = update(status)
    assert.equal(borrower_preferred_amount, 150_000, status)
    assert.equal(borrower_preferred_tenure, 18, status)
    assert.equal(change_in_offer, status !== 'OFFER_SELECTED', status)
    assert.equal(lender_mode, 'ONLINE', status)
  }
  const accepted = update('DISBURSED').offers.find(({ accepted }) => accepted)!
  assert.equal(accepted.amount_principal, '150000.00')
  assert.equal(accepted.offer_term, '18 months')
})

test('D1 §2.6: every step took one attempt', () => {
  const { kyc_attempts, emandate_attempts, esign_attempts } = update('DISBURSED')
  assert.equal(kyc_attempts, 1)
  assert.equal(emandate_attempts, 1)
  assert.equal(esign_attempts, 1)
})

test('FIS12 §12.1: every exchanged message obeys the rules of its action', () => {
  const actions = new Set<string>()
  for (const message of archive) {
    if (!isAction(message.action)) continue
    actions.add(message.action)
    assert.deepEqual(outgoingFaults(message.action, bodyOf(message).message).map(faultText), [], message.action)
    assert.equal(message.outcome, 'ACK', `${message.direction} ${message.action}`)
  }
  const requests = ['search', 'select', 'init', 'confirm']
  assert.deepEqual([...actions].sort(), [...requests, ...requests.map((name) => `on_${name}`), 'on_status'].sort())
})

test('FIS12 §12.4: the conversation satisfies the invariants, with signatures verified by the registry’s keys', async () => {
  const violations = invariantsOf(
    await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId),
    await registryKeys(programs),
  )
  assert.deepEqual(violations.map(faultText), [])
})

test('FIS12 §13.2: after the choice only the chosen lender receives messages', () => {
  const chosenAt = archive.findLast(({ action, party }) => action === 'select' && party.startsWith('kaveri'))!.at
  const later = archive.filter(({ direction, at }) => direction === 'sent' && at >= chosenAt)
  assert.deepEqual([...new Set(later.map(({ party }) => party))], ['kaveri.sandbox.example'])
})

test('D1 §3: a disbursed journey does not change, and no program logged an error', async () => {
  assert.equal((await readView(borrower)).screen, 'DISBURSED')
  assert.equal(listener.received(borrower.journeyId).length, 7)
  assert.deepEqual(programs.errorLines, [])
})
