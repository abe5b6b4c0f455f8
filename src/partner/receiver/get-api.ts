// GET /openapi.json: the exchange as one document, made from the schemas that the doors check with.
import { exchangeApi } from '#contract/exchange/openapi.ts'
import type { Auth } from '#kit/http-server.ts'
import { route, type World } from '#partner/world.ts'

const anybody: Auth<World, null> = { scheme: null, check: () => null }

export const getApi = route({
  method: 'GET',
  path: '/openapi.json',
  section: 'operation',
  summary: 'This interface, and the receiver that it answers to, as OpenAPI 3.1',
  auth: anybody,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: config.PARTNER_PUBLIC_URL }),
})
