// `lendloom database …`: the databases of the programs over several servers.
import type { Group } from '../command.ts'
import { distribute } from './distribute.ts'
import { show } from './show.ts'

export const database: Group = {
  name: 'database',
  summary: 'databases over several servers: distribute, show',
  commands: [distribute, show],
}
