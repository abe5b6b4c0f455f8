// The links to a statement: the borrower's to our page, and the analyser's for its callback.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from '#platform/context.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'

export type CaseKey = Pick<PartnerCase, 'tenantId' | 'caseRef'>

const linkContext = 'statement link'

/** The callback path of an analyser. Each adapter has its own path, because the signatures differ. */
export const statementCallbackPath = (adapter: string): string =>
  `/api/provider/bank-statement/${adapter === 'lendloom' ? '' : `${adapter}/`}callback`

/** Returns the link to our page for sharing a bank statement, sealed so that it cannot be forged or read. */
export const statementUrl = (
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef }: CaseKey,
): string => `${config.PUBLIC_URL}/statement/${seal.json([tenantId, caseRef], linkContext).toString('base64url')}`

/** Throws `absent` for a token that we did not issue. */
export function openStatementLink({ seal }: Pick<Context, 'seal'>, token: string): CaseKey {
  try {
    const [tenantId, caseRef] = seal.openJson<[string, string]>(Buffer.from(token, 'base64url'), linkContext)
    return { tenantId, caseRef }
  } catch {
    throw new Refusal('absent', 'the page does not exist')
  }
}
