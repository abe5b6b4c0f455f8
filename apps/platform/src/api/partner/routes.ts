// The API for lending partners (D3 §4.2).

import type { Api } from '@lendloom/http/server'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import type { Context } from '#platform/context.ts'
import { exchangeDocument, signatureVectors, webhookRoute } from './webhook.ts'

/** Served even if no partner is configured, because a partner may be added at runtime. */
export const partnerApi: Api<Context> = {
  prefix: '/api/partner',
  routes: [webhookRoute, exchangeDocument, signatureVectors],
  refuse: refusedExchange,
}
