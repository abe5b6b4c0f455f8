// `lendloom journey …`: finds journeys, shows them and acts on them.
import type { Group } from './command.ts'
import { acts } from './journey/acts.ts'
import { list, search, show } from './journey/read.ts'
import { entry, timeline } from './journey/timeline.ts'

export const journey: Group = {
  name: 'journey',
  summary: 'journeys: search, list, show, timeline, notes, and actions on a journey',
  commands: [search, list, show, timeline, entry, ...acts],
}
