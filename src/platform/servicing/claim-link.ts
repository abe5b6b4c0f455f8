// The address at which a borrower tells of a payment to the partner: ours, and for one operation alone.
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'

export interface ClaimPlace {
  tenantId: string
  journeyId: string
  operationId: string
}

const context = 'claim link'

/** Sealed: nobody can make one or read what is in it. It opens as long as the operation does. */
export const claimUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId, operationId }: ClaimPlace,
): string =>
  `${config.PUBLIC_URL}/repay/${seal.json([tenantId, journeyId, operationId], context).toString('base64url')}`

/** Refused as `absent` when we never made it. */
export function openClaimLink({ seal }: Pick<Context, 'seal'>, token: string): ClaimPlace {
  try {
    const [tenantId, journeyId, operationId] = seal.openJson<[string, string, string]>(
      Buffer.from(token, 'base64url'),
      context,
    )
    return { tenantId, journeyId, operationId }
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
}
