// The gateway's door.
import type { Door } from '#kit/http-server.ts'
import { refuseAs } from '#sandbox/refuse.ts'
import type { World } from '#sandbox/world.ts'
import { search } from './search.ts'

export const gatewayDoor: Door<World> = { prefix: '/gateway', routes: [search], refuse: refuseAs('BG') }
