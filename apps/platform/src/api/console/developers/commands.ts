// The commands about applications, keys, requests and the sandbox.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const keyShownOnce = '{apiKey}\n\nSave it now: it cannot be shown again. Its id is {keyId}.'

export const developerCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /developers/applications': {
    name: 'tenant applications',
    summary: 'list the applications of a tenant, with the origins that may embed their journeys',
    none: 'The tenant has no application.',
  },
  'PUT /developers/applications/{applicationId}/origins': {
    name: 'tenant origins',
    summary: 'replace the origins that may embed an application; - for none',
    args: ['origins'],
    about: {
      origins: 'origin, such as https://app.example',
    },
    done: 'origins: {origins}',
  },
  'POST /developers/applications/{applicationId}/embed-check': {
    name: 'tenant check-embed',
    summary: 'check whether a page can embed the hosted page of an application; exit code 1 if it cannot',
    check: 'findings',
    args: ['url'],
  },
  'GET /developers/applications/{applicationId}/theme': {
    name: 'tenant theme',
    summary: 'show the theme of an application’s page, with the contrasts of its colours',
  },
  'PUT /developers/applications/{applicationId}/theme': {
    name: 'tenant set-theme',
    summary: 'set the theme of an application’s page',
    defaults: {
      corner: 'soft',
      font: 'system',
    },
    files: ['logo'],
    about: {
      name: 'name on the page, at most 30 characters',
      accent: 'accent colour: # and six hexadecimal digits',
      corner: 'shape of corners (default: soft)',
      font: 'font family (default: system)',
      logo: 'logo: a PNG, SVG or WebP file of at most 100 kB (default: keep it)',
    },
  },
  'DELETE /developers/applications/{applicationId}/theme': {
    name: 'tenant reset-theme',
    summary: 'reset the theme of an application’s page to the default',
  },
  'GET /developers/keys': {
    name: 'key list',
    summary: 'list the keys of a tenant without their text, newest first',
    columns: {
      KEY: 'keyId',
      LABEL: 'label',
      SCOPES: 'scopes',
      'LAST USED': 'lastUsedOn',
      EXPIRES: 'expiresAt',
      REVOKED: 'revokedAt',
    },
    blanks: { 'LAST USED': 'never', EXPIRES: 'never' },
    none: 'This tenant has no keys.',
  },
  'POST /developers/keys': {
    name: 'key create',
    summary: 'create an API key, which is shown once',
    defaults: {
      label: 'created at the command line',
      scopes: ['sessions', 'webhooks'],
    },
    options: {
      expiresOn: 'expires',
    },
    about: {
      label: 'label in lists',
      scopes: 'scope; may be repeated (default: sessions and webhooks)',
      expiresInDays: 'days for which the key works (default: for ever)',
      expiresOn: 'the day on which the key expires',
      isLive: 'create a live key (sk_live_) in a sandbox (default there: sk_test_)',
      addresses: 'allowed IP address or network; may be repeated (default: any)',
    },
    done: keyShownOnce,
  },
  'POST /developers/keys/{keyId}/roll': {
    name: 'key roll',
    summary: 'roll a key: create a new one, while the old one works for some hours',
    defaults: {
      overlapHours: 24,
    },
    about: {
      overlapHours: 'hours for which the old key still works (default: 24); 0 if it leaked',
    },
    done: keyShownOnce,
  },
  'DELETE /developers/keys/{keyId}': {
    name: 'key revoke',
    summary: 'revoke a key; requests with it, and headless sessions that it opened, are refused within seconds',
    done: 'revoked {keyId}',
  },
  'GET /developers/requests': {
    name: 'requests list',
    summary: 'list API requests of a tenant, newest first',
    about: {
      correlationId: 'only requests with this correlation id',
      journeyId: 'only requests about this journey',
      keyId: 'only requests with this key',
      failed: 'only refused and failed requests',
      reads: '`omit` leaves out requests that only read, such as polls',
      method: 'only requests with this method',
      route: 'only requests of this route, such as /api/lab/sessions',
      applicationId: 'only requests of this application',
    },
    columns: {
      AT: 'at',
      METHOD: 'method',
      ROUTE: 'route',
      STATUS: 'status',
      TOOK: 'ms',
      ERROR: 'error',
      ID: 'requestId',
    },
    none: 'There are no such requests.',
  },
  'GET /developers/requests/{requestId}': {
    name: 'requests show',
    summary: 'show one request and its response, with personal data masked',
  },
  'POST /developers/sandbox/journeys': {
    name: 'sandbox begin',
    summary: 'begin a sandbox journey; the digits of its PAN select a fault scenario',
    about: {
      digits: 'four digits of the PAN: see lendloom scenarios (default: no fault)',
    },
    done: '{embedUrl}\n\nPAN {pan}, journey {journeyId}',
  },
}
