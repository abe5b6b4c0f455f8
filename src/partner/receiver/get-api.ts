// GET /openapi.json: the exchange as one document, made from the schemas that the APIs check with.
import { exchangeApi } from '#contract/exchange/openapi.ts'
import type { Auth } from '#kit/http/server.ts'
import { type Context, route } from '#partner/context.ts'

const anybody: Auth<Context, null> = { scheme: null, check: () => null }

export const getApi = route({
  method: 'GET',
  path: '/openapi.json',
  section: 'operation',
  summary: 'This interface, and the receiver that it answers to, as OpenAPI 3.1',
  auth: anybody,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: config.PARTNER_PUBLIC_URL }),
})
