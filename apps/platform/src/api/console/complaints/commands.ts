// The commands about complaints.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const complaintFilters = {
  tenantId: 'only complaints of this tenant',
  state: 'only in this state; PENDING for all that are open, DONE for all that are over',
  due: 'only complaints that are due by then',
  assignee: 'only complaints of this person: an e-mail address, an id, me or none',
  category: 'only complaints of this category',
  route: 'only complaints that this party answers',
  lender: 'only complaints about this lender',
  matched: 'only mailed complaints that match no borrower',
  escalated: 'only complaints escalated to the nodal officer',
  replied: 'only complaints whose borrower wrote last',
  journeyId: 'only complaints about this journey',
  number: 'only the complaint with this number, in any spelling',
  from: 'received from this day on',
  to: 'received until the end of this day',
}

const complaintDone = '{number}  {status}'

const ofComplaint = {
  tenantId: 'fail unless the complaint belongs to this tenant',
  text: 'text to send; - reads it from standard input',
}

const officerColumns = { OF: 'partyName', LEVEL: 'level', NAME: 'name', 'E-MAIL': 'email', TELEPHONE: 'phone' }

export const complaintCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /complaints': {
    name: 'complaints list',
    summary: 'list complaints, overdue ones first',
    allTenants: true,
    options: {
      matched: 'unmatched',
    },
    about: complaintFilters,
    columns: {
      NUMBER: 'number',
      ABOUT: 'category',
      STATUS: 'status',
      'ANSWERED BY': 'route',
      DUE: 'dueAt',
      OVERDUE: 'overdue',
      'BORROWER REPLIED': 'repliedAt',
    },
    none: 'There are no such complaints.',
  },
  'GET /complaint-export': {
    name: 'complaints csv',
    summary: 'print complaints as CSV, without personal data',
    allTenants: true,
    options: {
      matched: 'unmatched',
    },
    about: complaintFilters,
    answersFile: true,
  },
  'GET /complaints/setup': {
    name: 'complaints people',
    summary: 'list the people who handle complaints, and the known lenders',
    allTenants: true,
  },
  'GET /complaints/{complaintId}': {
    name: 'complaints show',
    summary: 'show a complaint with its thread, with personal data masked',
    allTenants: true,
    about: ofComplaint,
  },
  'POST /complaints/{complaintId}/reveal': {
    name: 'complaints reveal',
    summary: 'reveal the personal data of a complaint; the audit log records the reason',
    allTenants: true,
    about: ofComplaint,
  },
  'POST /complaints': {
    name: 'complaints open',
    summary: 'record a complaint that a borrower makes by telephone',
    allTenants: true,
    defaults: {
      language: 'en',
    },
    about: {
      tenantId: 'tenant of the journey',
      journeyId: 'journey of the borrower; without it an officer matches it later',
      category: 'category of the complaint',
      text: 'what the borrower says; - reads it from standard input',
      language: 'language of the answers (default: en)',
      name: 'name of the borrower',
      email: 'address for answers',
      mobile: 'number for calls',
    },
    done: 'The number of the complaint is {number}.',
  },
  'GET /complaints/{complaintId}/template': {
    name: 'complaints template',
    summary: 'print a template in the complaint’s language',
    allTenants: true,
    about: {
      ...ofComplaint,
      template: 'template',
    },
  },
  'POST /complaints/{complaintId}/answer': {
    name: 'complaints answer',
    summary:
      'answer the borrower by e-mail and on the page: with words, a question, or a resolution, which they may reject',
    allTenants: true,
    defaults: {
      kind: 'WORDS',
    },
    about: {
      ...ofComplaint,
      kind: 'words, a question that waits for a reply, or the resolution (default: WORDS)',
      outcome: 'outcome of the complaint, with a resolution',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/note': {
    name: 'complaints note',
    summary: 'add an internal note; the borrower never sees it',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/assign': {
    name: 'complaints assign',
    summary: 'assign a complaint to a platform user; --no-assignee unassigns it',
    allTenants: true,
    about: {
      ...ofComplaint,
      assigneeId: 'who handles it, by e-mail address or id',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/category': {
    name: 'complaints category',
    summary: 'change the category of a complaint, which may change its officer',
    allTenants: true,
    options: {
      category: 'to',
    },
    about: {
      ...ofComplaint,
      category: 'new category',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/forward': {
    name: 'complaints forward',
    summary: 'forward a complaint to the lender',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/escalate': {
    name: 'complaints escalate',
    summary: 'escalate a complaint to the nodal officer',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/close': {
    name: 'complaints close',
    summary: 'close a complaint and notify the borrower',
    allTenants: true,
    about: {
      ...ofComplaint,
      outcome: 'outcome of the complaint; required if it was not resolved',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/reopen': {
    name: 'complaints reopen',
    summary: 'reopen a complaint; its deadlines restart',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/merge': {
    name: 'complaints merge',
    summary: 'merge a complaint into another one of the same borrower',
    allTenants: true,
    about: {
      ...ofComplaint,
      into: 'number of the complaint that continues',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/match': {
    name: 'complaints match',
    summary: 'match a mailed complaint to a journey',
    allTenants: true,
    about: {
      ...ofComplaint,
      journeyId: 'journey of the borrower',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/seen': {
    name: 'complaints seen',
    summary: 'mark the borrower’s last message as read, without an answer',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/entries/{entryId}/settle': {
    name: 'complaints settle',
    summary: 'accept or dismiss a mail from an unknown address',
    allTenants: true,
    about: {
      ...ofComplaint,
      accept: 'whether the mail is from the borrower',
    },
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/mails/{mailId}/send-again': {
    name: 'complaints send-again',
    summary: 'send a failed mail of a complaint again',
    allTenants: true,
    about: ofComplaint,
    done: complaintDone,
  },
  'POST /complaints/{complaintId}/export': {
    name: 'complaints export',
    summary: 'print a complaint with its whole thread as JSON or CSV; the audit log records the reason',
    allTenants: true,
    defaults: {
      format: 'json',
    },
    about: {
      ...ofComplaint,
      format: 'format (default: json)',
    },
    answersFile: true,
  },
  'GET /complaints/{complaintId}/entries/{entryId}/files/{index}': {
    name: 'complaints file',
    summary: 'save an attachment of a complaint, by its entry and its index from 0; the audit log records the access',
    allTenants: true,
    about: ofComplaint,
    answersFile: true,
  },
  'GET /complaint-report': {
    name: 'complaints report',
    summary: 'show a month’s report: complaints received, resolved and pending, by age and category',
    allTenants: true,
    about: {
      month: 'month, such as 2026-11 (default: this month)',
      tenantId: 'only complaints of this tenant',
    },
  },
  'GET /complaint-report/csv': {
    name: 'complaints report-csv',
    summary: 'print a month’s report as CSV',
    allTenants: true,
    about: {
      month: 'month, such as 2026-11 (default: this month)',
      tenantId: 'only complaints of this tenant',
    },
    answersFile: true,
  },
  'GET /complaint-officers': {
    name: 'complaints officers',
    summary: 'list the grievance officers of the platform and of each lender',
    allTenants: true,
    columns: officerColumns,
    none: 'No officer is named.',
  },
  'PUT /complaint-officers': {
    name: 'complaints name-officer',
    summary: 'set a grievance officer of PLATFORM, or of a lender by its id',
    args: ['party'],
    defaults: {
      level: 'OFFICER',
    },
    about: {
      party: 'PLATFORM or the id of a lender',
      level: 'first or nodal officer (default: OFFICER)',
      name: 'name shown to borrowers',
      email: 'address for complaints',
      phone: 'telephone number shown to borrowers',
    },
    columns: officerColumns,
  },
}
