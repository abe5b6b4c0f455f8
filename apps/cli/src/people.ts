// `lendloom people …`: console users of the platform and of tenants.

import type { Group } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { add, password, unlink } from './people/recovery.ts'

export const people: Group = {
  name: 'people',
  summary: 'users of the console: their roles, sessions, invitations and recovery',
  commands: [...operationsOf('people'), add, password, unlink],
}
