// KYC_UPDATED, MANDATE_UPDATED, ESIGN_UPDATED: what a provider confirmed, each a fact of its own (D3 §1.1 rule 5, §6 rule 1).
import type { EventOf } from '#contract/exchange/envelope.ts'
import { isOver } from '#partner/case/lifecycle.ts'
import { recordEsign, recordKyc, recordMandate } from '#partner/case/record-check.ts'
import { enqueueCancellation } from '#partner/collection/cancel-mandate.ts'
import { endForKyc } from '#partner/collection/stop.ts'
import type { TxContext } from '#partner/context.ts'
import { caseOf } from './case-of.ts'

export async function onKyc(ctx: TxContext, event: EventOf<'KYC_UPDATED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await caseOf(tx, event)
  const { data } = event
  const report = { ...resultOf(data), facts: { ...factsOf(data), mode: data.mode } }
  const checked = await recordKyc(ctx, loanCase, { report })
  if (data.status === 'REJECTED') await endForKyc(ctx, checked, 'rules')
}

export async function onMandate(ctx: TxContext, event: EventOf<'MANDATE_UPDATED'>): Promise<void> {
  const { tx } = ctx
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
  await recordMandate(ctx, loanCase, { report: { ...resultOf(data), facts } })
  if (isOver(loanCase.status)) await enqueueCancellation(tx, loanCase, ctx.at)
}

export async function onEsign(ctx: TxContext, event: EventOf<'ESIGN_UPDATED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await caseOf(tx, event)
  await recordEsign(ctx, loanCase, { report: { ...resultOf(event.data), facts: factsOf(event.data) } })
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

const resultOf = ({ status, verified, provider_updated_at }: ProviderData) => ({
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
