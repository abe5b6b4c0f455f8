// For what anybody may ask: it tells nothing that is not public.
import type { Auth } from '#kit/http/server.ts'
import type { Context } from '#platform/context.ts'

export const anyone: Auth<Context, null> = { scheme: null, check: () => null }
