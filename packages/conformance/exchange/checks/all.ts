// All checks of each side, in the order in which a run makes them.
import type { Check } from '#conformance/exchange/check.ts'
import type { TestedSide } from '#conformance/exchange/run-credentials.ts'
import { authentication, tolerance } from './authentication.ts'
import { dedupe } from './dedupe.ts'
import { documents } from './documents.ts'
import { envelopes } from './envelope.ts'
import { leads } from './lead.ts'
import { lending } from './lending.ts'
import { offers } from './offer.ts'
import { eventChecks, partnerEvents } from './partner-events.ts'
import { application } from './platform/application.ts'
import { platformCalls } from './platform/calls.ts'
import { platformClaims } from './platform/claim.ts'
import { platformLending } from './platform/lending.ts'
import { platformOffers } from './platform/offer.ts'
import { contentChecks, receiver } from './platform/receiver.ts'

export const allChecks: Record<TestedSide, Check[]> = {
  partner: [
    ...authentication,
    ...envelopes,
    ...dedupe,
    ...leads,
    ...tolerance,
    ...documents,
    ...offers,
    ...lending,
    ...partnerEvents,
  ],
  platform: [
    ...receiver,
    ...application,
    ...contentChecks,
    ...platformOffers,
    ...platformLending,
    ...platformClaims,
    ...platformCalls,
    ...eventChecks('platform', 'lead.submitted'),
  ],
}
