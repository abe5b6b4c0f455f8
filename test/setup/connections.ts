// Requests of the tests by `fetch`, each on a connection of its own. On a busy machine a server closes an idle connection
// just when the test sends on it; a browser then asks again, and `fetch` fails.
import { createRequire } from 'node:module'
import type * as undici from 'undici'

// Its index loads ten times as much.
const part = createRequire(import.meta.url)
const Agent: typeof undici.Agent = part('undici/lib/dispatcher/agent.js')
const { setGlobalDispatcher }: Pick<typeof undici, 'setGlobalDispatcher'> = part('undici/lib/global.js')

setGlobalDispatcher(new Agent({ pipelining: 0 }))
