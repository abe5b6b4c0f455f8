// The API of the hybrid calls of D1 §4.
import type { Api } from '@lendloom/http/server'
import type { Context } from '#platform/context.ts'
import { hybridRefusalAnswer } from './envelope.ts'
import { handOff } from './hand-off.ts'
import { offersRoute } from './offers.ts'
import { startRoute } from './start-journey.ts'

export const hybridApi: Api<Context> = {
  prefix: '/api/v1/hybrid',
  routes: [startRoute, offersRoute, handOff],
  blankIsAbsent: true,
  closedQuery: true,
  refuse: hybridRefusalAnswer,
}
