// The schemas that the OpenAPI document for integrators names, each by its name in the contract.
import * as aa from '#contract/headless/aa.ts'
import * as envelope from '#contract/headless/envelope.ts'
import * as fields from '#contract/headless/fields.ts'
import * as journey from '#contract/headless/journey.ts'
import * as offer from '#contract/headless/offer.ts'
import * as profile from '#contract/headless/profile.ts'
import * as headlessSession from '#contract/headless/session.ts'
import * as step from '#contract/headless/step.ts'
import * as hybrid from '#contract/hosted/hybrid.ts'
import * as lifecycle from '#contract/hosted/lifecycle.ts'
import * as borrower from '#contract/hosted/profile.ts'
import * as session from '#contract/hosted/session.ts'
import * as webhookEndpoint from '#contract/hosted/webhook-endpoint.ts'

export const components: Record<string, unknown> = {
  ...envelope,
  ...fields,
  ...aa,
  ...step,
  ...journey,
  ...offer,
  ...profile,
  ...headlessSession,
  HeadlessSessionRequest: headlessSession.SessionRequest,
  ...borrower,
  ...session,
  ...hybrid,
  ...lifecycle,
  ...webhookEndpoint,
}
