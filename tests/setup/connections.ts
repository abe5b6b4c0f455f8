// Gives each `fetch` of the tests its own connection: on a busy machine a server may close an idle connection just when
// the next request is sent. Browsers retry then, `fetch` fails.
import { createRequire } from 'node:module'
import type * as undici from 'undici'

// Loads only two files, because undici's index loads ten times as much code.
const requirePart = createRequire(import.meta.url)
const Agent: typeof undici.Agent = requirePart('undici/lib/dispatcher/agent.js')
const { setGlobalDispatcher }: Pick<typeof undici, 'setGlobalDispatcher'> = requirePart('undici/lib/global.js')

setGlobalDispatcher(new Agent({ pipelining: 0 }))
