// The commands about lenders, lending partners and the network.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const lenderOff = {
  tenantId: 'only for this tenant (default: for all)',
  reason: 'reason, at least ten characters; it is stored and shown',
  searching: 'number of journeys that wait for its response, from the effect',
  offered: 'number of journeys with an open offer, from the effect',
}

export const lenderCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /lenders': {
    name: 'lenders list',
    summary: 'list lenders with their responses in the last hour and seven days, and whether they are off',
    allTenants: true,
    about: lenderOff,
    columns: {
      LENDER: 'name',
      SUBSCRIBER: 'bppId',
      PROVIDER: 'providerId',
      'HOUR: IN TIME': 'hour.answered',
      LATE: 'hour.late',
      REFUSED: 'hour.refused',
      SILENT: 'hour.silent',
      'WEEK: IN TIME': 'week.answered',
      'OFF FOR': 'off',
    },
    none: 'No lender has answered yet.',
  },
  'GET /lenders/{lenderId}': {
    name: 'lenders show',
    summary: 'show a lender: its responses by action, its newest conversations, and where it is off',
    allTenants: true,
    about: lenderOff,
  },
  'GET /lenders/{lenderId}/effect': {
    name: 'lenders effect',
    summary: 'count the journeys that a switch-off would affect',
    allTenants: true,
    about: lenderOff,
  },
  'POST /lenders/{lenderId}/switch-off': {
    name: 'lenders switch-off',
    summary: 'switch a lender off: no new requests, and its open offers cannot be chosen; chosen offers continue',
    allTenants: true,
    about: lenderOff,
    done: '{bppId} is switched off.',
  },
  'POST /lenders/{lenderId}/switch-on': {
    name: 'lenders switch-on',
    summary: 'switch a lender on again',
    allTenants: true,
    about: lenderOff,
    done: '{bppId} is switched on.',
  },
  'GET /network/registry': {
    name: 'network registry',
    summary: 'show the registry’s entries of the platform and of its lenders',
    allTenants: true,
  },
  'GET /network/reports': {
    name: 'network reports',
    summary: 'compare the messages that the network’s collector has accepted with the journal',
    about: {
      day: 'day, such as 2026-11-21 (default: the last days)',
    },
  },
  'GET /network/level': {
    name: 'network level',
    summary: 'show how fast and how well lenders’ callbacks were answered, in the last seven days',
  },
  'GET /lending-partners': {
    name: 'partner list',
    summary: 'list lending partners, whether they are off, and their pending events',
    columns: {
      SENDER: 'sender',
      NAME: 'name',
      ADDRESS: 'url',
      PRODUCTS: 'products',
      OFF: 'isOff',
      'EVENTS PENDING': 'waitingEvents',
      FAILED: 'deadEvents',
      'LAST EVENT': 'lastEventAt',
    },
    none: 'There is no lending partner: add one with lendloom partner add.',
  },
  'GET /lending-partners/{partnerId}/effect': {
    name: 'partner effect',
    summary: 'count the journeys that a switch-off would affect',
  },
  'POST /lending-partners/{partnerId}/switch-off': {
    name: 'partner switch-off',
    summary: 'switch a lending partner off for all tenants: no new requests; chosen offers continue',
    about: lenderOff,
    done: '{sender} is switched off.',
  },
  'POST /lending-partners/{partnerId}/switch-on': {
    name: 'partner switch-on',
    summary: 'switch a lending partner on',
    done: '{sender} is switched on.',
  },
  'GET /partner/events': {
    name: 'partner events',
    summary: 'list events to and from the lending partners, newest first',
    allTenants: true,
    about: {
      tenantId: 'only of this tenant',
      direction: 'only in this direction',
      state: 'only in this state',
      type: 'only of this type, such as LOAN_DISBURSED',
      caseRef: 'only of this case, by its external reference',
      partnerId: 'only of this partner, by its id',
      from: 'only from this day or instant on',
    },
    columns: {
      AT: 'at',
      DIRECTION: 'direction',
      TYPE: 'type',
      CASE: 'caseRef',
      VERSION: 'entityVersion',
      STATE: 'state',
      REASON: 'because',
      EVENT: 'eventId',
    },
    none: 'There are no such events.',
  },
  'GET /partner/events/{direction}/{eventId}': {
    name: 'partner event',
    summary: 'show an event with its masked body',
    allTenants: true,
  },
  'POST /partner/events/{direction}/{eventId}/again': {
    name: 'partner event-again',
    summary: 'resend an event to the partner unchanged, or retry a waiting event of the partner',
    allTenants: true,
    done: '{type} of {caseRef} is handled again.',
  },
  'GET /partner/files': {
    name: 'exchange files',
    summary: 'list files that the lending partner has not stored: pending or rejected',
    allTenants: true,
    columns: {
      FILE: 'documentReferenceId',
      CASE: 'caseRef',
      TYPE: 'documentType',
      STATE: 'state',
      REASON: 'refusedBecause',
    },
    none: 'The partner has stored every file.',
  },
  'POST /partner/files/{documentReferenceId}/resend': {
    name: 'exchange resend-file',
    summary: 'upload a rejected file again, unchanged, once the reason is resolved',
    allTenants: true,
    done: '{documentType} of case {caseRef} will be uploaded again.',
  },
}
