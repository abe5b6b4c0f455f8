// DELETE /api/lab/links/{id}: revokes a link that was sent, and ends what was opened with it (D1 §2.1).

import { Closed, Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { revokeJourneyLink } from '#platform/integrators/access/journey-link.ts'

export const revokeLinkRoute = route({
  method: 'DELETE',
  path: '/api/lab/links/{id}',
  section: 'D1 §2.1',
  operationId: 'revokeLink',
  summary: 'Revoke a link that was sent, and end what was opened with it',
  auth: apiKey('sessions'),
  params: Closed({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
  async handle({ who, params, at }, { db }) {
    const { tenantId, applicationId } = who
    await db.tx((tx) => revokeJourneyLink({ tx, at }, { tenantId, applicationId, linkId: params.id }))
    return answer(204, undefined)
  },
})
