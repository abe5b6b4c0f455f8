// The account aggregator's door: its directory, its interface for lenders, and its pages for their borrowers.
import { refusedAs } from '#contract/network/refused.ts'
import type { Door } from '#kit/http-server.ts'
import type { World } from '#sandbox/world.ts'
import { apiRoutes } from './api.ts'
import { enrolEntity, lookUpEntity } from './directory.ts'
import { decide, enterAggregator, logIn } from './pages/routes.ts'

export const aggregatorDoor: Door<World> = {
  prefix: '/aggregator',
  routes: [lookUpEntity, enrolEntity, ...apiRoutes, enterAggregator, logIn, decide],
  refuse: refusedAs('BPP'),
}
