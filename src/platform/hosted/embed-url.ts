// The address of a hosted page: whose it is in the query, the single-use token in the fragment, which no server sees (D1 §2.2).
import type { Integrator } from '#platform/access/api-key.ts'
import type { Context } from '#platform/context.ts'
import type { JourneyRequest } from './open-journey.ts'

export function embedUrl(
  { config }: Context,
  who: Pick<Integrator, 'tenantId' | 'applicationId'>,
  { borrowerProviderID, journeyType }: Pick<JourneyRequest, 'borrowerProviderID' | 'journeyType'>,
  token: string,
): string {
  const query = new URLSearchParams({
    tenant_id: who.tenantId,
    application_id: who.applicationId,
    borrower_provider_id: borrowerProviderID,
    journey_type: journeyType,
  })
  return `${config.PUBLIC_URL}/lab/embed?${query}#token=${token}`
}
