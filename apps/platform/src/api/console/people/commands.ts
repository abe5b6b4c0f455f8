// The commands about people, sessions and the audit log.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

/** The sessions of a person. */
const sessionColumns = {
  SESSION: 'sessionId',
  BROWSER: 'browser',
  NETWORK: 'network',
  'LAST USED': 'usedAt',
  SINCE: 'createdAt',
}

const auditAbout = {
  tenantId: 'tenant of the log (default: the platform’s own log)',
  person: 'only acts of this person: an e-mail address, an id, or command-line',
  act: 'only this act, such as COMPLAINT_ANSWERED',
  subject: 'only acts on this id',
  from: 'from this day (India), such as 2026-11-21',
  until: 'until the end of this day (India)',
}

const ofPeople = { tenantId: 'tenant of the users (default: platform users)' }

export const peopleCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /sessions': {
    name: 'account sessions',
    summary: 'list your own sessions',
    columns: sessionColumns,
  },
  'DELETE /sessions/{sessionId}': {
    name: 'account end-session',
    done: 'ended {sessionId}',
  },
  'GET /passkeys': {
    name: 'account passkeys',
    none: 'You have no passkey.',
  },
  'DELETE /passkeys/{passkeyId}': {
    name: 'account remove-passkey',
    done: 'removed {passkeyId}',
  },
  'GET /linked-accounts': {
    name: 'account linked',
    none: 'No account is linked.',
  },
  'DELETE /linked-accounts/{linkId}': {
    name: 'account unlink',
    done: 'unlinked {linkId}',
  },
  'GET /people': {
    name: 'people list',
    summary: 'list the console users of the platform or of a tenant, with their roles and ways to sign in',
    allTenants: true,
    about: ofPeople,
    columns: {
      'E-MAIL': 'email',
      NAME: 'name',
      ROLE: 'role',
      'SECOND FACTOR': 'twoFactor',
      PASSKEYS: 'passkeys',
      OPENID: 'hasLinkedAccount',
      'LAST SIGN-IN': 'lastUsedAt',
    },
    blanks: { 'LAST SIGN-IN': 'never' },
    none: 'There are no users yet: lendloom people add <email> --name <name> --role admin',
  },
  'POST /people/invitations': {
    name: 'people invite',
    summary:
      'invite a user by a mailed link, which works once within seven days; it is printed if no mail server is configured',
    args: ['email'],
    allTenants: true,
    about: {
      ...ofPeople,
      email: 'e-mail address',
      name: 'display name',
      role: 'role',
    },
  },
  'GET /people/invitations': {
    name: 'people invitations',
    summary: 'list open invitations',
    allTenants: true,
    about: ofPeople,
    columns: {
      INVITATION: 'invitationId',
      'E-MAIL': 'email',
      NAME: 'name',
      ROLE: 'role',
      EXPIRES: 'expiresAt',
    },
    none: 'No invitation is open.',
  },
  'DELETE /people/invitations/{invitationId}': {
    name: 'people withdraw',
    summary: 'withdraw an invitation: its link no longer works',
    allTenants: true,
    about: ofPeople,
    done: 'withdrew {invitationId}',
  },
  'PATCH /people/{personId}': {
    name: 'people role',
    summary: 'change the role of a user, from their next request on',
    allTenants: true,
    about: {
      ...ofPeople,
      role: 'role',
    },
    done: 'The role is {role} now.',
  },
  'GET /people/{personId}/sessions': {
    name: 'people sessions',
    summary: 'list the sessions of a user',
    allTenants: true,
    about: ofPeople,
    columns: sessionColumns,
    none: 'The user has no session.',
  },
  'DELETE /people/{personId}/sessions': {
    name: 'people end-sessions',
    summary: 'end all sessions of a user, who may sign in again',
    allTenants: true,
    about: ofPeople,
    done: 'Every session of the user has ended.',
  },
  'DELETE /people/{personId}/sessions/{sessionId}': {
    name: 'people end-session',
    summary: 'end one session of a user, who may sign in again',
    allTenants: true,
    about: ofPeople,
    done: 'ended {sessionId}',
  },
  'DELETE /people/{personId}': {
    name: 'people remove',
    summary: 'remove a user at once; the audit log keeps their acts',
    allTenants: true,
    about: ofPeople,
    done: 'The user is removed.',
  },
  'GET /sign-in-failures': {
    name: 'people failures',
    summary: 'list failed sign-ins, newest first',
    allTenants: true,
    about: {
      ...ofPeople,
      outcome: 'only sign-ins with this outcome',
    },
    columns: {
      AT: 'at',
      OUTCOME: 'outcome',
      'E-MAIL': 'email',
      FROM: 'network',
    },
    none: 'No sign-in has failed.',
  },
  'GET /audit': {
    name: 'audit list',
    summary: 'list the acts of console users, newest first',
    allTenants: true,
    about: auditAbout,
    columns: {
      NUMBER: 'sequence',
      AT: 'at',
      PERSON: 'personName',
      ACT: 'act',
      ABOUT: 'subjectName',
      SUBJECT: 'subject',
    },
    blanks: { PERSON: 'command line' },
    none: 'There are no such entries.',
  },
  'GET /audit/csv': {
    name: 'audit csv',
    summary: 'print the acts of console users as CSV',
    allTenants: true,
    about: auditAbout,
    answersFile: true,
  },
}
