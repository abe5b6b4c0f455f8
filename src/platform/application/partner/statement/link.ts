// The address at which a borrower shares a bank statement: ours, so that the consent is recorded here and a request begins when the borrower comes.
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'

type Place = Pick<PartnerCase, 'tenantId' | 'caseRef'>

const context = 'statement link'

/** Where an analyser posts its callbacks: each adapter has an address of its own, for they are signed in different ways. */
export const statementCallbackPath = (adapter: string): string =>
  `/api/provider/bank-statement/${adapter === 'lendloom' ? '' : `${adapter}/`}callback`

/** Sealed: nobody can make one or read what is in it. */
export const statementUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef }: Place,
): string => `${config.PUBLIC_URL}/statement/${seal.json([tenantId, caseRef], context).toString('base64url')}`

/** Refused as `absent` when we never made it. */
export function openStatementLink({ seal }: Pick<Context, 'seal'>, token: string): Place {
  try {
    const [tenantId, caseRef] = seal.openJson<[string, string]>(Buffer.from(token, 'base64url'), context)
    return { tenantId, caseRef }
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
}
