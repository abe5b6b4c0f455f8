// The areas of the console: the roles that see each one, and its chunk.
import type { Area } from './area.ts'

export const areas: Area[] = [
  {
    id: 'overview',
    name: 'Overview',
    icon: 'M3 17h14M5 14v-4M10 14V4M15 14V8',
    key: 'o',
    load: async () => (await import('./overview/overview.tsx')).Overview,
  },
  {
    id: 'journeys',
    name: 'Journeys',
    icon: 'M4 4.5h3M4 10h3M4 15.5h3M10 4.5h6M10 10h6M10 15.5h6',
    key: 'j',
    load: async () => (await import('./journeys/journeys.tsx')).Journeys,
  },
  {
    id: 'webhooks',
    name: 'Webhooks',
    icon: 'M3 10h9M9 6.5l3.5 3.5L9 13.5M12.5 3.5h3a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-3',
    key: 'w',
    load: async () => (await import('./webhooks/webhooks.tsx')).Webhooks,
  },
  {
    id: 'lenders',
    name: 'Lenders',
    icon: 'M2.5 8 10 3l7.5 5M4 8v7M8 8v7M12 8v7M16 8v7M2.5 17h15',
    key: 'l',
    roles: ['viewer', 'operator', 'admin', 'developer', 'support'],
    load: async () => (await import('./lenders/lenders.tsx')).Lenders,
  },
  {
    id: 'complaints',
    name: 'Complaints',
    icon: 'M3.5 4h13v9.5H9L5.5 17v-3.5h-2ZM7 7.5h6M7 10h4',
    key: 'c',
    roles: ['operator', 'grievance-officer', 'admin', 'support', 'viewer'],
    rolesOfTenant: ['support', 'admin'],
    load: async () => (await import('./complaints/complaints.tsx')).Complaints,
  },
  {
    id: 'mail',
    name: 'Mail',
    icon: 'M2.5 4.5h15v11h-15ZM2.5 5.5l7.5 6 7.5-6',
    key: 'e',
    roles: ['viewer', 'operator', 'grievance-officer', 'admin'],
    rolesOfTenant: [],
    load: async () => (await import('./mail/mail.tsx')).Mail,
  },
  {
    id: 'developers',
    name: 'Developers',
    icon: 'M7 6 3 10l4 4M13 6l4 4-4 4',
    key: 'd',
    roles: ['developer', 'admin', 'operator'],
    load: async () => (await import('./developers/developers.tsx')).Developers,
  },
  {
    id: 'people',
    name: 'People',
    icon: 'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM1.5 17c0-3 2.4-5 5.5-5s5.5 2 5.5 5M13 9a2.5 2.5 0 1 0 0-5M14 12c2.6.3 4.5 2 4.5 5',
    key: 'p',
    roles: ['admin'],
    load: async () => (await import('./people/people.tsx')).People,
  },
  {
    id: 'audit',
    name: 'Audit log',
    icon: 'M4 2.5h9l3 3v12H4ZM7 8h6M7 11h6M7 14h4',
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
