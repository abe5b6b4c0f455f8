// The address of a signed agreement: sealed, and valid for a day, because anyone with it can read the agreement.
import type { Context } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'

export const agreementPrefix = '/agreements'
const link = { prefix: agreementPrefix, context: 'agreement link' }

export interface AgreementPlace {
  tenantId: string
  caseRef: string
  documentReferenceId: string
}

export const agreementUrl = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef, documentReferenceId }: AgreementPlace,
  at: Date,
): string => dayUrl(ctx, link, [tenantId, caseRef, documentReferenceId], at)

/** Refused as `absent` when we never made it, and once its day is over. */
export function openAgreementLink(ctx: Pick<Context, 'seal'>, token: string, at: Date): AgreementPlace {
  const [tenantId = '', caseRef = '', documentReferenceId = ''] = openDayLink(ctx, link, token, at)
  return { tenantId, caseRef, documentReferenceId }
}
