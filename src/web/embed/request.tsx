// Where the lender can be asked for something in writing: the chunk for it is fetched once it can, and nothing waits for it.

import { Fetched, loaderOf } from './chunk.tsx'
import { files } from './files.ts'
import { here } from './here.ts'

const loadRequests = loaderOf(() => files().requests)

export function Requests() {
  if (here.view.value.requests.length === 0) return null
  return <Fetched quiet load={loadRequests} draw={() => here.requests && <here.requests />} />
}
