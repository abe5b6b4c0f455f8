// The areas of the console: the roles that see each one, and its chunk.

import { bank, bars, code, envelope, lines, outward, paper, people, speech } from '@lendloom/design/icons'
import type { Area } from './area.ts'

export const areas: Area[] = [
  {
    id: 'overview',
    name: 'Overview',
    icon: bars,
    key: 'o',
    load: async () => (await import('./overview/overview.tsx')).Overview,
  },
  {
    id: 'journeys',
    name: 'Journeys',
    icon: lines,
    key: 'j',
    load: async () => (await import('./journeys/journeys.tsx')).Journeys,
  },
  {
    id: 'webhooks',
    name: 'Webhooks',
    icon: outward,
    key: 'w',
    load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
  },
  {
    id: 'lenders',
    name: 'Lenders',
    icon: bank,
    key: 'l',
    roles: ['viewer', 'operator', 'admin', 'developer', 'support'],
    load: async () => (await import('./lenders/lenders.tsx')).Lenders,
  },
  {
    id: 'complaints',
    name: 'Complaints',
    icon: speech,
    key: 'c',
    roles: ['operator', 'grievance-officer', 'admin', 'support', 'viewer'],
    rolesOfTenant: ['support', 'admin'],
    load: async () => (await import('./complaints/complaints.tsx')).Complaints,
  },
  {
    id: 'mail',
    name: 'Mail',
    icon: envelope,
    key: 'e',
    roles: ['viewer', 'operator', 'grievance-officer', 'admin'],
    rolesOfTenant: [],
    load: async () => (await import('./mail/mail.tsx')).Mail,
  },
  {
    id: 'developers',
    name: 'Developers',
    icon: code,
    key: 'd',
    roles: ['developer', 'admin', 'operator'],
    load: async () => (await import('./developers/developers.tsx')).Developers,
  },
  {
    id: 'people',
    name: 'People',
    icon: people,
    key: 'p',
    roles: ['admin'],
    load: async () => (await import('./people/people.tsx')).People,
  },
  {
    id: 'audit',
    name: 'Audit log',
    icon: paper,
    key: 'a',
    roles: ['admin', 'operator'],
    load: async () => (await import('./audit/audit.tsx')).Audit,
  },
]

/** Opened from the user menu, not from the navigation. */
export const account: Area = {
  id: 'account',
  name: 'Your account',
  icon: '',
  key: 'm',
  load: async () => (await import('./account/account.tsx')).Account,
}

/** Opened by the link that `lendloom login` prints. */
export const commandLine: Area = {
  id: 'command-line',
  name: 'Sign in a command line',
  icon: '',
  key: '',
  load: async () => (await import('./account/command-line.tsx')).CommandLine,
}
