// Asks a provider's server how a check stands.
import type { Context } from '#platform/context.ts'
import type { CheckKind } from '#platform/exchange/check.ts'
import { fetchEsign } from '#platform/provider/esign.ts'
import { fetchKyc } from '#platform/provider/kyc.ts'
import { fetchMandate } from '#platform/provider/mandate.ts'
import type { CheckStatusReport } from './status-report.ts'

/** What the provider's own server says now: the only word that counts beside its signed callbacks. */
export async function statusAt(ctx: Context, kind: CheckKind, reference: string): Promise<CheckStatusReport> {
  switch (kind) {
    case 'kyc':
      return { kind, ...(await fetchKyc(ctx, reference)) }
    case 'mandate':
      return { kind, ...(await fetchMandate(ctx, reference)) }
    case 'esign':
      return { kind, ...(await fetchEsign(ctx, reference)) }
  }
}
