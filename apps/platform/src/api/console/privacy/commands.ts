// The commands about borrowers' data.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const ofBorrower = { tenantId: 'fail unless the borrower belongs to this tenant' }

export const privacyCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /privacy/borrowers': {
    name: 'privacy find',
    summary: "find a borrower by the app's identifier, our identifier, the mobile number or a journey",
    args: ['q'],
    allTenants: true,
    about: {
      tenantId: 'only borrowers of this tenant',
      q: 'identifier',
    },
    columns: {
      BORROWER: 'borrowerId',
      TENANT: 'tenantId',
      CREATED: 'createdAt',
      JOURNEYS: 'journeys',
    },
    none: 'There is no such borrower.',
  },
  'GET /borrowers/{borrowerId}/privacy': {
    name: 'privacy show',
    summary: 'show what is stored of a borrower, and what may be erased',
    allTenants: true,
    about: ofBorrower,
  },
  'POST /borrowers/{borrowerId}/privacy/export': {
    name: 'privacy export',
    summary: "export a borrower's data, unmasked; the audit log records the reason",
    allTenants: true,
    about: ofBorrower,
    answersFile: true,
  },
  'POST /borrowers/{borrowerId}/privacy/erasure': {
    name: 'privacy erase',
    summary: "record a borrower's request for erasure; another person decides",
    allTenants: true,
    about: ofBorrower,
  },
  'POST /borrowers/{borrowerId}/privacy/hold': {
    name: 'privacy hold',
    summary: 'place a legal hold, so that nothing of the borrower is erased',
    allTenants: true,
    about: ofBorrower,
  },
  'POST /borrowers/{borrowerId}/privacy/release': {
    name: 'privacy release',
    summary: 'release the legal hold',
    allTenants: true,
    about: ofBorrower,
  },
  'POST /borrowers/{borrowerId}/privacy/nominee': {
    name: 'privacy nominee',
    summary: "record the borrower's nominee, in place of an earlier one",
    allTenants: true,
    about: {
      ...ofBorrower,
      name: 'name of the nominee',
      relation: 'relation to the borrower, such as sister',
      contact: 'e-mail address or telephone number',
    },
  },
  'GET /privacy/erasures': {
    name: 'privacy requests',
    summary: 'list requests for erasure, newest first',
    allTenants: true,
    about: {
      tenantId: 'only of this tenant',
      state: 'only requests in this state',
    },
    columns: {
      REQUEST: 'erasureId',
      STATE: 'state',
      AT: 'requestedAt',
      JOURNEY: 'journeyId',
      REASON: 'reason',
    },
    none: 'No erasure was requested.',
  },
  'POST /privacy/erasures/{erasureId}/decision': {
    name: 'privacy decide',
    summary: 'approve or refuse a request for erasure that another person recorded',
    about: {
      approve: 'whether the data is erased',
    },
    done: 'The decision is recorded.',
  },
}
