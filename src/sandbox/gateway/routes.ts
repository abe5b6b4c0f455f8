// The gateway's API.

import { refusedAs } from '#contract/network/errors.ts'
import type { Api } from '#kit/http/server.ts'
import type { Context } from '#sandbox/core/context.ts'
import { search } from './search.ts'

export const gatewayApi: Api<Context> = { prefix: '/gateway', routes: [search], refuse: refusedAs('BG') }
