// `lendloom journey …`: journeys found, looked at, and what is done about them.
import type { Group } from './command.ts'
import { acts } from './journey/acts.ts'
import { list, search, show } from './journey/seen.ts'
import { entry, timeline } from './journey/timeline.ts'

export const journey: Group = {
  name: 'journey',
  summary: 'journeys: search, show, what happened, and what can be done',
  commands: [search, list, show, timeline, entry, ...acts],
}
