// The API for providers, which report on checks and bank statements.

import type { Api } from '@lendloom/http/server'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import type { Context } from '#platform/context.ts'
import { checkCallbackRoutes } from './check-callback.ts'
import { statementCallbackRoutes } from './statement-callback.ts'

export const providerApi: Api<Context> = {
  prefix: '/api/provider',
  routes: [...checkCallbackRoutes, ...statementCallbackRoutes],
  refuse: refusedExchange,
}
