// Links to signed agreements. A link is valid for only a day, because anyone with the link can read the agreement.
import type { Context } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'

export const agreementPrefix = '/agreements'
const link = { prefix: agreementPrefix, context: 'agreement link' }

export interface AgreementKey {
  tenantId: string
  caseRef: string
  documentReferenceId: string
}

export const agreementUrl = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef, documentReferenceId }: AgreementKey,
  at: Date,
): string => dayUrl(ctx, link, [tenantId, caseRef, documentReferenceId], at)

/** Throws `absent` for a forged or expired token. */
export function openAgreementLink(ctx: Pick<Context, 'seal'>, token: string, at: Date): AgreementKey {
  const [tenantId = '', caseRef = '', documentReferenceId = ''] = openDayLink(ctx, link, token, at)
  return { tenantId, caseRef, documentReferenceId }
}
