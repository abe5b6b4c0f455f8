// GET /api/partner/signature-vectors.json: test vectors with valid and invalid signatures of events, for those who
// implement the exchange (D3 §5).

import vectors from '#contract/exchange/vectors.json' with { type: 'json' }
import { anyone } from '#kit/http/server.ts'
import { route } from '#platform/context.ts'

export const signatureVectors = route({
  method: 'GET',
  path: '/api/partner/signature-vectors.json',
  section: 'operation',
  summary: 'Get test vectors of valid and invalid event signatures',
  auth: anyone,
  hidden: true,
  handle: () => vectors,
})
