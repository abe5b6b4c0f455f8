// KYC_UPDATED, MANDATE_UPDATED, ESIGN_UPDATED: what a provider confirmed, each a fact of its own (D3 §1.1 rule 5, §6 rule 1).
import type { EventOf } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import { recordEsign, recordKyc, recordMandate } from '#partner/case/record-check.ts'
import type { Context } from '#partner/context.ts'
import { caseOf } from './case-of.ts'

export async function onKyc(tx: Tx, ctx: Context, event: EventOf<'KYC_UPDATED'>, at: Date): Promise<void> {
  const loanCase = await caseOf(tx, event)
  const { data } = event
  await recordKyc(tx, ctx, loanCase, { report: { ...said(data), facts: { ...factsOf(data), mode: data.mode } }, at })
}

export async function onMandate(tx: Tx, ctx: Context, event: EventOf<'MANDATE_UPDATED'>, at: Date): Promise<void> {
  const loanCase = await caseOf(tx, event)
  const { data } = event
  const facts = {
    ...factsOf(data),
    umrn: data.umrn,
    maximumAmount: data.maximum_amount,
    frequency: data.frequency,
    validFrom: data.valid_from,
    validUntil: data.valid_until,
  }
  await recordMandate(tx, ctx, loanCase, { report: { ...said(data), facts }, at })
}

export async function onEsign(tx: Tx, ctx: Context, event: EventOf<'ESIGN_UPDATED'>, at: Date): Promise<void> {
  const loanCase = await caseOf(tx, event)
  await recordEsign(tx, ctx, loanCase, { report: { ...said(event.data), facts: factsOf(event.data) }, at })
}

interface ProviderData {
  provider: string
  provider_reference_id: string
  status: string
  verified: boolean
  provider_updated_at: string
  document_ids: string[]
  reason_code: string | null
}

const said = ({ status, verified, provider_updated_at }: ProviderData) => ({
  status,
  verified,
  happenedAt: new Date(provider_updated_at),
})

const factsOf = ({ provider, provider_reference_id, document_ids, reason_code }: ProviderData) => ({
  provider,
  providerReferenceId: provider_reference_id,
  documentIds: document_ids,
  reasonCode: reason_code,
})
