// Tests starts of checks that our database lost, by a crash or a restore to an earlier instant, but the provider did not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf } from '@lendloom/seal/id'
import { caseWithKycDue } from '@lendloom/tests/setup/check-case'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import type { Context } from '#platform/context.ts'
import { withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { updateProfile } from '#platform/lending/profile/store.ts'
import { beginCheck } from './begin-check.ts'

const lender = await startLenderExchange()
const providers = await startProviders(0)
const platform = await testPlatform({ ...lender.env, ...sandboxProviders(providers.url) })
const { ctx } = platform

const kinds = ['kyc', 'mandate', 'esign'] as const
type Kind = (typeof kinds)[number]
const stepNames = { kyc: 'kyc', mandate: 'eMandate', esign: 'loanAgreement' } as const

/** A case in which this check is due. `9153` sends no callback, so that only the platform's own questions tell it more. */
async function caseWithCheckDue(kind: Kind, digits = '9153') {
  const partnerCase = await caseWithKycDue(platform, 'ACCEPTED', digits)
  const { tenantId, journeyId } = partnerCase
  const { caseRef } = partnerCase.ids
  const bucket = bucketOf(journeyId)
  const setStep = (name: string, status: string) => ctx.db`
    insert into step (bucket, tenant_id, journey_id, name, status, updated_at)
    values (${bucket}, ${tenantId}, ${journeyId}, ${name}, ${status}, now())
    on conflict (bucket, tenant_id, journey_id, name) do update set status = ${status}`
  if (kind !== 'kyc') await setStep('kyc', 'SUCCESS')
  if (kind === 'esign') await setStep('eMandate', 'SUCCESS')
  return {
    ...partnerCase,
    open: () => partnerCase.visit(kind),
    stepStatus: () => partnerCase.step(stepNames[kind]),
    /** Sets the database back to the instant before the check began. The step's link is lost with it. */
    async forget() {
      await ctx.db`delete from partner_check where case_ref = ${caseRef}`
      await ctx.db`delete from provider_report where case_ref = ${caseRef}`
      await ctx.db`delete from provider_reference where case_ref = ${caseRef}`
      await ctx.db`update step set resource_url = null, resource_url_sealed = null where journey_id = ${journeyId} and name = ${stepNames[kind]}`
      await setStep(stepNames[kind], 'READY')
    },
    /** The provider's requests for this case, oldest first. */
    requests: () => providers.db<{ clientReference: string; state: string }>`
      select client_reference, state from verification
      where kind = ${kind} and client_reference like ${`${caseRef}%`} order by created_at`,
    begin: async (context: Context = ctx) => {
      const found = await withLockedCase(ctx, { tenantId, caseRef }, async (_, locked) => locked)
      return beginCheck(context, found, kind, undefined)
    },
    async changeProfile(change: (person: BorrowerDetails) => void) {
      const context = detailsContext(tenantId, journeyId)
      const [row] = await ctx.db<{ profileSealed: Buffer }>`
        select profile_sealed from profile where journey_id = ${journeyId}`
      const person = ctx.seal.openJson<BorrowerDetails>(row!.profileSealed, context)
      change(person)
      const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
      const profileSealed = ctx.seal.json(person, context)
      await ctx.db.tx((tx) =>
        updateProfile(tx, { tenantId, journeyId, profileSealed, ...digests, updatedAt: ctx.clock() }),
      )
    },
  }
}

for (const kind of kinds) {
  test(`D3 §6: a lost start of ${kind} finds its request at the provider, and starts no second one`, async () => {
    const partnerCase = await caseWithCheckDue(kind)
    const first = await partnerCase.open()
    assert.equal(first.status, 302)
    await partnerCase.forget()
    const again = await partnerCase.open()
    assert.equal(again.status, 302)
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    assert.equal((await partnerCase.requests()).length, 1)
    assert.equal((await partnerCase.checks()).length, 1)
  })

  test(`D3 §6 rule 1: a result of ${kind} that came after the instant of a restore is taken over`, async () => {
    const partnerCase = await caseWithCheckDue(kind)
    const first = await partnerCase.open()
    await providers.choose(first.headers.get('location')!, 'approve')
    await waitForEnd(partnerCase)
    await partnerCase.forget()
    const again = await partnerCase.open()
    assert.equal(again.status, 200)
    assert.match(await again.text(), /This step is done/)
    assert.equal(await partnerCase.stepStatus(), 'SUCCESS')
    const [check] = await partnerCase.checks()
    assert.equal(check!.verified, true)
    assert.equal((await partnerCase.requests()).length, 1)
  })

  test(`D3 §6: after a lost failure of ${kind} the borrower can try again under a new reference`, async () => {
    const partnerCase = await caseWithCheckDue(kind)
    const first = await partnerCase.open()
    await providers.choose(first.headers.get('location')!, 'lapse')
    await waitForEnd(partnerCase)
    await partnerCase.forget()
    assert.match(await (await partnerCase.open()).text(), /try again/i)
    const second = await partnerCase.open()
    assert.equal(second.status, 302)
    assert.notEqual(second.headers.get('location'), first.headers.get('location'))
    const references = (await partnerCase.requests()).map(({ clientReference }) => clientReference)
    assert.equal(new Set(references).size, 2)
  })

  test(`D3 §6: a start of ${kind} with other content has a new reference, and returns to it`, async () => {
    const partnerCase = await caseWithCheckDue(kind)
    const first = await partnerCase.open()
    for (const round of ['first', 'repeated']) {
      await partnerCase.forget()
      // The name is in the agreement, and the mandate and KYC are for this person.
      await partnerCase.changeProfile((person) => {
        person.personal.panName = 'Asha R Kulkarni'
      })
      const other = await partnerCase.open()
      assert.equal(other.status, 302, round)
      assert.notEqual(other.headers.get('location'), first.headers.get('location'), round)
      assert.equal((await partnerCase.requests()).length, 2, round)
    }
  })

  test(`D3 §6: a start of ${kind} that crashed before it was stored is found, on a later day too`, async () => {
    const partnerCase = await caseWithCheckDue(kind)
    const crashing: Context = {
      ...ctx,
      seal: {
        ...ctx.seal,
        bytes: () => {
          throw new Error('a crash between the request and its storing')
        },
      },
    }
    await assert.rejects(partnerCase.begin(crashing), /a crash/)
    assert.equal((await partnerCase.requests()).length, 1)
    assert.deepEqual(await partnerCase.checks(), [])
    const tomorrow = new Date(Date.now() + 86_400_000)
    const check = await partnerCase.begin({ ...ctx, clock: () => tomorrow })
    assert.equal(check.status, 'REQUESTED')
    assert.equal((await partnerCase.requests()).length, 1)
  })

  test(`D3 §6: ${kind} goes on if the provider answers its reference with 409 (PAN 9156)`, async () => {
    const partnerCase = await caseWithCheckDue(kind, '9156')
    const page = await partnerCase.open()
    assert.equal(page.status, 302)
    await providers.choose(page.headers.get('location')!, 'approve')
    await waitForEnd(partnerCase)
    await partnerCase.visit(kind, '?back=1')
    assert.equal(await partnerCase.stepStatus(), 'SUCCESS')
    assert.equal((await partnerCase.requests()).length, 1)
  })
}

test('D3 §6: a provider that refuses every start is asked ever more seldom while the page reloads', async () => {
  const refusing = await startReceiver()
  refusing.answer = () => 409
  try {
    const KYC_URL = refusing.url('')
    const other = await testPlatform({ ...lender.env, ...sandboxProviders(providers.url), KYC_URL })
    const partnerCase = await caseWithKycDue(other, 'ACCEPTED', '1234')
    const pages = Array.from({ length: 20 }, () => partnerCase.visit)
    for (const visit of pages) {
      const page = await visit('kyc')
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('refresh'), '2')
    }
    assert.ok(refusing.received.length <= 3, `${refusing.received.length} requests`)
  } finally {
    await refusing.stop()
  }
})

/** Waits until the provider has ended the newest request of a case. */
async function waitForEnd(partnerCase: { requests(): Promise<{ state: string }[]> }): Promise<void> {
  const pending = ['LINK_SENT', 'UNDER_REVIEW', 'register_initiated', 'auth_success', 'sign_pending']
  await until('the provider has a result', async () => {
    const newest = (await partnerCase.requests()).at(-1)
    return newest !== undefined && !pending.includes(newest.state)
  })
}
