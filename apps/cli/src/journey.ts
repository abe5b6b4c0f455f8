// `lendloom journey …`: finds journeys, shows them and acts on them.

import type { Group } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { show } from './journey/show.ts'
import { timeline } from './journey/timeline.ts'

export const journey: Group = {
  name: 'journey',
  summary: 'journeys: search, list, show, timeline, notes, and actions on a journey',
  commands: [...operationsOf('journey'), show, timeline],
}
