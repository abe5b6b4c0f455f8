// Routes for listeners: the command line of a developer pulls the updates of an application.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import {
  maxForwarded,
  NewListener,
  NewListenerRequest,
  PulledUpdates,
  PullRequest,
} from '@lendloom/wire/console/command-line'
import { OfTenant } from '@lendloom/wire/console/staff'
import { EndpointParams } from '@lendloom/wire/console/webhooks'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { byListeners } from '#platform/api/console/rights.ts'
import { requireApplication } from '#platform/api/console/tenant-store.ts'
import { route } from '#platform/context.ts'
import { findEndpoint } from '#platform/integrators/webhook/endpoint/store.ts'
import {
  areUpdatesMasked,
  type PulledUpdate,
  pullUpdates,
  registerListener,
} from '#platform/integrators/webhook/listener.ts'
import { personIdOf, tenantOf } from '#platform/people/person.ts'
import { headersWire } from './webhook-view.ts'
import { noteEndpointAct } from './webhooks.ts'

const path = `${consolePrefix}/webhooks/listeners`

const create = route({
  ...byListeners,
  method: 'POST',
  path,
  summary: 'Listen to the updates of an application from a command line',
  query: OfTenant,
  body: NewListenerRequest,
  reply: { 201: NewListener },
  async handle({ who, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    const { applicationId, forwardTo, secret, statuses = null } = body
    const url = URL.parse(forwardTo)
    if (!url) throw invalid({ path: 'forwardTo', message: 'must be an http or https URL' })
    await requireApplication(ctx.db, tenantId, applicationId)
    const endpoint = await ctx.db.tx(async (tx) => {
      const input = { url: url.href, secret, statuses, listenerPersonId: personIdOf(who), at }
      const added = await registerListener(tx, ctx, { tenantId, applicationId }, input)
      await noteEndpointAct({ tx, at }, who, 'WEBHOOK_LISTENER_ADDED', added)
      return added
    })
    return answer(201, { endpointId: endpoint.endpointId, isMasked: areUpdatesMasked(ctx.config) })
  },
})

const pull = route({
  ...byListeners,
  method: 'POST',
  path: `${path}/{endpointId}/pull`,
  summary: 'Report what became of the last updates of a listener, and wait for the next ones',
  params: EndpointParams,
  query: OfTenant,
  body: PullRequest,
  maxBytes: 1 << 17,
  reply: { 200: PulledUpdates },
  async handle({ who, params, query, body }, ctx): Promise<PulledUpdates> {
    const endpoint = await findEndpoint(ctx.db, tenantOf(who, query.tenantId), params.endpointId)
    // Only its person pulls, so that the list and the audit log name the right one.
    if (!endpoint?.listensUntil || endpoint.listenerPersonId !== personIdOf(who))
      throw new Refusal('absent', 'there is no such listener')
    const updates = await pullUpdates(ctx, endpoint, body.results, maxForwarded)
    return { items: updates.map(wire), next: null }
  },
})

const wire = ({ headers, body, attempt, ...update }: PulledUpdate): PulledUpdates['items'][number] => ({
  ...update,
  attempt: attempt + 1,
  headers: headersWire(headers),
  body: body.toString('utf8'),
})

export const listenerRoutes = [create, pull]
