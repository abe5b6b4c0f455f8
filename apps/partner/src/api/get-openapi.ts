// GET /openapi.json and /signature-vectors.json: the exchange as OpenAPI, and test vectors for signatures.

import { anyone } from '@lendloom/http/server'
import { exchangeApi } from '@lendloom/wire/exchange/openapi'
import vectors from '@lendloom/wire/exchange/vectors.json' with { type: 'json' }
import { route } from '#partner/context.ts'

export const getOpenApi = route({
  method: 'GET',
  path: '/openapi.json',
  section: 'operation',
  summary: 'This interface, and the platform’s webhook, as OpenAPI 3.1',
  auth: anyone,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: config.PARTNER_PUBLIC_URL }),
})

export const getSignatureVectors = route({
  method: 'GET',
  path: '/signature-vectors.json',
  section: 'operation',
  summary: 'Valid and invalid signatures of events, with reasons',
  auth: anyone,
  hidden: true,
  handle: () => vectors,
})
