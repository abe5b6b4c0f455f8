// What decides which provider serves a case.

import type { Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { AdapterScope } from '#platform/providers/settings.ts'

/** Returns what decides the provider of a case: the integrator's application, and the partner's sender name. */
export const adapterScopeOf = (
  { applicationId }: Pick<Journey, 'applicationId'>,
  { sender }: Pick<Partner, 'sender'>,
): AdapterScope => ({ application: applicationId, lender: sender })
