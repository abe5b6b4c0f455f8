// The commands about mail.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

export const mailCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /mail': {
    name: 'mail list',
    summary: 'list outgoing mail with the mail server’s response; addresses are masked',
    allTenants: true,
    about: {
      tenantId: 'only mail of this tenant',
      state: 'only mail that is pending, was sent, or was given up (FAILED)',
      kind: 'only mail of this kind',
    },
    columns: {
      MAIL: 'mailId',
      CREATED: 'createdAt',
      KIND: 'kind',
      TO: 'to',
      STATE: 'state',
      TRIES: 'tries',
      ANSWER: 'answer',
    },
    none: 'There is no such mail.',
  },
  'POST /mail/{mailId}/send-again': {
    name: 'mail send-again',
    summary: 'send a pending or given-up mail now',
    done: 'The mail will be sent again.',
  },
  'GET /mail/set-aside': {
    name: 'mail set-aside',
    summary: 'list quarantined mail: incoming mail that could not be processed, newest first',
    columns: {
      MAIL: 'mailId',
      RECEIVED: 'receivedAt',
      BYTES: 'sizeBytes',
      FROM: 'from',
      REASON: 'why',
    },
    none: 'No mail is quarantined.',
  },
  'POST /mail/set-aside/{mailId}/handle-again': {
    name: 'mail handle-again',
    summary: 'process a quarantined mail again',
    about: {
      complaint: 'complaint of the mail (default: by tag, thread or address, or else a new complaint)',
    },
    done: 'The mail will be processed again.',
  },
  'POST /mail/set-aside/{mailId}/read': {
    name: 'mail read',
    summary: 'show a quarantined mail unmasked; the audit log records the reason',
    about: {
      raw: 'its source, as it was received',
    },
    answersFile: true,
  },
}
