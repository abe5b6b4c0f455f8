// The OpenAPI document of the calls for integrators.

import { openapi } from '@lendloom/http/openapi'
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import type { Api } from '@lendloom/http/server'
import { NoBody } from '@lendloom/wire/basic-schemas'
import * as aa from '@lendloom/wire/headless/aa-session'
import { AnsweredAmount, RequestedAmount } from '@lendloom/wire/headless/amounts'
import * as bankMandate from '@lendloom/wire/headless/bank-mandate'
import * as enums from '@lendloom/wire/headless/enums'
import * as envelope from '@lendloom/wire/headless/envelope'
import { codes, ErrorEnvelope } from '@lendloom/wire/headless/envelope'
import * as journey from '@lendloom/wire/headless/journey'
import * as offer from '@lendloom/wire/headless/offer'
import * as operation from '@lendloom/wire/headless/operation'
import * as paging from '@lendloom/wire/headless/paging'
import * as pathParameters from '@lendloom/wire/headless/path-parameters'
import * as profile from '@lendloom/wire/headless/profile'
import * as headlessSession from '@lendloom/wire/headless/session'
import { headlessHeaders } from '@lendloom/wire/headless/session'
import * as step from '@lendloom/wire/headless/step'
import * as session from '@lendloom/wire/hosted/create-session'
import * as hybrid from '@lendloom/wire/hosted/hybrid'
import { HybridError } from '@lendloom/wire/hosted/hybrid'
import * as lifecycle from '@lendloom/wire/hosted/lifecycle'
import { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { LoanEvent, LoanEventType } from '@lendloom/wire/hosted/loan-event'
import { loanEventTypes } from '@lendloom/wire/hosted/loan-event-types'
import { LoanState } from '@lendloom/wire/hosted/loan-state'
import * as borrower from '@lendloom/wire/hosted/profile'
import * as webhookEndpoint from '@lendloom/wire/hosted/webhook-endpoint'
import { headlessApi } from '#platform/api/headless/routes.ts'
import { hybridApi } from '#platform/api/hosted/hybrid/routes.ts'
import type { Context } from '#platform/context.ts'
import { withPackageSamples } from './package-samples.ts'
import { examples, groups, loanEventMeanings, statusMeanings, texts, webhookHeaders } from './texts.ts'

/** The version of the API for integrators. */
export const version = '2026-11-01'

const refusals = { prefix: '', schema: ErrorEnvelope, codes }
const hybridRefusals = { prefix: 'Hybrid', schema: HybridError, codes }

/** A webhook for each status. All have the same body, whose example is the last one's. */
const lifecycleWebhooks = Object.fromEntries(
  statuses.map((status) => [
    status,
    {
      post: {
        operationId: `receive_${status.toLowerCase()}`.replace(/_(\w)/g, (_, first: string) => first.toUpperCase()),
        security: [],
        summary: statusMeanings[status],
        description:
          'Posted to each webhook endpoint of the application and to the session’s callback URL, once per status, signed as in [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0. A resent event has the same `webhook-id`.',
        tags: ['Webhooks'],
        'x-section': 'D1 §2.4, §6',
        parameters: webhookHeaders,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: LifecycleUpdate,
              ...(status === 'DISBURSED' && { example: examples.lifecycleUpdate?.request }),
            },
          },
        },
        responses: { '2XX': { description: 'Received' }, 410: { description: 'Disable this endpoint' } },
      },
    },
  ]),
)

/** A webhook for each event of a loan. All have the same body. */
const loanWebhooks = Object.fromEntries(
  loanEventTypes.map((type) => [
    type,
    {
      post: {
        operationId: `receive.${type}`.replace(/[._](\w)/g, (_, first: string) => first.toUpperCase()),
        security: [],
        summary: loanEventMeanings[type],
        description:
          'Posted to each webhook endpoint that has it in `loanEvents`, signed as the lifecycle updates are, and in order for each loan.',
        tags: ['Webhooks'],
        'x-section': 'D1 §6',
        parameters: webhookHeaders,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: LoanEvent, example: examples.loanEvent?.request } },
        },
        responses: { '2XX': { description: 'Received' }, 410: { description: 'Disable this endpoint' } },
      },
    },
  ]),
)

/** Builds the OpenAPI document of all calls for integrators. */
export const platformApi = (apis: Api<Context>[], publicUrl: string): OpenApiDocument =>
  withPackageSamples(documentOf(apis, publicUrl))

const documentOf = (apis: Api<Context>[], publicUrl: string): OpenApiDocument =>
  openapi(apis, {
    title: 'Lendloom',
    version,
    description:
      'Hosted borrower journeys over the open credit network. All errors have the same envelope; amounts are decimal strings in rupees.',
    serverUrl: publicUrl,
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `sk_test_…` or `sk_live_…`; for your server only',
      },
      sessionToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'A borrower’s session token, `st_…`, valid for half an hour',
      },
      refreshToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'Either token of a pair: the refresh token, `rt_…`, valid for seven days and single use, or the session token',
      },
    },
    webhooks: { ...lifecycleWebhooks, ...loanWebhooks },
    groups,
    texts,
    headers: { [headlessApi.prefix]: headlessHeaders },
    refusals: Object.fromEntries(apis.map((api) => [api.prefix, api === hybridApi ? hybridRefusals : refusals])),
    schemas: components,
  })

const components: Record<string, unknown> = {
  ...envelope,
  ...enums,
  ...pathParameters,
  ...paging,
  ...operation,
  Money: AnsweredAmount,
  AmountDigits: RequestedAmount,
  NoBody,
  ...aa,
  ...step,
  ...bankMandate,
  ...journey,
  ...offer,
  ...profile,
  ...headlessSession,
  HeadlessSessionRequest: headlessSession.SessionRequest,
  ...borrower,
  ...session,
  ...hybrid,
  ...lifecycle,
  LoanState,
  LoanEvent,
  LoanEventType,
  ...webhookEndpoint,
}
