// Asks a provider's server how a check stands.
import type { Context } from '#platform/context.ts'
import type { PartnerCheck } from '#platform/exchange/check.ts'
import { adapterNamed } from '#platform/provider/adapters.ts'
import type { CheckStatusReport } from './status-report.ts'

/** What the provider's own server says now: the only word that counts beside its signed callbacks. */
export async function statusAt(
  ctx: Context,
  { kind, adapter, providerReference }: Pick<PartnerCheck, 'kind' | 'adapter' | 'providerReference'>,
): Promise<CheckStatusReport> {
  switch (kind) {
    case 'kyc':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
    case 'mandate':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
    case 'esign':
      return { kind, ...(await adapterNamed(kind, adapter).fetch(ctx, providerReference)) }
  }
}
