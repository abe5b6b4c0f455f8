// The address of a step at a provider: ours, so that a session begins when the borrower comes and not before (D3 §1.1 rule 5).
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import { type CheckKind, checkKinds } from '#platform/exchange/check.ts'

export interface CheckPlace {
  tenantId: string
  caseRef: string
  kind: CheckKind
}

const context = 'check link'

/** Where a provider posts its callbacks: each adapter has an address of its own, for they are signed in different ways. */
export const callbackPath = (kind: CheckKind, adapter: string): string =>
  `/api/provider/${kind}/${adapter === 'lendloom' ? '' : `${adapter}/`}callback`

/** Sealed: nobody can make one or read what is in it. What it leads to depends on how far the case has come. */
export const checkUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  kind: CheckKind,
): string => `${config.PUBLIC_URL}/verify/${seal.json([tenantId, caseRef, kind], context).toString('base64url')}`

/** Refused as `absent` when we never made it. */
export function openCheckLink({ seal }: Pick<Context, 'seal'>, token: string): CheckPlace {
  try {
    const [tenantId, caseRef, kind] = seal.openJson<[string, string, CheckKind]>(
      Buffer.from(token, 'base64url'),
      context,
    )
    if (checkKinds.includes(kind)) return { tenantId, caseRef, kind }
  } catch {
    // Told below, in the same words.
  }
  throw new Refusal('absent', 'there is nothing at this address')
}
