// The account aggregator's API: its directory, its interface for lenders, and its pages for their borrowers.

import type { Api } from '@lendloom/http/server'
import { refusedAs } from '@lendloom/wire/network/errors'
import type { Context } from '#sandbox/core/context.ts'
import { apiRoutes } from './api.ts'
import { enrolEntity, lookUpEntity } from './directory.ts'
import { decide, enterAggregator, logIn } from './page-routes.ts'

export const aggregatorApi: Api<Context> = {
  prefix: '/aggregator',
  routes: [lookUpEntity, enrolEntity, ...apiRoutes, enterAggregator, logIn, decide],
  refuse: refusedAs('BPP'),
}
