// A provider's word is recorded, and the case looks again at what it waits for (D3 §1.1 rule 5, §6).
import type { Tx } from '#kit/sql.ts'
import type { World } from '#partner/world.ts'
import type { Case } from './case.ts'
import type { EsignFacts, KycFacts, MandateFacts } from './check.ts'
import { checksOf, keepCheck, mayRecord, type Said } from './checks.ts'
import { lookAgain } from './look-again.ts'
import { noteChange } from './note-change.ts'

export interface KycSaid extends Said {
  facts: KycFacts
}
export interface MandateSaid extends Said {
  facts: MandateFacts
}
export interface EsignSaid extends Said {
  facts: EsignFacts
}

/** Records KYC. Whether the lender has to review it too depends on how it was done and on the lender's policy. */
export async function recordKyc(tx: Tx, world: World, kase: Case, said: KycSaid, at: Date): Promise<Case> {
  const checks = await checksOf(tx, world.seal, kase.caseRef)
  const { providerReferenceId, mode, provider } = said.facts
  mayRecord(kase, checks, 'kyc', { status: said.status, providerReferenceId })
  await keepCheck(tx, world.seal, kase, 'kyc', said, at)
  const reviewed = checks.lenderKycReview.facts
  if (reviewed?.providerReferenceId !== providerReferenceId || checks.lenderKycReview.status === 'NOT_REQUIRED') {
    const needed = mode === 'VIDEO_AND_MANUAL_REVIEW' || world.config.PARTNER_KYC_REVIEW === 'always'
    const review = {
      status: needed ? 'NOT_STARTED' : 'NOT_REQUIRED',
      verified: false,
      facts: { provider, providerReferenceId, reviewerReference: '', reasonCode: '' },
      happenedAt: said.happenedAt,
    }
    await keepCheck(tx, world.seal, kase, 'lender_kyc_review', review, at)
  }
  return settled(tx, world, kase, at)
}

/** Records the mandate: a replacement may be registered at any time, also while the loan runs. */
export async function recordMandate(tx: Tx, world: World, kase: Case, said: MandateSaid, at: Date): Promise<Case> {
  const checks = await checksOf(tx, world.seal, kase.caseRef)
  mayRecord(kase, checks, 'mandate', { status: said.status, providerReferenceId: said.facts.providerReferenceId })
  await keepCheck(tx, world.seal, kase, 'mandate', said, at)
  return settled(tx, world, kase, at)
}

export async function recordEsign(tx: Tx, world: World, kase: Case, said: EsignSaid, at: Date): Promise<Case> {
  const checks = await checksOf(tx, world.seal, kase.caseRef)
  mayRecord(kase, checks, 'esign', { status: said.status, providerReferenceId: said.facts.providerReferenceId })
  await keepCheck(tx, world.seal, kase, 'esign', said, at)
  return settled(tx, world, kase, at)
}

async function settled(tx: Tx, world: World, kase: Case, at: Date): Promise<Case> {
  await noteChange(tx, kase.caseRef, at)
  return lookAgain(tx, world, kase, at)
}
