// The API of the hybrid calls of D1 §4.
import type { Api } from '@lendloom/http/server'
import type { Context } from '#platform/context.ts'
import { hybridRefusalAnswer } from './envelope.ts'
import { handOff } from './hand-off.ts'
import { offers } from './offers.ts'
import { start } from './start-journey.ts'

export const hybridApi: Api<Context> = {
  prefix: '/api/v1/hybrid',
  routes: [start, offers, handOff],
  blankIsAbsent: true,
  closedQuery: true,
  refuse: hybridRefusalAnswer,
}
