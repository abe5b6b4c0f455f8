// Whatever the console does, the command line does: each of its routes has a command, or a reason why none is needed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleApi } from '#platform/console/routes.ts'
import { commandNames } from './completion/tree.ts'
import { commands, common } from './main.ts'

/** Why no command is needed. */
class None {
  readonly because: string
  constructor(because: string) {
    this.because = because
  }
}
const signingIn = new None('nobody signs in at the command line')
const own = new None('it is of whoever is signed in; lendloom people password resets all of it')
const inPieces = new None('lendloom complaints list, show and export give the same as JSON')
const ownBrowser = new None('it is of the browser that asks')

/** By method and path behind `/api/console`: the command that does the same. */
const commandOf: Record<string, string | None> = {
  'POST /sign-in': signingIn,
  'POST /sign-out': signingIn,
  'GET /me': signingIn,
  'POST /invitations/accept': signingIn,
  'POST /sign-in/passkey/options': signingIn,
  'POST /sign-in/passkey': signingIn,
  'POST /password': own,
  'POST /totp': own,
  'PUT /totp': own,
  'DELETE /totp': own,
  'GET /sessions': own,
  'DELETE /sessions/{sessionId}': own,
  'POST /passkeys/options': ownBrowser,
  'POST /passkeys': ownBrowser,
  'GET /passkeys': own,
  'DELETE /passkeys/{passkeyId}': own,
  'GET /sign-in/ways': signingIn,
  'POST /sign-in/openid': signingIn,
  'POST /sign-in/openid/code': signingIn,
  'GET /linked-accounts': own,
  'DELETE /linked-accounts/{linkId}': 'people unlink',
  'GET /people/{personId}/sessions': 'people sessions',
  'DELETE /people/{personId}/sessions/{sessionId}': 'people end-sessions',
  'DELETE /people/{personId}/sessions': 'people end-sessions',
  'GET /lenders': 'lenders list',
  'GET /lenders/{lenderId}': 'lenders show',
  'GET /lenders/{lenderId}/effect': 'lenders switch-off',
  'POST /lenders/{lenderId}/switch-off': 'lenders switch-off',
  'POST /lenders/{lenderId}/switch-on': 'lenders switch-on',
  'GET /network/registry': 'network subscribe',
  'GET /partner/events': 'exchange outgoing',
  'GET /partner/events/{direction}/{eventId}': 'exchange transcript',
  'POST /partner/events/{direction}/{eventId}/again': 'exchange replay',
  'GET /partner/files': 'exchange files',
  'POST /partner/files/{documentReferenceId}/resend': 'exchange resend-file',
  'GET /lending-partners': 'partner list',
  'POST /lending-partners': 'partner add',
  'PATCH /lending-partners/{partnerId}': 'partner change',
  'POST /lending-partners/{partnerId}/rotate': 'partner rotate',
  'GET /lending-partners/{partnerId}/effect': 'partner switch-off',
  'POST /lending-partners/{partnerId}/switch-off': 'partner switch-off',
  'POST /lending-partners/{partnerId}/switch-on': 'partner switch-on',
  'GET /people': 'people list',
  'PATCH /people/{personId}': 'people role',
  'DELETE /people/{personId}': 'people remove',
  'GET /people/invitations': 'people invitations',
  'POST /people/invitations': 'people invite',
  'DELETE /people/invitations/{invitationId}': 'people withdraw',
  'GET /audit': 'audit list',
  'GET /audit/csv': new None('lendloom audit list gives the same as JSON'),
  'GET /views': 'views list',
  'POST /views': 'views save',
  'PATCH /views/{viewId}': 'views save',
  'DELETE /views/{viewId}': 'views delete',
  'GET /sign-in-failures': 'people failures',
  'GET /developers/applications': 'tenant list',
  'PUT /developers/applications/{applicationId}/origins': 'tenant origins',
  'POST /developers/applications/{applicationId}/embed-check': 'tenant check-embed',
  'GET /developers/applications/{applicationId}/theme': 'tenant theme',
  'PUT /developers/applications/{applicationId}/theme': 'tenant set-theme',
  'DELETE /developers/applications/{applicationId}/theme': 'tenant reset-theme',
  'POST /developers/applications/{applicationId}/theme/effect': new None('lendloom tenant theme gives the contrasts'),
  'GET /developers/applications/{applicationId}/theme/preview': new None('it is the page itself, to look at'),
  'GET /developers/keys': 'key list',
  'POST /developers/keys': 'key create',
  'POST /developers/keys/{keyId}/roll': 'key roll',
  'DELETE /developers/keys/{keyId}': 'key revoke',
  'GET /developers/requests': 'requests list',
  'GET /developers/requests/{requestId}': 'requests show',
  'POST /developers/sandbox/journeys': 'sandbox begin',
  'GET /developers/sandbox/clock': 'clock show',
  'POST /developers/sandbox/clock': 'clock advance',
  'GET /overview': 'figures show',
  'GET /overview/{file}': 'figures csv',
  'GET /search': 'journey search',
  'GET /journeys': 'journey list',
  'GET /journeys/{journeyId}': 'journey show',
  'GET /journeys/{journeyId}/timeline': 'journey timeline',
  'GET /journeys/{journeyId}/timeline/{entryId}': 'journey entry',
  'POST /journeys/{journeyId}/reveal': 'journey reveal',
  'POST /journeys/{journeyId}/replay-events': 'journey replay-events',
  'POST /journeys/{journeyId}/retry-events': 'journey retry-events',
  'POST /journeys/{journeyId}/move-on': 'journey move-on',
  'GET /journeys/{journeyId}/notes': 'journey notes',
  'POST /journeys/{journeyId}/notes': 'journey note',
  'GET /journeys/{journeyId}/live': new None('it wakes the page, which then reads the timeline'),
  'GET /webhooks/endpoints': 'webhook health',
  'GET /webhooks/endpoints/{endpointId}': 'webhook show',
  'POST /webhooks/endpoints': 'webhook add',
  'POST /webhooks/endpoints/{endpointId}/pause': 'webhook pause',
  'POST /webhooks/endpoints/{endpointId}/resume': 'webhook resume',
  'DELETE /webhooks/endpoints/{endpointId}': 'webhook remove',
  'PATCH /webhooks/endpoints/{endpointId}': 'webhook change',
  'POST /webhooks/endpoints/{endpointId}/rotate-secret': 'webhook rotate',
  'POST /webhooks/endpoints/{endpointId}/test': 'webhook test',
  'POST /webhooks/endpoints/{endpointId}/check-signature': 'webhook check-signature',
  'GET /webhooks/deliveries': 'webhook deliveries',
  'GET /webhooks/deliveries/{deliveryId}': 'webhook delivery',
  'POST /webhooks/deliveries/{deliveryId}/replay': 'webhook replay',
  'POST /webhooks/replays': 'webhook replays begin',
  'GET /webhooks/replays': 'webhook replays list',
  'GET /webhooks/replays/{replayId}': 'webhook replays watch',
  'POST /webhooks/replays/{replayId}/stop': 'webhook replays stop',
  'POST /webhooks/replays/{replayId}/resume': 'webhook replays resume',
  'GET /complaints': 'complaints list',
  'GET /complaints/setup': inPieces,
  'GET /complaints/{complaintId}': 'complaints show',
  'POST /complaints/{complaintId}/export': 'complaints export',
  'GET /complaints/{complaintId}/template': new None('it is the beginning of a text that is typed in the console'),
  'POST /complaints/{complaintId}/reveal': 'complaints show',
  'POST /complaints/{complaintId}/answer': 'complaints answer',
  'POST /complaints/{complaintId}/note': 'complaints note',
  'POST /complaints/{complaintId}/assign': 'complaints assign',
  'POST /complaints/{complaintId}/escalate': 'complaints escalate',
  'POST /complaints/{complaintId}/close': 'complaints close',
  'POST /complaints/{complaintId}/reopen': 'complaints reopen',
  'POST /complaints/{complaintId}/merge': 'complaints merge',
  'GET /complaint-report': 'complaints report',
  'GET /complaint-report/csv': 'complaints report',
  'GET /complaint-export': inPieces,
  'GET /complaint-officers': 'complaints officers',
  'PUT /complaint-officers': 'complaints name-officer',
  'POST /complaints': 'complaints open',
  'GET /complaints/{complaintId}/entries/{entryId}/files/{index}': 'complaints file',
  'POST /complaints/{complaintId}/seen': 'complaints seen',
  'POST /complaints/{complaintId}/category': 'complaints category',
  'POST /complaints/{complaintId}/forward': 'complaints forward',
  'POST /complaints/{complaintId}/match': 'complaints match',
  'POST /complaints/{complaintId}/entries/{entryId}/settle': 'complaints settle',
  'POST /complaints/{complaintId}/mails/{mailId}/send-again': 'mail send-again',
  'GET /mail': 'mail list',
  'POST /mail/{mailId}/send-again': 'mail send-again',
  'GET /mail/set-aside': 'mail set-aside',
  'POST /mail/set-aside/{mailId}/handle-again': 'mail handle-again',
  'POST /mail/set-aside/{mailId}/read': 'mail raw',
  'GET /webhooks/alerts': 'webhook alerts',
  'PUT /webhooks/alerts': 'webhook alerts',
}

test('every route of the console has a command, or a reason why it needs none', () => {
  const routes = consoleApi.routes.map(({ method, path }) => `${method} ${path.slice(consoleApi.prefix.length)}`)
  assert.deepEqual(Object.keys(commandOf).sort(), routes.sort())
})

test('every command of the table is there', async () => {
  const names = new Set(await commandNames({ commands, common }))
  for (const [route, name] of Object.entries(commandOf))
    if (typeof name === 'string') assert.ok(names.has(name), `${route}: there is no command "${name}"`)
    else assert.ok(name.because, route)
})
