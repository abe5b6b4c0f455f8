// Borrowers with mutual funds, as an integrator's server begins their loans and is told of the offers.
import assert from 'node:assert/strict'
import { invariantsOf } from '#conformance/network/v230/invariants.ts'
import { faultText } from '#contract/network/context.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { sandboxFunds } from '#platform/portfolio/sandbox-funds.ts'
import { application, newApplicant } from './borrower.ts'
import { ask } from './platform.ts'
import type { Programs } from './programs.ts'
import { registryKeys } from './transcript.ts'

/** The demo's two funds that can be pledged, worth 5,31,321.22 in equity and 4,09,308.83 in debt, as MF Central would list them. */
export const mfc = { data: sandboxFunds.data.map(({ dtSummary }) => ({ dtSummary: dtSummary.slice(0, 2) })) }

export interface Lender {
  lender_id: string
  lender_name: string
  status: string
  reason: string | null
  offers: {
    offer_id: string
    amount_principal: string
    offer_term: string
    limits: Record<'least_tenure_months' | 'most_tenure_months', number>
    pledge_requirements: Record<string, string>[]
  }[]
}

export function fundsCases(ctx: Programs) {
  /** By all rules of the network, of so many messages at least. */
  async function assertValidTranscript(journeyId: string, least = 10): Promise<void> {
    const transcript = await transcriptOf(ctx, ctx.tenant.tenantId, journeyId)
    assert.ok(transcript.length >= least, `there are ${transcript.length} messages`)
    assert.deepEqual(invariantsOf(transcript, await registryKeys(ctx)).map(faultText), [])
  }

  /** A borrower of the integrator's, and how its server speaks of one. */
  async function startJourney(digits: string, more: object = {}) {
    const { borrowerProviderID, profile } = newApplicant()
    const { profile: person, workProfile: work, address } = application(`ABCPE${digits}F`)
    const base = `${ctx.platformUrl}/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
    const say = (method: string, path: string, body?: object) =>
      ask(`${base}${path}`, { method, key: ctx.tenant.apiKey, ...(body && { body }) })
    const personal = { ...profile, ...person }
    const journey = { bureauConsent: true, endUse: 'education' }
    const started = await say('POST', '', { personal, work, address, journey, ...more })
    assert.deepEqual([started.status, started.body.data.missing_fields], [201, []], JSON.stringify(started.body))
    const lenders = async () => (await say('GET', '/offers')).body.data.lenders as Lender[]
    return { say, lenders, journeyId: started.body.data.journey_id as string }
  }
  return { startJourney, assertValidTranscript }
}
