// `lendloom webhook …`: endpoints for an application's lifecycle updates, deliveries, and resending (D1 §6).
import type { Deliveries, Delivery, NewEndpoint, RotatedSecret } from '@lendloom/wire/console/webhooks'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { type CommandTree, requireArgument, requireOption } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { idOf, pageOptions, resultTable, tenantOption, tenantQuery, wordIn } from './console/words.ts'
import { checkSignature } from './webhook/check-signature.ts'
import { delivery } from './webhook/delivery.ts'
import { change, health, ofEndpoint, pause, resume, show, test, usage } from './webhook/endpoints.ts'
import { listen } from './webhook/listen.ts'
import { replays } from './webhook/replays.ts'
import { alerts } from './webhook-alerts.ts'

const endpointPath = '/webhooks/endpoints/{endpointId}'
const tenantOnly = { tenant: tenantOption } as const

const add = consoleCommand({
  name: 'webhook add',
  summary: 'register a webhook endpoint; its secret is shown once',
  usage: '<url> --tenant <tenantId> --application <applicationId> [--status <STATUS>…]',
  options: {
    ...tenantOnly,
    application: { type: 'string', value: 'applicationId', about: 'application' },
    status: {
      type: 'string',
      value: 'STATUS',
      about: 'lifecycle status to send; may be repeated (default: all)',
      multiple: true,
    },
  },
  route: 'POST /webhooks/endpoints',
  input: ({ args, options }) => ({
    query: tenantQuery(options),
    body: {
      applicationId: requireOption(options.application, 'application'),
      url: requireArgument(args, 'the url'),
      statuses: options.status?.map((word) => wordIn(statuses, word, 'status')),
    },
  }),
  text: ({ secret, endpoint: { endpointId } }: NewEndpoint) =>
    `${secret}\n\nSave it now: it cannot be shown again. The endpoint is ${endpointId}.`,
})

const remove = consoleCommand({
  name: 'webhook remove',
  summary: 'remove a webhook endpoint and stop its pending deliveries',
  usage,
  options: tenantOnly,
  route: `DELETE ${endpointPath}`,
  input: ofEndpoint,
  text: (_: null, { args }) => `removed ${args[0]}`,
})

const rotate = consoleCommand({
  name: 'webhook rotate',
  summary: 'rotate the secret of an endpoint; the old one also signs for a day',
  usage,
  options: tenantOnly,
  route: `POST ${endpointPath}/rotate-secret`,
  input: ofEndpoint,
  text: ({ secret, oldSecretUntil }: RotatedSecret) =>
    `${secret}\n\nSave it now: it cannot be shown again. Until ${oldSecretUntil}, updates are also signed with the old secret.`,
})

const deliveries = consoleCommand({
  name: 'webhook deliveries',
  summary: 'list deliveries, newest first',
  usage:
    '[--tenant <tenantId>] [--event <id>] [--journey <id>] [--endpoint <id>] [--state <state>] [--status <STATUS>] [--after <cursor>] [--limit <n>]',
  options: {
    tenant: { ...tenantOption, about: 'only of this tenant' },
    event: { type: 'string', value: 'webhookId', about: 'only of this event, by its webhook-id' },
    journey: { type: 'string', value: 'journeyId', about: 'only of this journey' },
    endpoint: { type: 'string', value: 'endpointId', about: 'only to this endpoint' },
    state: { type: 'string', value: deliveryStates.join('|'), about: 'only in this state' },
    status: { type: 'string', value: 'STATUS', about: 'only of this lifecycle status' },
    ...pageOptions,
  },
  route: 'GET /webhooks/deliveries',
  input: ({ options: { tenant, event, journey, endpoint, state, status, after, limit } }) => ({
    query: {
      tenantId: tenant,
      eventId: event,
      journeyId: journey,
      endpointId: endpoint,
      after,
      limit,
      state: wordIn(deliveryStates, state, 'state'),
      status: wordIn(statuses, status, 'status'),
    },
  }),
  text({ items, next }: Deliveries) {
    return resultTable(
      items,
      [
        { head: 'DELIVERY', of: ({ deliveryId }) => deliveryId },
        { head: 'CREATED', of: ({ createdAt }) => createdAt },
        { head: 'TENANT', of: ({ tenantId }) => tenantId },
        { head: 'JOURNEY', of: ({ journeyId }) => journeyId },
        { head: 'STATUS', of: ({ status }) => status },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'TRIES', of: ({ totalAttempts }) => totalAttempts },
        { head: 'LAST ANSWER', of: ({ lastAnswer }) => lastAnswer },
      ],
      'No deliveries found.',
      next,
    )
  },
})

const replay = consoleCommand({
  name: 'webhook replay',
  summary: 'resend a delivery: the same event with the same webhook-id',
  usage: '<deliveryId> [--tenant <tenantId>]',
  options: tenantOnly,
  route: 'POST /webhooks/deliveries/{deliveryId}/replay',
  input: ({ args, options }) => ({
    params: { deliveryId: idOf(args, 'the delivery') },
    query: { tenantId: options.tenant },
  }),
  text: ({ deliveryId }: Delivery) => `${deliveryId} is due again`,
})

export const webhook: CommandTree = {
  name: 'webhook',
  summary: 'webhook endpoints and deliveries: health, deliveries, replays, alerts',
  commands: [
    health,
    show,
    add,
    change,
    pause,
    resume,
    rotate,
    test,
    remove,
    listen,
    deliveries,
    delivery,
    replay,
    replays,
    checkSignature,
    alerts,
  ],
}
