// Creates and opens the links to our pages about an indicative offer: its key facts and its terms (D3 §2.3).
import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from '#platform/context.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import type { Quote } from '#platform/lenders/partner/terms.ts'

export const indicativePathPrefix = '/partner-offers'

export interface IndicativeOfferKey {
  tenantId: string
  caseRef: string
  referenceId: string
}

const linkContext = 'indicative offer link'

/** Returns links that are sealed, so that they cannot be forged. The pages do not identify the borrower. */
export function indicativeLinks(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  referenceId: string,
): Pick<Quote, 'kfsUrl' | 'termsUrl'> {
  const token = seal.json([tenantId, caseRef, referenceId], linkContext).toString('base64url')
  const address = `${config.PUBLIC_URL}${indicativePathPrefix}/${token}`
  return { kfsUrl: `${address}/key-facts`, termsUrl: `${address}/terms` }
}

/** Throws `absent` for a token that we did not issue. */
export function openIndicativeLink({ seal }: Pick<Context, 'seal'>, token: string): IndicativeOfferKey {
  try {
    const [tenantId, caseRef, referenceId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      linkContext,
    )
    return { tenantId, caseRef, referenceId }
  } catch {
    throw new Refusal('absent', 'the page does not exist')
  }
}
