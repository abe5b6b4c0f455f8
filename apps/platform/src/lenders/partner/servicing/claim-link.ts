// The link to the page on which a borrower reports a payment.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from '#platform/context.ts'

/** The key of the operation for which a link lets the borrower claim a payment. */
export interface ClaimKey {
  tenantId: string
  journeyId: string
  operationId: string
}

const linkContext = 'claim link'

/** Builds the claim link. The token is sealed, so that it cannot be forged or read. */
export const claimUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId, operationId }: ClaimKey,
): string =>
  `${config.PUBLIC_URL}/repay/${seal.json([tenantId, journeyId, operationId], linkContext).toString('base64url')}`

/** Opens the token of a claim link. Throws `absent` for a token that we did not issue. */
export function openClaimLink({ seal }: Pick<Context, 'seal'>, token: string): ClaimKey {
  try {
    const [tenantId, journeyId, operationId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      linkContext,
    )
    return { tenantId, journeyId, operationId }
  } catch {
    throw new Refusal('absent', 'the page does not exist')
  }
}
