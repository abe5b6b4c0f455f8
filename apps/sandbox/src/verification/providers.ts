// The four providers, and the report of a verification.
import type { Run } from '@lendloom/postgres/sql'
import { secretToken } from '#sandbox/core/secret-link.ts'
import { esign } from './esign.ts'
import { kyc } from './kyc.ts'
import { mandate } from './mandate.ts'
import type { Provider, ProviderVerification, VerificationKind } from './provider.ts'
import { statement } from './statement-analyser.ts'
import { filesOf } from './store.ts'
import type { VerificationContext } from './verification-settings.ts'

export const providers: Record<VerificationKind, Provider> = { kyc, mandate, esign, statement }

const pageUrl = (
  { url, seal }: Pick<VerificationContext, 'url' | 'seal'>,
  { kind, verificationId }: ProviderVerification,
): string => `${url}/verification/${kind}/pages/${secretToken(seal, pagePurpose(kind), verificationId)}`

export const pagePurpose = (kind: VerificationKind): string => `verification page ${kind}`

/** The body of a look-up's answer, and the data of a callback. */
export async function reportOf(
  db: Run,
  ctx: Pick<VerificationContext, 'url' | 'seal'>,
  verification: ProviderVerification,
): Promise<object> {
  return {
    id: verification.verificationId,
    client_reference: verification.clientReference,
    state: verification.state,
    reason_code: verification.reasonCode,
    created_at: verification.createdAt.toISOString(),
    updated_at: verification.updatedAt.toISOString(),
    page_url: pageUrl(ctx, verification),
    page_expires_at: verification.pageExpiresAt.toISOString(),
    files: await filesOf(db, verification.verificationId),
    ...providers[verification.kind].details(verification),
  }
}
