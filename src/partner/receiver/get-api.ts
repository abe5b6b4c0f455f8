// GET /openapi.json and /signature-vectors.json: the exchange as one document, and signatures to check an implementation with.

import { exchangeApi } from '#contract/exchange/openapi.ts'
import vectors from '#contract/exchange/vectors.json' with { type: 'json' }
import { anyone } from '#kit/http/server.ts'
import { route } from '#partner/context.ts'

export const getApi = route({
  method: 'GET',
  path: '/openapi.json',
  section: 'operation',
  summary: 'This interface, and the receiver that it answers to, as OpenAPI 3.1',
  auth: anyone,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: config.PARTNER_PUBLIC_URL }),
})

export const getVectors = route({
  method: 'GET',
  path: '/signature-vectors.json',
  section: 'operation',
  summary: 'Signatures of events to accept and to refuse, and why',
  auth: anyone,
  hidden: true,
  handle: () => vectors,
})
