// The gateway's door.

import { refusedAs } from '#contract/network/refused.ts'
import type { Door } from '#kit/http-server.ts'
import type { World } from '#sandbox/world.ts'
import { search } from './search.ts'

export const gatewayDoor: Door<World> = { prefix: '/gateway', routes: [search], refuse: refusedAs('BG') }
