// For what anybody may ask: it tells nothing that is not public.
import type { Auth } from '#kit/http-server.ts'
import type { World } from '#platform/world.ts'

export const anyone: Auth<World, null> = { scheme: null, check: () => null }
