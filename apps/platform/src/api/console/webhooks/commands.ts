// The commands about webhooks.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const deliveryFilters = {
  tenantId: 'only of this tenant',
  eventId: 'only of this event, by its webhook-id',
  journeyId: 'only of this journey',
  endpointId: 'only to this endpoint',
  state: 'only in this state',
  status: 'only of this lifecycle status',
  from: 'created at or after this instant, such as 2026-11-21T10:00:00Z',
  until: 'created before this instant',
}

const secretShownOnce = 'Save it now: it cannot be shown again.'

/** They have secrets: given in the console or over the API. */
const access = ['headers', 'clientCredentials']

export const webhookCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /webhooks/endpoints': {
    name: 'webhook health',
    summary: 'list the endpoints and listeners of a tenant with health, latency, pending and missed deliveries',
    columns: {
      ENDPOINT: 'endpointId',
      HEALTH: 'health',
      'LAST DAY': 'lastDay.delivered',
      MEDIAN: 'lastDay.p50Ms',
      '95 %': 'lastDay.p95Ms',
      WAITING: 'waiting',
      MISSED: 'missed',
      APPLICATION: 'applicationName',
      URL: 'url',
    },
    none: 'No endpoints yet: lendloom webhook add <url>',
  },
  'GET /webhooks/endpoints/{endpointId}': {
    name: 'webhook show',
    summary: 'show an endpoint with its health and its last answers',
  },
  'POST /webhooks/endpoints': {
    name: 'webhook add',
    summary: 'register a webhook endpoint; its secret is shown once',
    args: ['url'],
    without: access,
    about: {
      statuses: 'lifecycle status to send; may be repeated (default: all)',
      loanEvents: 'event of loans to send; may be repeated (default: none)',
    },
    done: `{secret}\n\n${secretShownOnce} The endpoint is {endpoint.endpointId}.`,
  },
  'PATCH /webhooks/endpoints/{endpointId}': {
    name: 'webhook change',
    summary:
      'change the address or the statuses of an endpoint; --no-status sends all, --no-loan-event no events of loans',
    without: access,
    about: {
      url: 'new address',
      statuses: 'lifecycle status to send; may be repeated',
      loanEvents: 'event of loans to send; may be repeated',
    },
  },
  'POST /webhooks/endpoints/{endpointId}/pause': {
    name: 'webhook pause',
    summary: 'pause the deliveries to an endpoint',
    done: '{endpointId} is paused.',
  },
  'POST /webhooks/endpoints/{endpointId}/resume': {
    name: 'webhook resume',
    summary: 'resume the deliveries to an endpoint',
    done: '{endpointId} receives again.',
  },
  'POST /webhooks/endpoints/{endpointId}/rotate-secret': {
    name: 'webhook rotate',
    summary: 'rotate the secret of an endpoint; the old one also signs for a day',
    done: `{secret}\n\n${secretShownOnce} Until {oldSecretUntil}, updates are also signed with the old secret.`,
  },
  'POST /webhooks/endpoints/{endpointId}/test': {
    name: 'webhook test',
    summary: 'send a test event to one endpoint, and show its answer',
  },
  'DELETE /webhooks/endpoints/{endpointId}': {
    name: 'webhook remove',
    summary: 'remove a webhook endpoint and stop its pending deliveries',
    done: 'removed {endpointId}',
  },
  'GET /webhooks/deliveries': {
    name: 'webhook deliveries',
    summary: 'list deliveries, newest first',
    allTenants: true,
    about: deliveryFilters,
    columns: {
      DELIVERY: 'deliveryId',
      CREATED: 'createdAt',
      STATUS: 'status',
      STATE: 'state',
      TRIES: 'totalAttempts',
      'LAST ANSWER': 'lastAnswer',
    },
    none: 'No deliveries found.',
  },
  'GET /webhooks/deliveries/{deliveryId}': {
    name: 'webhook delivery',
    summary: 'show a delivery: its masked payload, each try with its response, and what it waits for',
  },
  'POST /webhooks/deliveries/{deliveryId}/replay': {
    name: 'webhook replay',
    summary: 'resend a delivery: the same event with the same webhook-id',
    allTenants: true,
    done: '{deliveryId} is due again',
  },
  'GET /webhooks/replays': {
    name: 'webhook replays list',
    summary: 'list the replays of a tenant, newest first',
    columns: {
      REPLAY: 'replayId',
      STATE: 'state',
      UPDATES: 'updates',
      DONE: 'updatesDone',
      STARTED: 'startedAt',
      ENDED: 'endedAt',
    },
    none: 'Nothing was replayed yet.',
  },
  'GET /webhooks/replays/{replayId}': {
    name: 'webhook replays show',
    summary: 'show the progress of a replay',
  },
  'POST /webhooks/replays/{replayId}/stop': {
    name: 'webhook replays stop',
    summary: 'stop a replay; deliveries that are already due are still sent',
  },
}
