// The door of the hybrid calls of D1 §4.
import type { Door } from '#kit/http-server.ts'
import type { World } from '#platform/world.ts'
import { hybridRefused } from './envelope.ts'
import { handOff } from './hand-off.ts'
import { offers } from './offers.ts'
import { start } from './start.ts'

export const hybridDoor: Door<World> = {
  prefix: '/api/v1/hybrid',
  routes: [start, offers, handOff],
  blankIsAbsent: true,
  closedQuery: true,
  refuse: hybridRefused,
}
