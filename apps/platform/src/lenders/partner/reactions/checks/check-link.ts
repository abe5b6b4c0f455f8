// The links to a check: the borrower's, which starts the check, and the provider's for its callback.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from '#platform/context.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { type CheckKind, checkKinds } from '#platform/lenders/partner/partner-check.ts'

/** Identifies the check that a link opens. The check starts when the borrower opens the link (D3 §1.1 rule 5). */
export interface CheckLinkKey {
  tenantId: string
  caseRef: string
  kind: CheckKind
}

const linkContext = 'check link'

/** The callback path of a provider. Each adapter has its own path, because the signatures differ. */
export const callbackPath = (kind: CheckKind, adapter: string): string =>
  `/api/provider/${kind}/${adapter === 'lendloom' ? '' : `${adapter}/`}callback`

/** Returns the link to a check, sealed so that it cannot be forged or read. */
export const urlOfCheck = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  kind: CheckKind,
): string => `${config.PUBLIC_URL}/verify/${seal.json([tenantId, caseRef, kind], linkContext).toString('base64url')}`

/** Throws `absent` for a token that we did not issue. */
export function openCheckLink({ seal }: Pick<Context, 'seal'>, token: string): CheckLinkKey {
  try {
    const [tenantId, caseRef, kind] = seal.openJson<[string, string, CheckKind]>(
      Buffer.from(token, 'base64url'),
      linkContext,
    )
    if (checkKinds.includes(kind)) return { tenantId, caseRef, kind }
  } catch {
    // An invalid token is refused below.
  }
  throw new Refusal('absent', 'the page does not exist')
}
