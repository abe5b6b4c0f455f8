// Requests of the tests by `fetch`, each on a connection of its own. On a busy machine a server closes an idle connection
// just when the test sends on it; a browser then asks again, and `fetch` fails.
import { Agent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new Agent({ pipelining: 0 }))
