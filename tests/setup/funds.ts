// Borrowers with mutual funds, whose loans an integrator's server starts through the hybrid API.
import assert from 'node:assert/strict'
import { invariantsOf } from '@lendloom/conformance/network/v230/invariants'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { sandboxFunds } from '@lendloom/platform/src/lending/portfolio/sandbox-funds.ts'
import { faultText } from '@lendloom/wire/network/context'
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
  /** Asserts that the transcript has at least `minMessages` messages and breaks no rule of the network. */
  async function assertValidTranscript(journeyId: string, minMessages = 10): Promise<void> {
    const transcript = await transcriptOf(ctx, ctx.tenant.tenantId, journeyId)
    assert.ok(transcript.length >= minMessages, `there are ${transcript.length} messages`)
    assert.deepEqual(invariantsOf(transcript, await registryKeys(ctx)).map(faultText), [])
  }

  /** Starts a borrower's journey and returns the integrator's calls for it. */
  async function startJourney(digits: string, more: object = {}) {
    const { borrowerProviderID, profile } = newApplicant()
    const { profile: person, workProfile: work, address } = application(`ABCPE${digits}F`)
    const base = `${ctx.platformUrl}/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
    const callHybrid = (method: string, path: string, body?: object) =>
      ask(`${base}${path}`, { method, key: ctx.tenant.apiKey, ...(body && { body }) })
    const personal = { ...profile, ...person }
    const journey = { bureauConsent: true, endUse: 'education' }
    const startReply = await callHybrid('POST', '', { personal, work, address, journey, ...more })
    assert.equal(startReply.status, 201, JSON.stringify(startReply.body))
    assert.deepEqual(startReply.body.data.missing_fields, [], JSON.stringify(startReply.body))
    const lenders = async () => (await callHybrid('GET', '/offers')).body.data.lenders as Lender[]
    return { callHybrid, lenders, journeyId: startReply.body.data.journey_id as string }
  }
  return { startJourney, assertValidTranscript }
}
