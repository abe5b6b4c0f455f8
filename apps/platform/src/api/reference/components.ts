// The schemas that the OpenAPI document for integrators names, each by its name in the contract.
import * as aa from '@lendloom/wire/headless/aa'
import * as envelope from '@lendloom/wire/headless/envelope'
import * as fields from '@lendloom/wire/headless/fields'
import * as journey from '@lendloom/wire/headless/journey'
import * as offer from '@lendloom/wire/headless/offer'
import * as profile from '@lendloom/wire/headless/profile'
import * as headlessSession from '@lendloom/wire/headless/session'
import * as step from '@lendloom/wire/headless/step'
import * as hybrid from '@lendloom/wire/hosted/hybrid'
import * as lifecycle from '@lendloom/wire/hosted/lifecycle'
import * as borrower from '@lendloom/wire/hosted/profile'
import * as session from '@lendloom/wire/hosted/session'
import * as webhookEndpoint from '@lendloom/wire/hosted/webhook-endpoint'

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
