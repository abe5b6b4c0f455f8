// The commands about journeys.

import { revealable } from '@lendloom/wire/console/journeys'
import type { RouteCommand } from '#platform/api/console/route-command.ts'

const journeyFilters = {
  tenantId: 'only journeys of this tenant',
  applicationId: 'only journeys of this application',
  status: 'only journeys with this status',
  product: 'only journeys of this product',
  from: 'began on or after this day or instant',
  to: 'began before the end of this day, or before this instant',
}

const ofJourney = { tenantId: 'fail unless the journey belongs to this tenant' }

const eventsDone = '{count} events are sent again.'

export const journeyCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /search': {
    name: 'journey search',
    summary:
      'find journeys by a mobile number, PAN, e-mail address or borrowerProviderID, or the id of a journey, correlation, event, delivery, network transaction, case or grievance, a loan number or a UTR',
    args: ['q'],
    allTenants: true,
    about: {
      tenantId: 'only journeys of this tenant',
      q: 'identifier',
    },
    columns: {
      'MATCHED BY': 'kind',
      JOURNEY: 'journeyId',
      PRODUCT: 'product',
      STATUS: 'status',
      ACTIVE: 'active',
      BEGAN: 'createdAt',
    },
    none: 'No journey has this identifier.',
  },
  'GET /journeys': {
    name: 'journey list',
    summary: 'list journeys of one or all tenants, newest first, with personal data masked',
    allTenants: true,
    about: {
      ...journeyFilters,
      status: 'only journeys with this status, also EXPIRED or CANCELLED',
      waitsOn: 'only journeys that wait for the borrower or the lender',
      waitedDays: 'only journeys that have waited for so many days, the longest wait first',
      q: 'only journeys with this identifier',
    },
    columns: {
      JOURNEY: 'journeyId',
      BEGAN: 'createdAt',
      PRODUCT: 'product',
      STATUS: 'status',
      NAME: 'borrower.name',
      LENDER: 'lender.name',
      AMOUNT: 'amount',
      'WAITS FOR': 'waitsFor.what',
      'WAITS SINCE': 'waitsFor.since',
    },
    none: 'There are no such journeys.',
  },
  'GET /journey-export': {
    name: 'journey csv',
    summary: 'print journeys as CSV, with personal data masked',
    allTenants: true,
    about: journeyFilters,
    answersFile: true,
  },
  'GET /journeys/{journeyId}/timeline/{entryId}': {
    name: 'journey entry',
    summary: 'show one entry of a timeline in full, with personal data masked',
    allTenants: true,
    about: ofJourney,
  },
  'GET /journeys/{journeyId}/transcript': {
    name: 'journey transcript',
    summary: 'print the network messages of a journey as JSON, with personal data masked; the audit log records it',
    allTenants: true,
    about: ofJourney,
    answersFile: true,
  },
  'POST /journeys/{journeyId}/reveal': {
    name: 'journey reveal',
    summary: 'reveal masked personal data; the audit log records the reason',
    allTenants: true,
    about: {
      ...ofJourney,
      fields: 'field to reveal; may be repeated (default: all)',
    },
    defaults: { fields: [...revealable] },
  },
  'GET /journeys/{journeyId}/notes': {
    name: 'journey notes',
    summary: 'list the notes of platform and tenant users about a journey',
    allTenants: true,
    about: ofJourney,
    columns: {
      AT: 'at',
      AUTHOR: 'personName',
      'OF THE PLATFORM': 'isPlatform',
      NOTE: 'text',
    },
    none: 'There are no notes.',
  },
  'POST /journeys/{journeyId}/notes': {
    name: 'journey note',
    summary: 'add a note to a journey, visible to platform users',
    allTenants: true,
    about: ofJourney,
    done: 'added note {noteId}',
  },
  'POST /journeys/{journeyId}/move-on': {
    name: 'journey move-on',
    summary: 'advance a sandbox journey to a status, as its borrower would',
    allTenants: true,
    about: {
      ...ofJourney,
      to: 'the target status',
    },
    done: 'the journey is {status} and advances to {to}',
  },
  'POST /journeys/{journeyId}/replay-events': {
    name: 'journey replay-events',
    summary: 'resend events to the lending partner that were given up',
    allTenants: true,
    about: ofJourney,
    done: eventsDone,
  },
  'POST /journeys/{journeyId}/retry-events': {
    name: 'journey retry-events',
    summary: 'retry waiting events of the lending partner now',
    allTenants: true,
    about: ofJourney,
    done: eventsDone,
  },
}
